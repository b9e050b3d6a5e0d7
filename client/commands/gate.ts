import { z } from 'zod';
import type { UnitResult } from '#core/evaluation/breakdown-record.ts';
import { agentName } from '#core/evaluation/config.ts';
import {
  worstGateVerdict,
  compareMetricForGate,
  gateMetricOfDecision,
  failsGate,
  meanScore,
  type GatedMetric,
  type GateFailure,
} from '#core/evaluation/gate.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { getProtocol, scorersOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { isOver } from '#core/exploration/runs.ts';
import { scorerKeys, type ScorerKey } from '#core/evaluation/scorers.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { showEvaluationUntilEnd } from '../progress/follow.ts';
import type { Command, Given } from '../command-line/command.ts';
import {
  makeSchemaNumberParser,
  makeOneOfParser,
  optionalOption,
  parseNonEmptyText,
  repeatableOption,
  requiredOption,
  makeSchemaTextParser,
  type ValueParser,
} from '../command-line/options.ts';
import { GateError, UsageError } from '../../engine/usage-error.ts';
import {
  gateJunitXml,
  gateLines,
  gateMarkdown,
  gateSentence,
  meetsRequiredMean,
  type Gate,
} from '../display/gate-reports.ts';
import { junitOption, markdownOption, requireWritableReportFiles, writeReportFiles } from './report-files.ts';

const baseline = requiredOption('baseline', 'ID', 'the evaluation to compare with, such as evl_...', parseNonEmptyText);
const candidate = requiredOption('candidate', 'ID', 'the evaluation that has to be as good', parseNonEmptyText);
const baselineAgent = optionalOption(
  'baseline-agent',
  'NAME',
  'the agent of the first; needed where it has several',
  makeSchemaTextParser(agentName),
);
const candidateAgent = optionalOption(
  'candidate-agent',
  'NAME',
  'the agent of the second; needed where it has several',
  makeSchemaTextParser(agentName),
);
const minEffect = requiredOption(
  'min-effect',
  'D',
  'the smallest difference that matters, such as 0.05',
  makeSchemaNumberParser(z.number().gt(0, 'give a number above 0')),
);
const metrics = repeatableOption(
  'metric',
  'KEY',
  "what is compared; the protocol's headline without it",
  makeOneOfParser(scorerKeys),
);
const parseScorerAndLeastMean: ValueParser<readonly [ScorerKey, number]> = (text) => {
  const [key = '', least = ''] = text.split('=');
  const number = Number(least);
  if (least.trim() === '' || !Number.isFinite(number)) throw new UsageError('give a metric, "=" and a number');
  return [makeOneOfParser(scorerKeys)(key), number];
};
const least = repeatableOption(
  'min',
  'KEY=MEAN',
  "the least mean of a metric over the candidate's units",
  parseScorerAndLeastMean,
);
const parseFailure: ValueParser<GateFailure> = (text) => {
  const [verdict, ...metric] = text.split(':');
  if (verdict !== 'worse' || metric.length > 1) throw new UsageError('give "worse", or "worse:" and a metric');
  return metric[0] === undefined ? 'any' : makeOneOfParser(scorerKeys)(metric[0]);
};
const failIf = repeatableOption(
  'fail-if',
  'worse[:KEY]',
  'fail only where the candidate is worse, in any compared metric or in this one, and not where there are too few units to say',
  parseFailure,
);
const until = optionalOption(
  'until',
  'WHEN',
  'decided: wait until the evaluation of both, which draws its units, has told them apart',
  makeOneOfParser(['decided'] as const),
);
const reportOptions = [markdownOption, junitOption];

const gate: Command = {
  verb: 'gate',
  about: 'Decide whether a candidate is as good as a baseline: for scripts that stop a change',
  more: [
    'Both evaluations need the same benchmark and protocol; they may be the same, with two agents, and of different days.',
    'Exit codes: 0 not worse by --min-effect or more; 4 worse, or below --min; 5 too few units to say, unless --fail-if says what fails; 6 an evaluation continues.',
  ].join('\n'),
  operands: [],
  options: [
    baseline,
    candidate,
    baselineAgent,
    candidateAgent,
    minEffect,
    metrics,
    failIf,
    least,
    until,
    ...reportOptions,
  ],
  async run(given, { client, output }) {
    await requireWritableReportFiles(given, reportOptions);
    if (given.parseOptionValue(until) !== undefined)
      await waitUntilDecided(client, given, output.outSinkOrNotesInJsonMode);
    const first = await findAgentOfCompletedEvaluation(
      client,
      given.parseOptionValue(baseline),
      given.parseOptionValue(baselineAgent),
    );
    const second = await findAgentOfCompletedEvaluation(
      client,
      given.parseOptionValue(candidate),
      given.parseOptionValue(candidateAgent),
    );
    throwIfEvaluationsIncomparable(first.record, second.record);
    const compared = [
      await readUnitResultsOfAgent(client, first),
      await readUnitResultsOfAgent(client, second),
    ] as const;
    const decided = decideGateOverMetrics(first, second, compared, given);
    await writeReportFiles(given, [
      [markdownOption, () => gateMarkdown(decided)],
      [junitOption, () => gateJunitXml(decided)],
    ]);
    output.writeAsJsonOrLines(decided, () => gateLines(decided, output.lineWidth));
    const failing = decided.metrics.filter((metric) => failsGate(metric, decided.failIf));
    if (failing.some(({ verdict }) => verdict === 'worse') || !decided.required.every(meetsRequiredMean))
      throw new GateError('worse', gateSentence(decided));
    if (failing.length > 0) throw new GateError('insufficient', gateSentence(decided));
  },
};

/** Shows the evaluation of both agents until it is over. */
async function waitUntilDecided(client: Client, given: Given, sink: Sink): Promise<void> {
  const [id, other] = [given.parseOptionValue(baseline), given.parseOptionValue(candidate)];
  if (id !== other) throw new UsageError('--until decided compares two agents of one evaluation: name it twice');
  const record = await client.evaluations.get(id);
  if (record.config.stop === undefined)
    throw new UsageError(`${id} takes all of its units; start one with evaluate --until decided`);
  if (!isOver(record.status)) await showEvaluationUntilEnd(client, record, sink);
}

/** One agent of an evaluation that has ended. */
interface Side {
  readonly record: EvaluationRecord;
  readonly agent: string;
}

async function findAgentOfCompletedEvaluation(client: Client, id: string, named: string | undefined): Promise<Side> {
  const record = await client.evaluations.get(id);
  const names = record.agents.map(({ name }) => name);
  const agent = named ?? (names.length === 1 ? names[0] : undefined);
  if (agent === undefined || !names.includes(agent))
    throw new UsageError(`${id} has the agents ${names.join(', ')}; name one of them`);
  if (!isOver(record.status))
    throw new GateError(
      'running',
      `${id} is ${record.status}: ${record.progress.unitsDone} of ${record.progress.units} units are done`,
    );
  if (record.status !== 'completed')
    throw new GateError(
      'insufficient',
      `${id} is ${record.status}, so its results are not those of the whole benchmark`,
    );
  return { record, agent };
}

const readUnitResultsOfAgent = async (client: Client, { record, agent }: Side): Promise<UnitResult[]> =>
  (await Array.fromAsync(client.evaluations.unitResults(record.id))).filter((each) => each.agent === agent);

function throwIfEvaluationsIncomparable(first: EvaluationRecord, second: EvaluationRecord): void {
  if (first.config.benchmark !== second.config.benchmark)
    throw new UsageError(`${first.id} and ${second.id} are of different benchmarks, so their units cannot be compared`);
  if (first.protocol !== second.protocol)
    throw new UsageError(
      `${first.id} and ${second.id} have different protocols: ${first.protocol} and ${second.protocol}`,
    );
  const [before, after] = [first, second].map(({ config: { user = 'decline' } }) => user);
  if (before !== after)
    throw new UsageError(
      `${first.id} and ${second.id} differ in what servers got when they asked their user: ${before} and ${after}`,
    );
}

function decideGateOverMetrics(
  first: Side,
  second: Side,
  [before, after]: readonly [readonly UnitResult[], readonly UnitResult[]],
  given: Given,
): Gate {
  const { protocol, config } = second.record;
  const known = new Set<string>(scorersOfProtocol(protocol).map(({ key }) => key));
  const failures = given.parseOptionValue(failIf);
  const chosen = new Set([...given.parseOptionValue(metrics), ...failures.filter((named) => named !== 'any')]);
  const compared = chosen.size === 0 ? [getProtocol(protocol).headline] : [...chosen];
  const required = given.parseOptionValue(least);
  for (const key of [...compared, ...required.map(([each]) => each)])
    if (!known.has(key))
      throw new UsageError(`the protocol ${protocol} has no metric ${key}; it has ${[...known].join(', ')}`);
  const options = { minEffect: given.parseOptionValue(minEffect), seed: config.seed };
  const gated = compared.map(
    (key) =>
      gateOfDrawnUnits(key, first, second, options.minEffect) ?? compareMetricForGate(key, before, after, options),
  );
  return {
    baseline: agentDisplayName(first, second),
    candidate: agentDisplayName(second, first),
    minEffect: options.minEffect,
    verdict: worstGateVerdict(gated),
    failIf: failures,
    metrics: gated,
    ruleAgents: [...new Set([first, second].filter(isRuleAgentOfSide).map(({ agent }) => agent))],
    required: required.map(([scorer, atLeast]) => ({ scorer, least: atLeast, mean: meanScore(after, scorer) })),
  };
}

const isRuleAgentOfSide = ({ agent, record }: Side): boolean => record.ruleAgents?.includes(agent) === true;

/** Returns what units that were drawn say of two agents of one evaluation; null where all units were taken. Refuses what they do not tell. */
function gateOfDrawnUnits(scorer: ScorerKey, first: Side, second: Side, effect: number): GatedMetric | null {
  const drawn = [first, second].find(({ record }) => record.decision !== null);
  if (drawn === undefined) return null;
  const { id, decision, protocol } = drawn.record;
  const { headline } = getProtocol(protocol);
  if (first.record.id !== second.record.id || scorer !== headline)
    throw new UsageError(
      `the units of ${id} were drawn until its agents were told apart by ${headline}: only these can be compared, and only by that`,
    );
  const metric =
    decision && gateMetricOfDecision({ scorer, decision, baseline: first.agent, candidate: second.agent }, effect);
  if (metric === null) throw new UsageError(`${id} compares no null agents: name two others`);
  return metric;
}

/** Names an agent, and its evaluation where both agents have one name. */
const agentDisplayName = ({ agent, record }: Side, other: Side): string =>
  agent === other.agent ? `${agent} of ${record.id}` : agent;

/** The verb that stops a change. */
export const gateCommands: readonly Command[] = [gate];
