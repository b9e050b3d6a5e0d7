import { routingError } from '#core/traces/error-class.ts';
import type { Scorer } from '#core/scoring/scorer.ts';
import { crashSentences } from '#core/evaluation/crashes.ts';
import { ownToolSentences } from '#core/evaluation/own-tools.ts';
import { floorSentences } from '#core/evaluation/floor-text.ts';
import { judgingSentences } from '#core/evaluation/judge-measure/measure-texts.ts';
import {
  protocolWithoutVerdictText,
  pValueText,
  sortAgentsByHeadlineMean,
  signedDifferenceText,
  summaryText,
  toldCell,
  toldDifferenceNote,
} from '#core/evaluation/figure-texts.ts';
import { agentNameInGroup, ruleAgentsNoteOrNull } from '#core/evaluation/rule-agents.ts';
import type { AgentMounted, AgentResult, Comparison, EvaluationResults } from '#core/evaluation/record.ts';
import { listShownComparisons, listShownScorers } from '#core/evaluation/shown-scorers.ts';
import { userPolicyNotesForReaders } from '#core/models/simulated-user/asked-question.ts';
import { isolationSentences } from '#core/catalog/isolation/server-isolation.ts';
import { mountingName } from '#core/units/mounting/mounting.ts';
import { oracleCaveat, meanAndRangeText } from '#core/units/mounting/mounting-texts.ts';
import { getProtocol, scorersOfProtocol, type ListedScorer } from '#core/benchmarks/protocols/protocols.ts';
import { scorerTitleInComparisons, getScorerOrThrow } from '#core/evaluation/scorers.ts';
import type { Verdict } from '#core/statistics/verdict.ts';
import { decisionLines } from './decision-lines.ts';
import { disturbanceLines } from './disturbance-lines.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { countWithNoun, percentText, makePrintableLine, widthOf } from '../command-line/text.ts';

/** Number of summaries that fit side by side on a terminal of 80 columns. */
const scorersPerTable = 3;

const makeNameColumn = (results: Pick<EvaluationResults, 'ruleAgents'>): Column<AgentResult> => ({
  title: 'agent',
  cell: ({ name }) => agentNameInGroup(name, results),
});

/** Returns the columns in the groups that stay together if the table must be split. */
function resultColumnGroups(shown: readonly ListedScorer[]): Column<AgentResult>[][] {
  const columns = shown.map(({ key, title }) => ({
    title,
    cell: ({ scores }: AgentResult) => summaryText(scores[key]),
  }));
  const groups = columns.flatMap((_, place) =>
    place % scorersPerTable === 0 ? [columns.slice(place, place + scorersPerTable)] : [],
  );
  return [...groups, effortColumns];
}

const effortColumns: Column<AgentResult>[] = [
  { title: 'units', cell: ({ units }) => units },
  { title: 'proven', cell: ({ proven }) => proven.units },
  { title: 'cost', cell: ({ costUsd }) => (costUsd === null ? 'unknown' : `$${costUsd.toFixed(2)}`) },
  { title: 'tokens', cell: ({ tokens }) => tokens ?? 'unknown' },
  {
    title: 'spoilt calls',
    cell: ({ failures: { spoiltShare } }) => (spoiltShare === null ? 'no calls' : percentText(spoiltShare)),
  },
  { title: 'not evaluated', cell: ({ notEvaluated }) => notEvaluated },
];

/**
 * Formats the agents with all their figures, best by the headline scorer first: one table, or several below each other
 * if it is too wide.
 */
export function resultTableLines(results: EvaluationResults, width: number): string[] {
  const agents = sortAgentsByHeadlineMean(results);
  const columnGroups = resultColumnGroups(listShownScorers(results));
  const nameColumn = makeNameColumn(results);
  const whole = tableLines([nameColumn, ...columnGroups.flat()], agents, width);
  const parts = whole.every((line) => widthOf(line) <= width)
    ? [...whole, '']
    : columnGroups.flatMap((group) => [...tableLines([nameColumn, ...group], agents, width), '']);
  const mounted = agents.flatMap(({ name }) => results.mounted.filter(({ agent }) => agent === name));
  return [
    ...(results.decision === undefined ? [] : decisionLines(results.decision, width)),
    ...parts,
    ...(getProtocol(results.protocol).verdict === null ? [] : passAtKTableLines(agents, width)),
    '',
    ...provenOnlyTableLines(results, width),
    ...disturbanceLines(agents, width),
    ...meanEffortTableLines(agents, width),
    ...ownToolSentences(agents).map(makePrintableLine),
    '',
    ...mountedToolTableLines(mounted, width),
    '',
    ...legendLines(results),
  ];
}

/** The agents on the proven units alone, where there are others. */
function provenOnlyTableLines({ agents, protocol }: EvaluationResults, width: number): string[] {
  const differing = agents.filter(({ units, proven }) => proven.units < units);
  if (differing.length === 0) return [];
  const { headline } = getProtocol(protocol);
  const shown = scorersOfProtocol(protocol).filter(({ key }) => key === headline || key === 'chain');
  const lines = tableLines(
    [
      { title: 'on proven units alone', cell: ({ name }) => name },
      { title: 'units', cell: ({ proven }) => proven.units },
      ...shown.map(({ key, title }) => ({
        title,
        cell: ({ proven }: AgentResult) => summaryText(proven.scores[key]),
      })),
    ],
    differing,
    width,
  );
  return [...lines, 'A unit is proven if every expected tool succeeded when it was made.', ''];
}

/** How often agents pass in k trials, one line for each k. */
const passAtKTableLines = (agents: readonly AgentResult[], width: number): string[] =>
  tableLines(
    [
      { title: 'agent', cell: ({ name }) => name },
      { title: 'trials', cell: ({ k }) => k },
      { title: 'pass@k', cell: ({ passAtK }) => summaryText(passAtK) },
      { title: 'pass^k', cell: ({ passHatK }) => summaryText(passHatK) },
    ],
    agents.flatMap(({ name, passes }) => (passes?.atK ?? []).map((each) => ({ name, ...each }))),
    width,
  );

/** What an evaluated attempt took, on average, and why attempts of agents that search for tools failed. */
function meanEffortTableLines(agents: readonly AgentResult[], width: number): string[] {
  const text = (mean: number | null): string => mean?.toFixed(2) ?? 'none';
  const searching = agents.some(({ routingErrors }) => routingErrors !== null);
  return tableLines(
    [
      { title: 'agent', cell: ({ name }) => name },
      { title: 'turns per attempt', cell: ({ perAttempt }) => text(perAttempt.turns) },
      { title: 'different tools', cell: ({ perAttempt }) => text(perAttempt.tools) },
      { title: 'calls', cell: ({ perAttempt }) => text(perAttempt.calls) },
      ...(searching
        ? [
            { title: 'routes', cell: ({ perAttempt }: AgentResult) => text(perAttempt.routes) },
            { title: 'errors', cell: ({ routingErrors }: AgentResult) => routingErrorText(routingErrors) },
          ]
        : []),
    ],
    agents,
    width,
  );
}

/** Names the classes of errors that occurred, and how often each did. */
function routingErrorText(errors: AgentResult['routingErrors']): string {
  if (errors === null) return 'none';
  const occurred = routingError.options.filter((key) => errors[key] > 0);
  return occurred.length === 0 ? 'none' : occurred.map((key) => `${key} ${errors[key]}`).join(', ');
}

/** Which tools each agent could choose from. */
const mountedToolTableLines = (mounted: readonly AgentMounted[], width: number): string[] =>
  tableLines(
    [
      { title: 'agent', cell: ({ agent }) => agent },
      { title: 'mounting', cell: ({ mounting }) => mountingName(mounting) },
      { title: 'mounted tools', cell: ({ tools }) => meanAndRangeText(tools) },
      { title: 'schema tokens', cell: ({ schemaTokens }) => meanAndRangeText(schemaTokens) },
    ],
    mounted,
    width,
  );

const listed = new Intl.ListFormat('en-GB');
const isHigherNotBetter = ({ direction }: Pick<Scorer, 'direction'>): boolean => direction !== 'higher';

/** Notes for reading the table. */
function legendLines(results: EvaluationResults): string[] {
  const { agents, crashes, mounted, isolation, user, floor, judging, protocol, adaptations } = results;
  const shown = listShownScorers(results);
  const exceptions = shown
    .filter(isHigherNotBetter)
    .map(({ title, direction }) => `${title} (${direction === 'lower' ? 'less is better' : 'best near 0'})`);
  const { verdict } = getProtocol(protocol);
  const broken = agents.reduce((sum, { notEvaluated }) => sum + notEvaluated, 0);
  return [
    `Means over units with 95% intervals. Higher is better${exceptions.length === 0 ? '' : `, but for ${listed.format(exceptions)}`}.`,
    verdict === null
      ? protocolWithoutVerdictText(protocol)
      : `${getScorerOrThrow(verdict).title} is the share of trials in which all attempts pass; pass@k that at least one of k trials does, pass^k that all k do.`,
    ...floorSentences(floor),
    ...judgingSentences(judging).map(makePrintableLine),
    'Cost and tokens are those of the agents; what the judges took comes on top.',
    ...(mounted.some(({ mounting }) => mounting.kind === 'oracle') ? [oracleCaveat] : []),
    ...isolationSentences(isolation).map(makePrintableLine),
    ...userPolicyNotesForReaders(user),
    ...(agents.some(({ scores }) => shown.some(({ key }) => scores[key].unscored > 0))
      ? ['Unscored units are left out of a mean; they do not count as zero.']
      : []),
    ...(adaptations.length === 0
      ? []
      : [`Endpoints did not take all that was to be sent: ${adaptations.map(makePrintableLine).join(', ')}.`]),
    ...crashSentences(crashes).map(makePrintableLine),
    ...(broken === 0
      ? []
      : [`Not evaluated, since the way to a server or model broke twice: ${countWithNoun(broken, 'attempt')}.`]),
  ];
}

/** Formats a comparison of two agents, one line per scorer, with the verdict in words. */
export function agentComparisonLines(comparison: Comparison, width: number): string[] {
  const { a, b } = comparison;
  const note = ruleAgentsNoteOrNull(comparison.ruleAgents);
  const rows = listShownComparisons(comparison);
  const lessIsBetter = rows
    .map(({ scorer }) => scorer)
    .filter(isHigherNotBetter)
    .map(scorerTitleInComparisons);
  const lines = tableLines(
    [
      { title: 'scorer', cell: ({ scorer }) => scorerTitleInComparisons(scorer) },
      {
        title: 'difference',
        cell: ({ difference }) => (difference === null ? 'none' : signedDifferenceText(difference)),
      },
      {
        title: '95% interval',
        cell: ({ low, high }) =>
          low === null || high === null ? 'none' : `[${signedDifferenceText(low)}, ${signedDifferenceText(high)}]`,
      },
      { title: 'tells', cell: ({ detectable }) => toldCell(detectable) },
      { title: 'units', cell: ({ n }) => n },
      { title: 'left out', cell: ({ leftOut }) => leftOut },
      { title: 'verdict', cell: ({ verdict }) => verdictText(verdict, a, b) },
    ],
    rows,
    width,
  );
  return [
    `${makePrintableLine(a)} less ${makePrintableLine(b)}, on the units that both have a score for:`,
    ...lines,
    '',
    ...passRateComparisonLines(comparison),
    ...(note === null ? [] : [makePrintableLine(note)]),
    toldDifferenceNote,
    `${lessIsBetter.length === 0 ? '' : `Less is better for ${listed.format(lessIsBetter)}. `}${rows.length + (comparison.passes === null ? 0 : 1)} verdicts at 95% each: one of them may well be chance.`,
  ];
}

/** McNemar's test on the attempts for which both agents have a verdict; nothing where the protocol has none. */
function passRateComparisonLines({ a, b, passes }: Comparison): string[] {
  if (passes === null) return [];
  const { scorer, both, neither, onlyA, onlyB, p, leftOut, verdict } = passes;
  const names = [makePrintableLine(a), makePrintableLine(b)] as const;
  const counts = `both ${both}, only ${names[0]} ${onlyA}, only ${names[1]} ${onlyB}, neither ${neither}, left out ${leftOut}`;
  return [
    `Attempts that pass by ${getScorerOrThrow(scorer).title}: ${counts}; McNemar ${pValueText(p)}: ${verdictText(verdict, ...names)}`,
    '',
  ];
}

/** Says in words what a comparison came to. */
export function verdictText(verdict: Verdict, a: string, b: string): string {
  switch (verdict) {
    case 'better':
      return `${a} is better than ${b}`;
    case 'worse':
      return `${a} is worse than ${b}`;
    case 'no-difference':
      return 'no difference shown';
    case 'insufficient-data':
      return 'insufficient data';
  }
}
