import type { BenchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { ranked } from '#core/evaluation/figures.ts';
import type { AgentResult, EvaluationRecord, EvaluationResults } from '#core/evaluation/record.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { counted, duration, plain } from '../command-line/text.ts';
import { CommandError } from '../command-line/usage-error.ts';
import { followEvaluation } from '../follow.ts';
import { resultLines } from '../results-table.ts';

const sampledUnits = 60;

/** Agents whose skill is dialled, so that the order in which they should come out is known beforehand. */
const dialledAgents = ['steady', 'hasty', 'forgetful'].map((name) => ({ name, model: `offline-${name}` }));

/** What an evaluation came to, as the API tells it; or why there was none. */
export type Evaluated =
  | { readonly made: true; readonly run: EvaluationRecord; readonly results: EvaluationResults }
  | { readonly made: false; readonly why: string };

export interface EvaluateOptions {
  /** Whether rules stand in for models. */
  readonly offline: boolean;
  readonly seed: number;
  /** Where progress is shown. */
  readonly progress: Sink;
}

/** Evaluates the offline agents on a sample of a benchmark's public units. */
export async function evaluateDialled(
  client: Client,
  benchmark: Pick<BenchmarkRecord, 'id' | 'publicUnits'>,
  { offline, seed, progress }: EvaluateOptions,
): Promise<Evaluated> {
  if (!offline) return { made: false, why: 'a real model is set up, and the demo evaluates the offline agents only' };
  if (benchmark.publicUnits === 0) return { made: false, why: 'the benchmark has no public units' };
  const started = await client.evaluations.create({
    benchmark: benchmark.id,
    name: 'demo',
    agents: dialledAgents,
    split: 'public',
    sample: { units: sampledUnits, seed },
    seed,
  });
  progress.write(`evaluation ${started.id}: ${counted(dialledAgents.length, 'agent')} on ${benchmark.id}\n`);
  const run = await followEvaluation(client, started, progress);
  if (run.status !== 'completed') throw new CommandError(`the evaluation is ${run.status}: ${plain(run.reason ?? '')}`);
  return { made: true, run, results: await client.evaluations.results(run.id) };
}

/** What the evaluation came to, for a program; the best TCS first. */
export const agentsOf = (evaluated: Evaluated) =>
  evaluated.made
    ? ranked(evaluated.results).map(({ name, units, tcs, mtc, tfd, ar, uic, ecg, costUsd, tokens }) => ({
        name,
        units,
        tcs: summaryOf(tcs),
        mtc: summaryOf(mtc),
        tfd: summaryOf(tfd),
        ar: summaryOf(ar),
        uic: summaryOf(uic),
        ecg: summaryOf(ecg),
        costUsd,
        tokens,
      }))
    : [];

const summaryOf = ({ mean, low, high, n, unscored }: AgentResult['tcs']) => ({ mean, low, high, n, unscored });

/** How long the evaluation took; 0 where there was none. */
export const evaluationMs = (evaluated: Evaluated): number =>
  evaluated.made && evaluated.run.endedAt !== null
    ? Date.parse(evaluated.run.endedAt) - Date.parse(evaluated.run.createdAt)
    : 0;

/** What the evaluation came to, for a person. */
export function evaluationLines(evaluated: Evaluated, width: number): string[] {
  if (!evaluated.made) return [`Nothing was evaluated: ${evaluated.why}.`];
  const { run, results } = evaluated;
  const { units, relaunched } = run.progress;
  return [
    `Agents on ${counted(units, 'public unit')} of the benchmark, in ${duration(evaluationMs(evaluated))}${relaunched === 0 ? '' : `, ${counted(relaunched, 'attempt')} relaunched`}:`,
    '',
    ...resultLines(results, width),
    "The agents' skill is dialled: their order calibrates the instrument and is no evidence about models.",
  ];
}
