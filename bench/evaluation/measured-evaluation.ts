import { success } from '#core/scoring/success.ts';
import type { Client } from '../../client/client.ts';
import { roundToHundredths } from '../shared/rounded.ts';

/** An evaluation to be measured. */
export interface EvaluationToMeasure {
  readonly benchmark: string;
  /** The endpoint of agent, judge and embedder. */
  readonly models: string;
  readonly concurrency: number;
  readonly judges: boolean;
  /** HTTP requests sent by the Worker so far. */
  readonly requests: () => number;
}

/** The measured cost of an evaluation. */
export interface MeasuredEvaluation {
  readonly attempts: number;
  /** From the request for it until its end was seen. */
  readonly wallMs: number;
  readonly perAttempt: AttemptCost;
}

/** Rows written, steps of workflows, requests that left the Worker: means over the attempts. */
export interface AttemptCost {
  readonly rows: number;
  readonly steps: number;
  readonly subrequests: number;
}

/** Lets one agent work on all units of a benchmark, checks that nothing went wrong, and returns the cost. */
export async function evaluateAndMeasureCost(
  client: Client,
  { benchmark, models, concurrency, judges, requests }: EvaluationToMeasure,
): Promise<MeasuredEvaluation> {
  const model = { baseUrl: models, model: 'stub' };
  const before = requests();
  const begunMs = performance.now();
  const { id } = await client.evaluations.create({
    benchmark,
    agents: [{ name: 'stub', model: 'stub', endpoint: { baseUrl: models } }],
    judge: model,
    embedder: model,
    // One server, so that the size of requests to the model is the same for all units.
    mounting: { kind: 'oracle' },
    concurrency,
    judges,
  });
  for await (const { event } of client.evaluations.events(id)) if (event.type === 'run.ended') break;
  const wallMs = performance.now() - begunMs;
  const { status, reason, progress, rowsWritten, steps } = await client.evaluations.get(id);
  const { attempts, made, notEvaluated, relaunched } = progress;
  if (status !== 'completed' || made !== attempts || notEvaluated + relaunched > 0) {
    throw new Error(`not every attempt was made once: ${JSON.stringify({ status, reason, progress })}`);
  }
  const [agent] = (await client.evaluations.results(id)).agents;
  if (agent?.scores[success.key].mean !== (judges ? 1 : null)) {
    throw new Error(`not every attempt went as it was meant to: ${JSON.stringify(agent)}`);
  }
  const perAttempt = (total: number): number => roundToHundredths(total / attempts);
  return {
    attempts,
    wallMs,
    perAttempt: {
      rows: perAttempt(rowsWritten),
      steps: perAttempt(steps),
      subrequests: perAttempt(requests() - before),
    },
  };
}
