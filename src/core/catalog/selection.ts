import { z } from 'zod';
import {
  allowedEffect,
  effectOfTool,
  isEffectWithinLimit,
  lowerOfTwoEffectLimits,
  type AllowedEffect,
} from './effect.ts';
import type { Tool } from './tool.ts';

const toolNames = z.array(z.string().min(1).max(300)).max(10_000);

/** Which tools of its servers a catalog takes. */
export const toolSelection = z.object({
  /** Full names of the only tools that take part; without it all do. */
  include: toolNames.min(1).optional(),
  /** Full names of tools that do not. */
  exclude: toolNames.optional(),
  /** The most that a call may do; servers may allow less. */
  upTo: allowedEffect.default('destroys'),
  /** Whether tools with a parameter for dry runs are called with it, whatever the caller says. They count as tools that read. */
  dryRun: z.boolean().default(false),
});
export type ToolSelection = z.infer<typeof toolSelection>;

/** The servers of a catalog by id, and which of their tools it takes. */
export interface NewCatalog extends ToolSelection {
  readonly servers: readonly string[];
}

/** What was taken, and what was left out because of its effect. */
export interface Selected {
  readonly tools: readonly Tool[];
  readonly aboveLimit: number;
  /** Names of `include` and `exclude` that no server has. */
  readonly unknown: readonly string[];
}

/** Returns the tools that a catalog takes from those of its servers. `allows` has the limit of each server by its name; one without reads alone. */
export function selectTools(
  tools: readonly Tool[],
  { include, exclude = [], upTo, dryRun }: ToolSelection,
  allows: ReadonlyMap<string, AllowedEffect>,
): Selected {
  const names = new Set(tools.map(({ name }) => name));
  const [only, never] = [include === undefined ? null : new Set(include), new Set(exclude)];
  const wanted = tools
    .filter(({ name }) => (only === null || only.has(name)) && !never.has(name))
    .map((tool) => (dryRun ? toolForcedToDryRunIfSupported(tool) : tool));
  const taken = wanted.filter((tool) =>
    isEffectWithinLimit(effectOfTool(tool), lowerOfTwoEffectLimits(upTo, allows.get(tool.server) ?? 'reads')),
  );
  return {
    tools: taken,
    aboveLimit: wanted.length - taken.length,
    unknown: [...(include ?? []), ...exclude].filter((name) => !names.has(name)),
  };
}

const properties = z.object({ properties: z.record(z.string(), z.unknown()) });
const dryRunName = /^(?:is_?)?dry_?run$/i;

/** Returns a tool whose calls are dry runs; the tool itself if it has no such parameter. */
function toolForcedToDryRunIfSupported(tool: Tool): Tool {
  const parsed = properties.safeParse(tool.inputSchema);
  if (!parsed.success) return tool;
  const name = Object.entries(parsed.data.properties).find(
    ([key, schema]) => dryRunName.test(key) && isBooleanSchema(schema),
  )?.[0];
  return name === undefined ? tool : { ...tool, effect: 'reads', forced: { [name]: true } };
}

const isBooleanSchema = (schema: unknown): boolean =>
  z.object({ type: z.literal('boolean') }).safeParse(schema).success;
