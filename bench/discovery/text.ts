import type { StrategyName } from '#core/exploration/config.ts';
import { wholeNumberText, countWithNoun, percentText } from '../../client/command-line/text.ts';
import { alignColumns } from '../shared/aligned.ts';
import type { Comparison, Milestone, Ratio, Reached, StrategyFigures } from './figures.ts';
import { unitsPerRoundOfWorld } from './limit.ts';
import type { WorldFile } from './world-file.ts';

export const countToolsOfWorld = ({ servers }: Pick<WorldFile, 'servers'>): number =>
  servers.reduce((sum, { tools }) => sum + tools, 0);

/** A world in a line. */
export function worldLine(file: WorldFile): string {
  const tools = countToolsOfWorld(file);
  const share = file.transitions / (tools * (tools - 1));
  return `${file.name}: ${countWithNoun(tools, 'tool')} of ${countWithNoun(file.servers.length, 'server')}, ${countWithNoun(file.transitions, 'true transition')} (${percentText(share)} of the pairs), rounds of ${countWithNoun(file.batch, 'steered unit')} and a probe`;
}

/** Formats a comparison, one table for each question. */
export function comparisonLines(comparison: Comparison): string[] {
  const { file, seeds, rounds, target, strategies } = comparison;
  return [
    worldLine(file),
    `${countWithNoun(seeds, 'seed')}, at most ${countWithNoun(rounds, 'round')} (${countWithNoun(rounds * unitsPerRoundOfWorld(file), 'unit')})`,
    '',
    'Units until a share of the true transitions was found, lost ones and probes among them: median (least to most) over the seeds.',
    'A seed that never got there counts as later than all others.',
    ...milestoneTableLines(strategies, ({ units }) => units),
    '',
    'The same in rounds.',
    ...milestoneTableLines(strategies, (milestone) => milestone.rounds),
    '',
    'Share of the tools with a successful call after so many rounds: median over the seeds.',
    ...coverageTableLines(strategies),
    '',
    'True transitions found: median over the seeds.',
    ...foundTransitionsTableLines(comparison),
    '',
    `Limit: ${countWithNoun(comparison.limitUnits, 'unit')} to ${shareText(target)}, if every observed transition were a new one.`,
    ...ratioLines(comparison),
  ];
}

type Strategies = ReadonlyMap<StrategyName, StrategyFigures>;

function milestoneTableLines(strategies: Strategies, part: (milestone: Milestone) => Reached): string[] {
  const rows = [...strategies].map(([name, { milestones }]) => [
    name,
    ...milestones.map((milestone) => reachedText(part(milestone))),
  ]);
  const shares = [...strategies.values()][0]?.milestones.map(({ share }) => shareText(share)) ?? [];
  return alignColumns([['', ...shares], ...rows]);
}

function coverageTableLines(strategies: Strategies): string[] {
  const rounds = [...([...strategies.values()][0]?.nodeCoverage.keys() ?? [])];
  return alignColumns([
    ['round', ...rounds.map(wholeNumberText)],
    ...[...strategies].map(([name, { nodeCoverage }]) => [
      name,
      ...rounds.map((round) => percentText(nodeCoverage.get(round) ?? 0)),
    ]),
  ]);
}

function foundTransitionsTableLines({ strategies, rounds, file }: Comparison): string[] {
  const text = (found: number): string => `${wholeNumberText(found)} (${percentText(found / file.transitions)})`;
  const early = [...strategies.values()].some(({ foundAt60 }) => foundAt60 !== null);
  return alignColumns([
    ['', ...(early ? ['after 60 rounds'] : []), `after ${countWithNoun(rounds, 'round')}`],
    ...[...strategies].map(([name, { foundAt60, foundAtEnd }]) => [
      name,
      ...(foundAt60 === null ? [] : [text(foundAt60)]),
      text(foundAtEnd),
    ]),
  ]);
}

function ratioLines({ frontierToSgvef, frontierToLimit, target }: Comparison): string[] {
  const lines: string[] = [];
  if (frontierToSgvef)
    lines.push(`frontier needs ${ratioText(frontierToSgvef)} times the units of sgvef to ${shareText(target)}.`);
  if (frontierToLimit !== null) lines.push(`frontier needs ${frontierToLimit.toFixed(2)} times the limit.`);
  return lines;
}

/** `0.35`, or `at most 0.35`. */
export const ratioText = ({ value, atMost }: Ratio): string => `${atMost ? 'at most ' : ''}${value.toFixed(2)}`;

/** `80%`, `99.9%`. */
export const shareText = (share: number): string => `${Number((100 * share).toFixed(2))}%`;

/** `762 (715 to 803)`, with the number of runs that did not reach it. */
export function reachedText({ reached, of, median, min, max }: Reached): string {
  if (median === null && min === null) return 'not reached';
  const missing = reached === of ? '' : `, not reached in ${of - reached} of ${of}`;
  const middle = median === null ? 'not reached' : countTextOrTenths(median);
  const spread =
    min === null || (min === max && reached === of)
      ? ''
      : ` (${countTextOrTenths(min)} ${max === null ? 'or more' : `to ${countTextOrTenths(max)}`}${missing})`;
  return `${middle}${spread}`;
}

/** The median of two numbers may lie between them. */
const countTextOrTenths = (value: number): string =>
  Number.isInteger(value) ? wholeNumberText(value) : value.toFixed(1);

/** Formats a finished run in a line. */
export const runLine = (
  { strategy, seed, file }: { readonly strategy: StrategyName; readonly seed: number; readonly file: WorldFile },
  found: readonly number[],
): string =>
  `${strategy}, seed ${seed}: ${wholeNumberText(found.at(-1) ?? 0)} of ${countWithNoun(file.transitions, 'transition')} in ${countWithNoun(found.length, 'round')}`;
