import type { Tool } from '#core/catalog/tool.ts';

/** How an agent fails when only the wording of a request changes. Source: SGVEF-Loop, 5.5 and Table 4. */
export const failurePatterns = ['incomplete-planning', 'poor-noise-robustness', 'unstable-tool-selection'] as const;
export type FailurePattern = (typeof failurePatterns)[number];

/** `on` is the position of an attempt among those of the case, from 0. */
export interface PatternFinding {
  readonly pattern: FailurePattern | null;
  /** Expected tools that one attempt lacks while another has them, and what was called there instead. */
  readonly lost: readonly { readonly tool: string; readonly on: number; readonly replacedBy: string | null }[];
  /** Tools outside the chain that only one attempt called. */
  readonly stray: readonly { readonly tool: string; readonly on: number }[];
}

/** What the rule knows about a tool; the map lacks tools that do not exist. */
export type ToolTraits = ReadonlyMap<string, Pick<Tool, 'server' | 'domain' | 'category'>>;

/**
 * Returns the pattern of a unit from the tools that the attempts at its requests call (failed calls too, because the
 * choice counts) and its chain. Only differences between the attempts count, since the requests mean the same; one attempt
 * alone has no pattern.
 *
 * 1. An expected tool is *lost* in an attempt that does not call it while another one does. It is *replaced* if that
 *    attempt calls, outside the chain and unlike the others, a tool that could stand for it: of the same category (`other` is
 *    none), or of the same domain on another server. Tools of another category on the lost tool's own server are no
 *    substitutes.
 * 2. Tools lost, at least half of them replaced: unstable tool selection. Tools lost otherwise: incomplete planning.
 * 3. None lost, but tools outside the chain that only one attempt calls: poor noise robustness.
 * 4. Otherwise there is no pattern; tools that all attempts lack are a failure, but no instability.
 */
export const findFailurePatternOfDifferingCalls = (
  chain: readonly string[],
  attempts: readonly (readonly string[])[],
  traits: ToolTraits,
): PatternFinding => {
  if (attempts.length < 2) return { pattern: null, lost: [], stray: [] };
  const expected = new Set(chain);
  const called = attempts.map((tools) => new Set(tools));
  const isCalledElsewhere = (tool: string, on: number): boolean =>
    called.some((tools, index) => index !== on && tools.has(tool));
  const stray = called.flatMap((tools, on) =>
    [...tools].filter((tool) => !expected.has(tool) && !isCalledElsewhere(tool, on)).map((tool) => ({ tool, on })),
  );
  const lost = called.flatMap((tools, on) =>
    [...expected]
      .filter((tool) => !tools.has(tool) && isCalledElsewhere(tool, on))
      .map((tool) => {
        const substitute = stray.find((each) => each.on === on && canReplaceTool(tool, each.tool, traits));
        return { tool, on, replacedBy: substitute?.tool ?? null };
      }),
  );
  return { pattern: chooseFailurePattern(lost, stray.length), lost, stray };
};

const chooseFailurePattern = (lost: PatternFinding['lost'], strays: number): FailurePattern | null => {
  if (lost.length === 0) return strays === 0 ? null : 'poor-noise-robustness';
  const replaced = lost.filter(({ replacedBy }) => replacedBy !== null).length;
  return replaced * 2 >= lost.length ? 'unstable-tool-selection' : 'incomplete-planning';
};

const canReplaceTool = (lost: string, by: string, traits: ToolTraits): boolean => {
  const wanted = traits.get(lost);
  const offered = traits.get(by);
  if (wanted === undefined || offered === undefined) return false;
  if (wanted.category === offered.category && wanted.category !== 'other') return true;
  return wanted.domain === offered.domain && wanted.server !== offered.server;
};
