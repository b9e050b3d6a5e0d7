import type { Tool } from '#core/catalog/tool.ts';
import type { RequestSide } from '#core/units/unit.ts';

/** How an agent fails when only the wording of a request changes. Source: SGVEF-Loop, 5.5 and Table 4. */
export const failurePatterns = ['incomplete-planning', 'poor-noise-robustness', 'unstable-tool-selection'] as const;
export type FailurePattern = (typeof failurePatterns)[number];

export interface PatternFinding {
  readonly pattern: FailurePattern | null;
  /** Expected tools that only one of the two requests led to, and what the other called instead. */
  readonly lost: readonly { readonly tool: string; readonly on: RequestSide; readonly replacedBy: string | null }[];
  /** Tools outside the chain that only one of the two requests led to. */
  readonly stray: readonly { readonly tool: string; readonly on: RequestSide }[];
}

/** What the rule knows about a tool; the map lacks tools that do not exist. */
export type ToolTraits = ReadonlyMap<string, Pick<Tool, 'server' | 'domain' | 'category'>>;

/**
 * Returns the pattern of a unit from the tools that its two traces call (failed calls too, because the choice counts)
 * and its chain. Only differences between the traces count, since the requests mean the same.
 *
 * 1. An expected tool is *lost* on the side that does not call it while the other one does. It is *replaced* if that side
 *    calls, outside the chain and unlike the other side, a tool that could stand for it: of the same category (`other` is none), or
 *    of the same domain on another server. Helpers of the lost tool's own server are no substitutes.
 * 2. Tools lost, at least half of them replaced: unstable tool selection. Tools lost otherwise: incomplete planning.
 * 3. None lost, but tools outside the chain that only one side calls: poor noise robustness.
 * 4. Otherwise there is no pattern; tools that both traces lack are a failure, but no instability.
 */
export const findFailurePattern = (
  chain: readonly string[],
  source: readonly string[],
  followUp: readonly string[],
  traits: ToolTraits,
): PatternFinding => {
  const expected = new Set(chain);
  const called = { source: new Set(source), followUp: new Set(followUp) };
  const sides = ['source', 'followUp'] as const;
  const otherSide = (side: RequestSide): RequestSide => (side === 'source' ? 'followUp' : 'source');
  const stray = sides.flatMap((on) =>
    [...called[on]]
      .filter((tool) => !expected.has(tool) && !called[otherSide(on)].has(tool))
      .map((tool) => ({ tool, on })),
  );
  const lost = sides.flatMap((on) =>
    [...expected]
      .filter((tool) => !called[on].has(tool) && called[otherSide(on)].has(tool))
      .map((tool) => {
        const substitute = stray.find((each) => each.on === on && canReplace(tool, each.tool, traits));
        return { tool, on, replacedBy: substitute?.tool ?? null };
      }),
  );
  return { pattern: choosePattern(lost, stray.length), lost, stray };
};

const choosePattern = (lost: PatternFinding['lost'], strays: number): FailurePattern | null => {
  if (lost.length === 0) return strays === 0 ? null : 'poor-noise-robustness';
  const replaced = lost.filter(({ replacedBy }) => replacedBy !== null).length;
  return replaced * 2 >= lost.length ? 'unstable-tool-selection' : 'incomplete-planning';
};

const canReplace = (lost: string, by: string, traits: ToolTraits): boolean => {
  const wanted = traits.get(lost);
  const offered = traits.get(by);
  if (wanted === undefined || offered === undefined) return false;
  if (wanted.category === offered.category && wanted.category !== 'other') return true;
  return wanted.domain === offered.domain && wanted.server !== offered.server;
};
