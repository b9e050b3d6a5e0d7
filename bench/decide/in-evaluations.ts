import type { StopRule } from '#core/evaluation/decision.ts';
import { createClient } from '../../client/client.ts';
import { showEvaluationUntilEnd } from '../../client/progress/follow.ts';
import type { BenchOptions } from '../shared/options.ts';
import { measureOnTemporaryWorker } from '../shared/with-worker.ts';
import { startStubServers } from '../stubs/stub-mcp-server.ts';
import { fleet, registerStubsAndMakeBeginner, startPlantedModels } from '../wording/measure-in-evaluations.ts';

/** An evaluation by the Worker of two agents, the second of which succeeds more often by the planted effect. */
export interface EvaluatedPair {
  readonly effect: number;
  readonly verdict: string;
  readonly units: number;
  readonly of: number;
  /** Made attempts, as a share of those planned. */
  readonly attemptsToAll: number;
}

/** Lets the Worker decide between two planted agents, so many times with each effect, over HTTP. */
export async function decideInEvaluations(
  options: BenchOptions,
  { units, runs, effects, stop }: { units: number; runs: number; effects: readonly number[]; stop: StopRule },
  say: (line: string) => void,
): Promise<EvaluatedPair[]> {
  const stubs = await startStubServers(fleet);
  const models = await startPlantedModels();
  try {
    return await measureOnTemporaryWorker(options, async (worker) => {
      const client = createClient(worker);
      const begin = await registerStubsAndMakeBeginner(client, stubs, models, units);
      const decided: EvaluatedPair[] = [];
      for (const effect of effects)
        for (let run = 1; run <= runs; run += 1) {
          const begun = await begin({ effect, run, concurrency: 8, agents: 'models' }, { stop });
          const { status, reason, decision, progress } = await showEvaluationUntilEnd(client, begun, silent);
          if (status !== 'completed' || decision === null)
            throw new Error(`the evaluation is ${status}: ${reason ?? ''}`);
          say(`effect ${effect}, run ${run}: ${reason ?? ''}`);
          decided.push({
            effect,
            verdict: decision.pairs[0]?.verdict ?? 'undecided',
            units: decision.units,
            of: decision.of,
            attemptsToAll: progress.made / progress.attempts,
          });
        }
      return decided;
    });
  } finally {
    await Promise.all([stubs.close(), models.close()]);
  }
}

const silent = { columns: 80, write: () => undefined };
