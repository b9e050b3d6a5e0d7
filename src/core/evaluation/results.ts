import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { executionCompletionGap, gapSpread } from '#core/metrics/ecg.ts';
import { failurePatternOf, failurePatterns, type FailurePattern } from '#core/metrics/failure-patterns.ts';
import { metamorphicConsistency } from '#core/metrics/mtc.ts';
import { overTrials, perUnit } from '#core/metrics/per-unit.ts';
import { unscored, type Score } from '#core/metrics/score.ts';
import { randomFor } from '#core/random.ts';
import { comparePaired } from '#core/statistics/paired.ts';
import { summarise } from '#core/statistics/summary.ts';
import { addUsage, noUsage } from '#core/units/unit.ts';
import { restored, type AttemptRecord, type EvaluationCase } from './case.ts';
import type { AgentResult, Comparison } from './record.ts';

const metrics = ['tcs', 'mtc', 'tfd', 'ar', 'uic', 'ecg', 'pass'] as const;
type Metric = (typeof metrics)[number];

/** What results rest on: the units of the evaluation, their tools, and the cases that are done. */
export interface ResultsBasis {
  readonly units: readonly Pick<BenchmarkUnit, 'id' | 'chain'>[];
  readonly tools: readonly Pick<Tool, 'name' | 'server' | 'domain' | 'category'>[];
  readonly cases: readonly EvaluationCase[];
  readonly seed: number;
}

/** One agent's means over units with their intervals, its failures and its cost. */
export function resultOf(agent: string, basis: ResultsBasis): AgentResult {
  const own = basis.cases.filter((each) => each.agent === agent && each.stage.kind === 'done');
  const values = valuesByUnit(own, basis);
  const sum = (metric: Metric) =>
    summarise([...values[metric].values()], randomFor(basis.seed, 'bootstrap', agent, metric));
  const attempts = own.flatMap(attemptsOf);
  const spent = attempts.map(({ usage }) => usage).reduce(addUsage, noUsage);
  return {
    name: agent,
    units: values.tcs.size,
    tcs: sum('tcs'),
    mtc: sum('mtc'),
    tfd: sum('tfd'),
    ar: sum('ar'),
    uic: sum('uic'),
    ecg: { ...sum('ecg'), ...gapSpread([...values.ecg.values()]) },
    pass: sum('pass'),
    patterns: patternsOf(own, basis),
    attempts: attempts.length,
    notEvaluated: attempts.filter(({ evaluated }) => !evaluated).length,
    costUsd: spent.costUsd,
    tokens: spent.promptTokens + spent.completionTokens,
  };
}

/** Two agents compared on the units that both are scored on, metric by metric. */
export function compareAgents(a: string, b: string, basis: ResultsBasis): Comparison {
  const of = (agent: string) =>
    valuesByUnit(
      basis.cases.filter((each) => each.agent === agent && each.stage.kind === 'done'),
      basis,
    );
  const [first, second] = [of(a), of(b)];
  const compare = (metric: Metric, lowerIsBetter = false) =>
    comparePaired(first[metric], second[metric], randomFor(basis.seed, 'compare', a, b, metric), { lowerIsBetter });
  return {
    a,
    b,
    tcs: compare('tcs'),
    mtc: compare('mtc'),
    tfd: compare('tfd', true),
    ar: compare('ar'),
    uic: compare('uic'),
  };
}

/** Every metric by unit, over the trials of the unit that are done; null where none of them is scored. */
function valuesByUnit(
  cases: readonly EvaluationCase[],
  basis: ResultsBasis,
): Record<Metric, Map<string, number | null>> {
  const categories = new Map(basis.tools.map(({ name, category }) => [name, category]));
  const byUnit = Map.groupBy(cases, ({ unit }) => unit);
  const trials = new Map([...byUnit].map(([unit, own]) => [unit, own.map((each) => scoresOf(each, categories))]));
  const values = (metric: Metric) =>
    new Map([...trials].map(([unit, scores]) => [unit, overTrials(scores.map((each) => each[metric].value))]));
  return {
    tcs: values('tcs'),
    mtc: values('mtc'),
    tfd: values('tfd'),
    ar: values('ar'),
    uic: values('uic'),
    ecg: values('ecg'),
    pass: values('pass'),
  };
}

/** The metrics of one case. */
function scoresOf({ attempts }: EvaluationCase, categories: ReadonlyMap<string, string>): Record<Metric, Score> {
  const { source, followUp } = attempts;
  if (source === null || followUp === null || !source.evaluated || !followUp.evaluated) {
    const none = unscored('not-evaluated', null);
    return { tcs: none, mtc: none, tfd: none, ar: none, uic: none, ecg: none, pass: none };
  }
  const both = (metric: keyof AttemptRecord['scores']): Score =>
    perUnit(restored(source.scores[metric]), restored(followUp.scores[metric]));
  const mtc = metamorphicConsistency(toolsOf(source), toolsOf(followUp), categories);
  const [tcs, ar, uic] = [both('tcs'), both('ar'), both('uic')];
  return {
    tcs,
    mtc,
    tfd: both('tfd'),
    ar,
    uic,
    ecg: executionCompletionGap({ tcs, mtc, ar, uic }),
    pass: both('pass'),
  };
}

function patternsOf(cases: readonly EvaluationCase[], basis: ResultsBasis): Record<FailurePattern, number> {
  const traits = new Map(basis.tools.map((tool) => [tool.name, tool]));
  const chains = new Map(basis.units.map(({ id, chain }) => [id, chain]));
  const found = cases.flatMap(({ unit, attempts: { source, followUp } }) => {
    if (source === null || followUp === null || !source.evaluated || !followUp.evaluated) return [];
    return failurePatternOf(chains.get(unit) ?? [], toolsOf(source), toolsOf(followUp), traits).pattern ?? [];
  });
  const count = (pattern: FailurePattern): number => found.filter((each) => each === pattern).length;
  const [incomplete, noise, unstable] = failurePatterns;
  return { [incomplete]: count(incomplete), [noise]: count(noise), [unstable]: count(unstable) };
}

const attemptsOf = ({ attempts }: EvaluationCase): AttemptRecord[] =>
  [attempts.source, attempts.followUp].filter((attempt) => attempt !== null);

const toolsOf = ({ calls }: AttemptRecord): string[] => calls.map(({ tool }) => tool);
