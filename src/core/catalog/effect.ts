import { z } from 'zod';
import { findChangingVerbOrNull, type ChangingVerb } from './changing-verbs.ts';

/** A tool as far as its effect goes. */
interface HintedTool {
  /** `server/tool` */
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly effect?: ToolEffect | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

/** What a tool does to its server's state. */
export const toolEffect = z.enum(['reads', 'writes', 'destroys', 'unknown']);
export type ToolEffect = z.infer<typeof toolEffect>;

/** The most that calls may do on a server. */
export const allowedEffect = z.enum(['reads', 'writes', 'destroys']);
export type AllowedEffect = z.infer<typeof allowedEffect>;

/** An unknown effect counts as one that writes. */
const ranks: Readonly<Record<ToolEffect, number>> = { reads: 0, unknown: 1, writes: 1, destroys: 2 };

/** Returns whether calls with an effect are allowed where calls up to another one are. */
export const isEffectWithinLimit = (effect: ToolEffect, upTo: AllowedEffect): boolean => ranks[effect] <= ranks[upTo];

/** Returns the lower of two limits. */
export const lowerOfTwoEffectLimits = (one: AllowedEffect, other: AllowedEffect): AllowedEffect =>
  ranks[one] <= ranks[other] ? one : other;

/**
 * Returns what a tool does by MCP's annotations, which are hints: of two that contradict each other the worse one counts. A tool
 * that does not only read destroys unless it says otherwise. Source: MCP 2025-11-25, `ToolAnnotations` and its defaults.
 */
export function deriveEffectFromAnnotations(annotations: HintedTool['annotations']): ToolEffect {
  const { readOnlyHint: reads, destructiveHint: destroys } = annotations ?? {};
  if (destroys === true) return 'destroys';
  if (reads === true) return 'reads';
  if (reads === false) return destroys === false ? 'writes' : 'destroys';
  return destroys === false ? 'writes' : 'unknown';
}

/** Returns the verb by which a tool contradicts its declaration that it only reads; null if it declares or says nothing of the kind. */
const findContradictionOrNull = (tool: Omit<HintedTool, 'effect'>): ChangingVerb | null =>
  deriveEffectFromAnnotations(tool.annotations) === 'reads'
    ? findChangingVerbOrNull({ ...tool, name: tool.name.slice(tool.name.indexOf('/') + 1) })
    : null;

/** Returns what a tool does by its annotations and its words; one that contradicts itself is unknown. */
export const deriveEffect = (tool: Omit<HintedTool, 'effect'>): ToolEffect =>
  findContradictionOrNull(tool) === null ? deriveEffectFromAnnotations(tool.annotations) : 'unknown';

/** Returns the effect of a tool; catalogs of earlier releases state none, so it is then derived. */
export const effectOfTool = (tool: HintedTool): ToolEffect => tool.effect ?? deriveEffect(tool);

/** Returns how a tool contradicts its declaration that it only reads, as long as its owner has not said what it does. */
export const findUnresolvedContradictionOrNull = (tool: HintedTool): ChangingVerb | null =>
  effectOfTool(tool) === 'unknown' ? findContradictionOrNull(tool) : null;

/** What an owner says about the effects of a server's tools, by the tool's own name. */
export const ownersEffects = z.record(z.string().min(1).max(128), toolEffect);
export type OwnersEffects = Readonly<z.infer<typeof ownersEffects>>;

/** Returns what an owner says about a tool of this name on the server; undefined if nothing. */
export const findOwnersEffect = (owners: OwnersEffects, name: string): ToolEffect | undefined =>
  Object.hasOwn(owners, name) ? owners[name] : undefined;

/** Returns tools with their effects: the owner's word, or else what the tools say themselves. */
export const toolsWithEffects = <T extends HintedTool & { readonly server: string }>(
  tools: readonly T[],
  owners: OwnersEffects,
): (T & { readonly effect: ToolEffect })[] =>
  tools.map((each) => ({
    ...each,
    effect: findOwnersEffect(owners, each.name.slice(each.server.length + 1)) ?? deriveEffect(each),
  }));

/** How many tools have each effect; servers that an earlier release listed have none. */
export const effectCounts = z.partialRecord(toolEffect, z.int());

export const countToolsByEffect = (tools: readonly HintedTool[]): z.infer<typeof effectCounts> => {
  const counts = { reads: 0, writes: 0, destroys: 0, unknown: 0 };
  for (const tool of tools) counts[effectOfTool(tool)] += 1;
  return counts;
};
