import { type Breakdown, type BreakdownGroup, breakdowns } from '../breakdown-record.ts';
import type { ExplainedCase } from '../explained-case.ts';
import { fixedDigitsText, partMeanText, sortAgentsByHeadlineMean, summaryText } from '../figure-texts.ts';
import type { AgentMounted, AgentResult, Comparison, EvaluationRecord, EvaluationResults } from '../record.ts';
import { disturbanceSection } from './disturbances.ts';
import { neighbourComparisonSection } from './comparisons.ts';
import { listShownScorers } from '../shown-scorers.ts';
import { failedCaseSection } from './failed-cases.ts';
import { failedCallSection, rewordingFailureSection } from './failures.ts';
import { ownToolSentences } from '../own-tools.ts';
import { floorSentences } from '../floor-text.ts';
import { judgingSentences } from '../judge-measure/measure-texts.ts';
import { escapeMarkdown, markdownTableLines, sectionLines } from './markdown.ts';
import { type BrokenAttempts, unevaluatedAndUnscoredSection } from './missing.ts';
import { type ServerIsolation, isolationSentences } from '#core/catalog/isolation/server-isolation.ts';
import { passAtKSection, scoreSection } from './scores.ts';
import { type ListedScorer, type ProtocolKey, getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { getScorerOrThrow, scoreParts } from '../scorers.ts';
import { routingError, routingErrorTexts } from '#core/traces/error-class.ts';
import { mountingName } from '#core/units/mounting/mounting.ts';
import { describeMounting, meanAndRangeText, oracleCaveat } from '#core/units/mounting/mounting-texts.ts';
import { overlayNameAndHashText } from '../overlay/overlay.ts';
import type { Scorer } from '#core/scoring/scorer.ts';
import { nullPolicyTexts } from '../null-agents.ts';

function agentText(agent: EvaluationRecord['agents'][number]): string {
  const name = escapeMarkdown(agent.name);
  if (agent.loop === 'null') return `${name} (null agent: ${nullPolicyTexts[agent.policy]})`;
  return 'model' in agent ? `${name} (${escapeMarkdown(agent.model)}, ${agent.loop})` : `${name} (${agent.loop})`;
}

/** Names the judge, and the agents whose answers it judges although it wrote them. */
function judgeText({ config, judge, agents }: EvaluationRecord): string {
  if (!config.judges) return 'none: the judges are off';
  const model = escapeMarkdown(judge.model);
  const own = agents.flatMap((agent) =>
    'model' in agent && agent.model === judge.model ? [escapeMarkdown(agent.name)] : [],
  );
  return own.length === 0 ? model : `${model}, which judges itself: it is the model of ${own.join(', ')} too`;
}

/** What was evaluated, on what and when. */
function headSection(evaluation: EvaluationRecord): string[] {
  const { id, config, agents, provenance, progress, status, reason, createdAt, endedAt, offline } = evaluation;
  const { split, sample } = config;
  const drawn = sample === undefined ? '' : `, a sample of ${sample.units} by seed ${sample.seed}`;
  const rows: readonly (readonly [string, string])[] = [
    ['evaluation', escapeMarkdown(id)],
    ['benchmark', escapeMarkdown(config.benchmark)],
    ['status', reason === null ? status : `${status}: ${escapeMarkdown(reason)}`],
    ['units', `${progress.unitsDone} of ${progress.units} done (split ${split}${drawn})`],
    ['trials', `${config.trials} per unit and agent, times its requests`],
    ['agents', agents.map(agentText).join('; ')],
    ['judge model', judgeText(evaluation)],
    ...(config.user === 'answer'
      ? [['what servers ask', 'answered from the request by the judge model'] as const]
      : []),
    ['catalog', escapeMarkdown(provenance.catalog)],
    ['prompts', provenance.prompts.map(escapeMarkdown).join(', ') || 'none'],
    ['harness', escapeMarkdown(provenance.harness)],
    ['when', `${createdAt} to ${endedAt ?? 'now: it has not ended'}`],
  ];
  return [
    `# Evaluation report${config.name === '' ? '' : `: ${escapeMarkdown(config.name)}`}`,
    '',
    ...markdownTableLines(
      [
        { title: 'what', of: ([what]) => what },
        { title: 'value', of: ([, value]) => value },
      ],
      rows,
    ),
    '',
    ...(offline
      ? [
          '> **Offline.** Rules stood in for models. These figures check the instrument; they are no evidence about models.',
          '',
        ]
      : []),
  ];
}

type Row = BreakdownGroup['agents'][number];

/** The agents on the units of each group, in this order of names. */
const breakdownSection = (
  { title, heading, counting }: Breakdown,
  groups: readonly BreakdownGroup[],
  order: readonly string[],
  shown: readonly ListedScorer[],
): string[] =>
  sectionLines(
    heading,
    counting,
    '',
    ...markdownTableLines(
      [
        { title, of: ({ group }) => group },
        { title: 'agent', of: ({ agent }) => escapeMarkdown(agent) },
        { title: 'units', of: ({ units }) => units },
        ...shown.map(({ key, title }) => ({
          title,
          of: ({ scores }: Row) => summaryText(scores[key]),
        })),
        {
          title: 'turns',
          of: ({ perAttempt }) => (perAttempt.turns === null ? 'none' : fixedDigitsText(perAttempt.turns, 1)),
        },
        {
          title: 'failed calls',
          of: ({ calls, failedCalls }) =>
            calls === 0
              ? 'no calls'
              : `${failedCalls} of ${calls} (${fixedDigitsText((100 * failedCalls) / calls, 1)}%)`,
        },
        { title: 'spoilt by the environment', of: ({ spoiltCalls }) => spoiltCalls },
      ],
      groups.flatMap(({ name, agents }) =>
        agents
          .toSorted((a, b) => order.indexOf(a.agent) - order.indexOf(b.agent))
          .map((agent) => ({ group: escapeMarkdown(name), ...agent })),
      ),
    ),
  );

const textOrNone = (value: number | null, text: (value: number) => string): string =>
  value === null ? 'none' : text(value);

/** How well the judges read attempts whose verdict is known; nothing where nobody judged. */
const measuredJudgesSection = ({ judging }: Pick<EvaluationResults, 'judging'>): string[] =>
  judging === undefined ? [] : sectionLines('Judges, measured', ...judgingSentences(judging).map(escapeMarkdown));

/** What the agents and the judges used. */
const costAndTokensSection = (agents: readonly AgentResult[], { judgeUsage }: EvaluationRecord): string[] =>
  sectionLines(
    'Cost and tokens',
    ...markdownTableLines(
      [
        { title: 'agent', of: ({ name }) => escapeMarkdown(name) },
        { title: 'attempts', of: ({ attempts }) => attempts },
        { title: 'tokens', of: ({ tokens }) => textOrNone(tokens, String) },
        {
          title: 'tokens per attempt',
          of: ({ tokensPerAttempt }) => textOrNone(tokensPerAttempt, (tokens) => fixedDigitsText(tokens, 0)),
        },
        { title: 'cost', of: ({ costUsd }) => textOrNone(costUsd, dollarsText) },
        { title: 'cost per attempt', of: ({ costUsdPerAttempt }) => textOrNone(costUsdPerAttempt, dollarsText) },
        { title: 'median time', of: ({ durationMs }) => textOrNone(durationMs?.median ?? null, secondsText) },
        { title: '95th percentile', of: ({ durationMs }) => textOrNone(durationMs?.p95 ?? null, secondsText) },
      ],
      agents,
    ),
    '',
    'What an evaluated attempt took, on average:',
    '',
    ...markdownTableLines(
      [
        { title: 'agent', of: ({ name }) => escapeMarkdown(name) },
        { title: 'turns', of: ({ perAttempt }) => textOrNone(perAttempt.turns, meanText) },
        { title: 'different tools', of: ({ perAttempt }) => textOrNone(perAttempt.tools, meanText) },
        { title: 'calls', of: ({ perAttempt }) => textOrNone(perAttempt.calls, meanText) },
        { title: 'routes', of: ({ perAttempt }) => textOrNone(perAttempt.routes, meanText) },
      ],
      agents,
    ),
    '',
    ...ownToolSentences(agents).flatMap((sentence) => [escapeMarkdown(sentence), '']),
    `The judges took ${judgeUsage.promptTokens + judgeUsage.completionTokens} tokens and ${dollarsText(judgeUsage.costUsd)} on top.`,
  );

const meanText = (value: number): string => fixedDigitsText(value, 2);
const dollarsText = (value: number): string => `$${value.toFixed(4)}`;
const secondsText = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

const directions: Readonly<Record<Scorer['direction'], string>> = {
  higher: 'Higher is better.',
  lower: 'Lower is better.',
  zero: 'Best near 0.',
};

const scorerExplanationText = ({
  title,
  name,
  range: [low, high],
  question,
  formula,
  caveat,
  direction,
}: Scorer): string =>
  `- **${title}**${name === title ? '' : `, ${name}`}, ${low} to ${high}: ${question} ${capitalizeFirst(formula)}. ${directions[direction]} Not to be taken for ${caveat}.`;

const capitalizeFirst = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What a reader must know to read the figures. */
function howToReadSection(protocol: ProtocolKey, shown: readonly ListedScorer[]): string[] {
  const binaryTitles = shown.flatMap(({ binary, title }) => (binary ? [title] : []));
  const hasVerdict = getProtocol(protocol).verdict !== null;
  return sectionLines(
    'How to read this',
    ...shown.map(scorerExplanationText),
    `- **Intervals** are 95% intervals of a mean over whole units: ${binaryTitles.length === 0 ? 'percentile bootstrap intervals' : `Wilson's for ${binaryTitles.join(', ')} and passes, percentile bootstrap intervals for all else`}, which are too narrow for few units.`,
    ...(hasVerdict
      ? [
          '- **pass@k** (Chen et al. 2021) is the chance that at least one of k trials passes, **pass^k** (tau-bench) that all do; units with fewer than k scored trials are unscored.',
        ]
      : []),
    `- **Comparisons** are bootstrap intervals of the mean difference within units. Fewer than six pairs are insufficient data.${hasVerdict ? " Passes are also compared by McNemar's exact test on attempts. Attempts of one unit are alike, which makes McNemar's p somewhat too small." : ''}`,
    '- **Unscored** is what could not be measured. It is counted, left out of means, and never a zero.',
  );
}

/** Which tools each agent saw. */
const mountingSection = (mounted: readonly AgentMounted[]): string[] =>
  sectionLines(
    'Mounted tools',
    'What an agent could choose from, over the units: its figures depend on it. Schema tokens are what the definitions of the tools take, by an estimate.',
    '',
    ...markdownTableLines(
      [
        { title: 'agent', of: ({ agent }) => escapeMarkdown(agent) },
        { title: 'mounting', of: ({ mounting }) => mountingName(mounting) },
        { title: 'meaning', of: ({ mounting }) => describeMounting(mounting) },
        { title: 'tools', of: ({ tools }) => meanAndRangeText(tools) },
        { title: 'schema tokens', of: ({ schemaTokens }) => meanAndRangeText(schemaTokens) },
        ...(mounted.some(({ overlay }) => overlay !== undefined)
          ? [{ title: 'wording', of: ({ overlay }: AgentMounted) => escapeMarkdown(overlayNameAndHashText(overlay)) }]
          : []),
        { title: 'units with less than their own servers', of: ({ cutUnits }) => cutUnits },
      ],
      mounted,
    ),
    ...(mounted.some(({ mounting }) => mounting.kind === 'oracle') ? ['', oracleCaveat] : []),
  );

/** Why attempts of agents that search for their tools failed; nothing if no agent does. */
function routingErrorSection(agents: readonly AgentResult[]): string[] {
  const searching = agents.flatMap(({ name, routingErrors }) =>
    routingErrors === null ? [] : [{ name, routingErrors }],
  );
  if (searching.length === 0) return [];
  return sectionLines(
    'Failed attempts of agents that search for tools',
    ...markdownTableLines(
      [
        { title: 'agent', of: ({ name }) => escapeMarkdown(name) },
        ...routingError.options.map((key) => ({
          title: key,
          of: ({ routingErrors }: (typeof searching)[number]) => routingErrors[key],
        })),
      ],
      searching,
    ),
    '',
    ...routingError.options.map((key) => `- ${key}: ${routingErrorTexts[key]}`),
    '',
    'The needed tools are those of the expected chain, which is one path of several.',
  );
}

/** What the scores are made of, one line for each part. */
const scorePartsSection = (agents: readonly AgentResult[], shown: readonly ListedScorer[]): string[] =>
  sectionLines(
    'Parts of the scores',
    'Means over units whose score is known, and the number n of units that they are of.',
    '',
    ...markdownTableLines<(typeof scoreParts)[number]>(
      [
        { title: 'scorer', of: ({ scorer }) => getScorerOrThrow(scorer).title },
        { title: 'part', of: ({ title }) => title },
        { title: 'meaning', of: ({ name }) => name },
        ...agents.map(({ name, parts }) => ({
          title: escapeMarkdown(name),
          of: ({ scorer, key }: (typeof scoreParts)[number]) => partMeanText(parts[scorer][key]),
        })),
      ],
      scoreParts.filter(({ scorer }) => shown.some(({ key }) => key === scorer)),
    ),
  );

/** Answers without calls, and answers that state values that no tool returned. */
const answerCountSection = (agents: readonly AgentResult[]): string[] =>
  sectionLines(
    'Answers',
    'A value is a quotation, a number of six digits or more, or an id; it is returned if the request, a call or its result has it. A sum that an agent calculates is not returned either. Answers after a result that was cut are not checked.',
    '',
    ...markdownTableLines(
      [
        { title: 'agent', of: ({ name }) => escapeMarkdown(name) },
        { title: 'answers', of: ({ answers }) => answers.given },
        { title: 'without calls', of: ({ answers }) => answers.withoutCalls },
        { title: 'checked', of: ({ answers }) => answers.checked },
        {
          title: 'with values that no tool returned',
          of: ({ answers: { unreturned, unreturnedShare } }) =>
            unreturnedShare === null ? 'none checked' : `${unreturned} (${fixedDigitsText(100 * unreturnedShare, 1)}%)`,
        },
      ],
      agents,
    ),
  );

/** The breakdowns of a report: all but the one by server, which is long. */
export const reportedBreakdowns: readonly Breakdown[] = breakdowns.filter(({ by }) => by !== 'server');

/** The figures of a report. */
export interface ReportedFigures {
  readonly results: EvaluationResults;
  /** One comparison for each pair of `pairNeighboursInRanking`. */
  readonly comparisons: readonly Comparison[];
  /** One for each of `reportedBreakdowns`. */
  readonly breakdowns: readonly (readonly BreakdownGroup[])[];
  readonly broken: readonly BrokenAttempts[];
  /** Some failed cases of public units, by agent. */
  readonly failedCases: readonly ExplainedCase[];
}

/** Pairs each agent with the one that follows it in the ranking. */
export function pairNeighboursInRanking(
  results: Pick<EvaluationResults, 'agents' | 'protocol' | 'ruleAgents'>,
): [string, string][] {
  const names = sortAgentsByHeadlineMean(results).map(({ name }) => name);
  return names.flatMap((name, index) => {
    const next = names[index + 1];
    return next === undefined ? [] : [[name, next] satisfies [string, string]];
  });
}

/** Returns the results of an evaluation so far as Markdown, for people. */
export function evaluationReportMarkdown(evaluation: EvaluationRecord, figures: ReportedFigures): string {
  const { protocol } = evaluation;
  const agents = sortAgentsByHeadlineMean(figures.results);
  const names = agents.map(({ name }) => name);
  const shown = listShownScorers(figures.results);
  return [
    ...headSection(evaluation),
    ...mountingSection(figures.results.mounted),
    ...sectionLines('State of the servers', ...isolationLines(figures.results.isolation)),
    ...scoreSection(agents, figures.results, shown),
    ...scorePartsSection(agents, shown),
    ...sectionLines('Floor', ...floorSentences(figures.results.floor).map(escapeMarkdown)),
    ...measuredJudgesSection(figures.results),
    ...disturbanceSection(agents),
    ...neighbourComparisonSection(figures.comparisons),
    ...passAtKSection(agents, protocol),
    ...failedCallSection(agents),
    ...failedCaseSection(figures.failedCases, names, protocol),
    ...answerCountSection(agents),
    ...rewordingFailureSection(agents),
    ...reportedBreakdowns.flatMap((each, index) =>
      breakdownSection(each, figures.breakdowns[index] ?? [], names, shown),
    ),
    ...routingErrorSection(agents),
    ...costAndTokensSection(agents, evaluation),
    ...unevaluatedAndUnscoredSection(agents, evaluation, figures.broken, figures.results.crashes),
    ...howToReadSection(protocol, shown),
  ].join('\n');
}

const isolationLines = (servers: readonly ServerIsolation[]): string[] => {
  const sentences = isolationSentences(servers);
  return sentences.length === 0
    ? ['No attempt could see what another one had changed.']
    : sentences.map(escapeMarkdown);
};
