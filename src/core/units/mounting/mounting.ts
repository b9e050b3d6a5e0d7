import { z } from 'zod';

/** Most endpoints take no more functions than this in one call. */
const standardTools = 128;
/** About the tokens of schemas in the standard mode of MCPVerse (2025). */
const standardSchemaTokens = 44_000;

/** Which tools of the catalog an attempt at a unit sees. */
export const mounting = z
  .discriminatedUnion('kind', [
    /** All tools of the servers in the unit's chain, and no others: the agent is told where to look. */
    z.strictObject({ kind: z.literal('oracle') }),
    /** Those, and all tools of other servers, drawn by seed, as long as both budgets hold. */
    z.strictObject({
      kind: z.literal('standard'),
      tools: z.int().min(1).max(10_000).default(standardTools),
      /** Tokens of the tools' definitions, as `estimateSchemaTokens` estimates them. */
      schemaTokens: z.int().min(1_000).max(10_000_000).default(standardSchemaTokens),
    }),
    /** The servers of the chain and as many others, drawn by seed. */
    z.strictObject({ kind: z.literal('distractors'), servers: z.int().min(1).max(1_000) }),
    /** The whole catalog. */
    z.strictObject({ kind: z.literal('max-scale') }),
  ])
  .meta({ id: 'Mounting' });
export type Mounting = z.infer<typeof mounting>;

/** The mounting of evaluations and leaderboards that name none. */
export const standardMounting = {
  kind: 'standard',
  tools: standardTools,
  schemaTokens: standardSchemaTokens,
} as const satisfies Mounting;

/** A mounting with its default. */
export const mountingOrStandard = mounting.default(standardMounting);

/**
 * The mounting of explorations that name none. The base agent is asked twice a unit and sees the tools again in each
 * turn, which is most of what a unit costs; explorations find as many transitions with it as with `standard`
 * (docs/measurements.md).
 */
export const explorationMounting = { kind: 'standard', tools: 24, schemaTokens: 4_000 } as const satisfies Mounting;

/** How earlier releases mounted tools where they left no choice. */
export const oracleMounting = { kind: 'oracle' } as const satisfies Mounting;

/** A mounting as it is stored: earlier releases wrote the kind alone. */
export const storedMounting = z.union([z.enum(['oracle', 'max-scale']).transform((kind) => ({ kind })), mounting]);

/** Returns whether two mountings are the same; one that an earlier release did not name is `oracle`. */
export const isSameMounting = (one: Mounting | undefined, other: Mounting | undefined): boolean =>
  mountingName(one ?? oracleMounting) === mountingName(other ?? oracleMounting);

/** Returns whether the seed of an evaluation decides which tools a mounting shows. */
export const isDrawnBySeed = ({ kind }: Mounting): boolean => kind === 'standard' || kind === 'distractors';

/**
 * Returns a mounting's name: `oracle`, `max-scale`, `standard`, `standard:64,20000` with a budget of its own (tools,
 * schema tokens), `distractors:10`.
 */
export function mountingName(given: Mounting): string {
  switch (given.kind) {
    case 'oracle':
    case 'max-scale':
      return given.kind;
    case 'standard': {
      const { tools, schemaTokens } = given;
      const isDefault = tools === standardTools && schemaTokens === standardSchemaTokens;
      return isDefault ? 'standard' : `standard:${tools},${schemaTokens}`;
    }
    case 'distractors':
      return `distractors:${given.servers}`;
  }
}

/** Returns the mounting with a name, or null if no mounting has it. */
export function parseMountingNameOrNull(name: string): Mounting | null {
  const [, kind = '', first, second] = /^([a-z-]+)(?::(\d+)(?:,(\d+))?)?$/.exec(name) ?? [];
  if (kind === 'distractors' && second === undefined)
    return parseMountingOrNull({ kind, servers: Number(first ?? 'none') });
  if (kind === 'standard' && (first === undefined) === (second === undefined))
    return parseMountingOrNull(
      first === undefined ? { kind } : { kind, tools: Number(first), schemaTokens: Number(second) },
    );
  return first === undefined ? parseMountingOrNull({ kind }) : null;
}

const parseMountingOrNull = (given: unknown): Mounting | null => mounting.safeParse(given).data ?? null;
