import type { OpenRun, WakeKind } from '#core/exploration/runs.ts';
import type { Services } from './context.ts';

/** Number of parallel calls of objects. */
const runsPerPage = 500;

/** Wakes all runs that have been silent for too long, page by page. */
export async function wakeSilentRuns(services: Services): Promise<void> {
  for (let after = ''; ;) {
    const runs = await services.directory.listRunsNeedingDriver(after, runsPerPage);
    const last = runs.at(-1);
    if (last === undefined) return;
    await wakeRunsAndCount(services, runs, false);
    after = last.id;
  }
}

/** Wakes runs of any kind; returns how many it woke. */
export async function wakeRunsAndCount(services: Services, runs: readonly OpenRun[], force: boolean): Promise<number> {
  const woken = await Promise.allSettled(runs.map(({ id, kind }) => wakeRun(services, id, kind, force)));
  // A run that cannot be woken must not keep the others from it.
  for (const [index, { status, ...rest }] of woken.entries()) {
    if (status === 'rejected')
      console.error(JSON.stringify({ run: runs[index]?.id, notWoken: String(Object.values(rest)) }));
  }
  return woken.filter(({ status }) => status === 'fulfilled').length;
}

/** The exploration of an evolution is the part of its id before the first slash. */
async function wakeRun(services: Services, id: string, kind: WakeKind, force: boolean): Promise<void> {
  const [run = id, , number] = id.split('/');
  switch (kind) {
    case 'exploration':
    case 'evaluation':
    case 'submission':
      return services.object(kind, id).wake(force);
    case 'evolution':
      return services.object('exploration', run).evolutions.wake(Number(number), force);
    case 'reviewed-units':
      return services.object('exploration', run).reviews.wake(force);
  }
}
