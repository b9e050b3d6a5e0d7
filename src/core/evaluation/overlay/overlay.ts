import { z } from 'zod';
import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import { toolNameWithoutServer, serverNameOfToolName } from '#core/catalog/tool.ts';
import { writtenFrom } from './written-from.ts';

/** Characters of a description, and of a title, at most. */
const mostDescriptionChars = 8_000;
export const mostTitleChars = 200;
/** Tools that an overlay changes, and that it lists first, at most. */
const mostTools = 200;
/** Bytes of all overlays of an evaluation as JSON, at most: they are stored with its agents, in one row. */
const mostBytes = 500_000;

/** A tool as an overlay names it. */
export const overlaidToolName = z
  .string()
  .regex(/^[^/]+\/[\s\S]+$/, 'a tool, such as notes/add_note')
  .max(300);

const toolChange = z
  .strictObject({
    /** Its name without its server. */
    name: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,128}$/, 'letters, digits, "_", "." and "-", at most 128')
      .optional(),
    title: z.string().max(mostTitleChars).optional(),
    description: z.string().max(mostDescriptionChars).optional(),
    /** What agents read as the schema of its arguments. Calls are forwarded as they are, and checked by the tool's own schema. */
    inputSchema: z.record(z.string(), z.unknown()).optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'say what is changed: name, title, description or inputSchema');

export const overlayName = z.string().min(1).max(60);

const shape = {
  name: overlayName,
  tools: z.record(overlaidToolName, toolChange).default({}),
  first: z.array(overlaidToolName).max(mostTools).default([]),
  /** Absent if no model wrote it from attempts. */
  writtenFrom: writtenFrom.optional(),
};

/**
 * A named set of changed wordings over the tools of a catalog, by `server/tool`: what an agent reads in place of what the
 * servers say. `first` are tools that are listed before all others, in this order.
 */
export const overlay = z
  .strictObject(shape)
  .refine(({ tools, first }) => Object.keys(tools).length + first.length > 0, 'an overlay changes a tool, or the order')
  .refine(({ tools }) => Object.keys(tools).length <= mostTools, `an overlay changes at most ${mostTools} tools`)
  .refine(({ first }) => new Set(first).size === first.length, { path: ['first'], message: 'each tool once' });
export type Overlay = Readonly<z.infer<typeof overlay>>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** An overlay as its agent stores it, with its hash. */
export const storedOverlay = z.object({ ...shape, sha256 });
export type StoredOverlay = z.infer<typeof storedOverlay>;

/** What clients see of an agent's overlay. */
export const shownOverlay = z
  .object({
    name: z.string(),
    sha256,
    /** The evaluation that a model wrote it from, and how many of its units that model saw; absent if no model did. */
    writtenFrom: writtenFrom.pick({ evaluation: true }).extend({ units: z.int() }).optional(),
  })
  .meta({ id: 'ShownOverlay' });
export type ShownOverlay = z.infer<typeof shownOverlay>;

/** Returns what clients see of an overlay. */
export const makeShownOverlay = ({ name, sha256, writtenFrom: from }: StoredOverlay): ShownOverlay => ({
  name,
  sha256,
  ...(from === undefined ? {} : { writtenFrom: { evaluation: from.evaluation, units: from.units.length } }),
});

/** Names an overlay with the beginning of its hash; the servers' own wording without one. */
export const overlayNameAndHashText = (shown: ShownOverlay | undefined): string =>
  shown === undefined ? "the servers' own" : `${shown.name} (${shown.sha256.slice(0, 12)})`;

/** Returns an overlay with the hash of what it changes, whatever its name and its author: 64 hex digits. */
export async function overlayWithHash(made: Overlay): Promise<StoredOverlay> {
  const { tools, first } = made;
  return { ...made, sha256: await sha256Hex(canonicalJson({ tools, first })) };
}

/** Returns the name by which agents know a tool. The server stays. */
export function shownNameOf({ tools }: Pick<Overlay, 'tools'>, name: string): string {
  const own = tools[name]?.name;
  return own === undefined ? name : `${serverNameOfToolName(name)}/${own}`;
}

/** Why an overlay does not fit the tools of an evaluation. */
export type OverlayProblem =
  | { readonly reason: 'unknown-tool'; readonly tool: string }
  | { readonly reason: 'same-name'; readonly name: string }
  | { readonly reason: 'too-large'; readonly bytes: number; readonly most: number };

/**
 * Returns what is wrong with an overlay over tools with these names: a tool that is not among them, or two tools that would
 * have one name. Null if nothing is.
 */
export function findOverlayProblem({ tools, first }: Overlay, names: readonly string[]): OverlayProblem | null {
  const known = new Set(names);
  const unknown = [...Object.keys(tools), ...first].find((name) => !known.has(name));
  if (unknown !== undefined) return { reason: 'unknown-tool', tool: unknown };
  const shown = new Set<string>();
  for (const name of names.map((each) => shownNameOf({ tools }, each))) {
    if (shown.has(name)) return { reason: 'same-name', name };
    shown.add(name);
  }
  return null;
}

/** Returns a problem if the overlays of an evaluation are together too large to be stored with its agents. */
export function findSizeProblemOfOverlays(overlays: readonly Overlay[]): OverlayProblem | null {
  const bytes = new TextEncoder().encode(JSON.stringify(overlays)).length;
  return bytes > mostBytes ? { reason: 'too-large', bytes, most: mostBytes } : null;
}

/** Puts a problem into words for a client. */
export function overlayProblemText(problem: OverlayProblem): string {
  switch (problem.reason) {
    case 'unknown-tool':
      return `the benchmark has no tool ${problem.tool}; name tools as its catalog does, such as notes/add_note`;
    case 'same-name':
      return `two tools would have the name ${toolNameWithoutServer(problem.name)} on ${serverNameOfToolName(problem.name)}; each needs a name of its own`;
    case 'too-large':
      return `overlays of ${problem.bytes} bytes; all of an evaluation together may have ${problem.most}`;
  }
}
