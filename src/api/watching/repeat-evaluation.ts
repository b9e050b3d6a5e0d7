import { gatherEvaluationBasisOrRefuse } from '#core/evaluation/gather-basis.ts';
import { problemOfEvaluationRefusal } from '#core/evaluation/problems.ts';
import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import type { AgentsSeen } from '#core/reports/watch/count-agents.ts';
import { isOver } from '#core/exploration/runs.ts';
import { mapErr } from '#core/values/result.ts';
import type { BegunRepetition } from '#core/reports/watch/work.ts';
import type { Services } from '../context.ts';
import { createOwnEvaluation } from '../create-own-evaluation.ts';
import { newId } from '../ids.ts';
import { Refusal, unwrap } from '../problem.ts';
import { listUnitsThatWordingsWereWrittenFrom } from '#core/evaluation/overlay/written-from.ts';

/** Starts the repetition of an evaluation that a watch has due, or counts the one that has ended. */
export async function repeatEvaluation(services: Services, id: string): Promise<void> {
  const watch = services.object('watch', id);
  const begun = await watch.beginRepetition(newId('evl', new Date()), Date.now());
  if (begun === null) return;
  const run = await services.object('evaluation', begun.run).get();
  if (run.ok && !isOver(run.value.status)) return;
  try {
    if (!run.ok) return await start(services, begun);
    const { status, reason } = run.value;
    const came =
      status === 'completed'
        ? await readOutcome(services, begun.run)
        : `${begun.run} is ${status}${reason === null ? '' : `: ${reason}`}`;
    await watch.finishRepetition(id, begun.run, came, Date.now());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, detail } = error.problem;
    await watch.finishRepetition(id, begun.run, detail ?? code, Date.now());
  }
}

/** Makes the evaluation: the same agents, units and limits, with another seed. */
async function start(services: Services, { run, of, workspace, server }: BegunRepetition): Promise<void> {
  const owner = services.object('workspace', workspace);
  const {
    config: whole,
    agents,
    protocol,
    ...models
  } = unwrap(await services.object('evaluation', of).rejudging.describeToRepeat());
  const found = await owner.findResource('benchmark', whole.benchmark);
  const benchmark = services.object('benchmark', found?.object ?? whole.benchmark);
  const seen = listUnitsThatWordingsWereWrittenFrom(agents);
  const config = { ...whole, name: `watch of ${server}`, seed: Date.now() % 2 ** 31 };
  const { servers, ...basis } = unwrap(
    mapErr(
      await gatherEvaluationBasisOrRefuse(benchmark, owner, { ...config, protocol }, { count: agents.length, seen }),
      problemOfEvaluationRefusal,
    ),
  );
  const at = new Date().toISOString();
  await createOwnEvaluation(
    services,
    { ...models, id: run, workspace, config, agents, servers, floorOf: null, at },
    basis,
  );
}

/** Returns how many units were scored, and how much agents came to at them together, by the headline of the protocol. */
async function readOutcome(services: Services, run: string): Promise<Omit<AgentsSeen, 'at'> | string> {
  const object = services.object('evaluation', run);
  const { protocol } = unwrap(await object.get());
  const { agents } = unwrap(await object.results.read());
  const { headline } = getProtocol(protocol);
  const scores = agents.map(({ scores: by }) => by[headline]);
  const attempts = scores.reduce((sum, each) => sum + (each?.n ?? 0), 0);
  const worth = scores.reduce((sum, each) => sum + (each?.n ?? 0) * (each?.mean ?? 0), 0);
  return attempts === 0 ? `${run} has no score` : { attempts, successes: Math.round(worth) };
}
