import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { AttemptRecord, EvaluationCase } from './case.ts';

/** What results rest on: the units of the evaluation, their tools, and its cases. */
export interface ResultsBasis {
  readonly units: readonly Pick<BenchmarkUnit, 'id' | 'chain'>[];
  readonly tools: readonly Pick<Tool, 'name' | 'server' | 'domain' | 'category'>[];
  readonly cases: readonly EvaluationCase[];
  /** Trials that each unit gets. */
  readonly trials: number;
  readonly seed: number;
}

/** An agent's cases that are done: the only ones that results are made of. */
export const doneCasesOf = (agent: string, { cases }: Pick<ResultsBasis, 'cases'>): EvaluationCase[] =>
  cases.filter((each) => each.agent === agent && each.stage.kind === 'done');

/** Cases by unit, in the order of ids: the order in which results came in must not change a resampling. */
export const casesByUnit = (cases: readonly EvaluationCase[]): Map<string, EvaluationCase[]> =>
  new Map([...Map.groupBy(cases, ({ unit }) => unit)].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The attempts of a case that were made. */
export const attemptsOf = ({ attempts }: EvaluationCase): AttemptRecord[] =>
  [attempts.source, attempts.followUp].filter((attempt) => attempt !== null);

/** Both attempts, or null where one was not made or an infrastructure fault broke it: then they cannot be compared. */
export const bothAttempts = ({
  attempts: { source, followUp },
}: EvaluationCase): { readonly source: AttemptRecord; readonly followUp: AttemptRecord } | null =>
  source?.evaluated === true && followUp?.evaluated === true ? { source, followUp } : null;

/** The tools of all calls, in the order in which the agent issued them. */
export const toolsOf = ({ calls }: AttemptRecord): string[] => calls.map(({ tool }) => tool);
