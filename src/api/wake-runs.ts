import type { WakeKind } from '#core/runs.ts';
import type { Services } from './context.ts';

/** Wakes everything that has not ended, whatever kind it is; returns how much it woke. */
export async function wakeRuns(services: Services, force: boolean): Promise<number> {
  const runs = await services.directory.openRuns();
  const woken = await Promise.allSettled(runs.map(({ id, kind }) => wake(services, id, kind, force)));
  // One that cannot be woken must not keep the others asleep.
  for (const [place, { status, ...rest }] of woken.entries()) {
    if (status === 'rejected')
      console.error(JSON.stringify({ run: runs[place]?.id, notWoken: String(Object.values(rest)) }));
  }
  return woken.filter(({ status }) => status === 'fulfilled').length;
}

/** What belongs to an exploration has its id before the first slash. */
async function wake(
  { exploration, evaluation, submission }: Services,
  id: string,
  kind: WakeKind,
  force: boolean,
): Promise<void> {
  const [run = id, , number] = id.split('/');
  switch (kind) {
    case 'exploration':
      return exploration(id).wake(force);
    case 'evaluation':
      return evaluation(id).wake(force);
    case 'submission':
      return submission(id).wake(force);
    case 'evolution':
      return exploration(run).wakeEvolution(Number(number), force);
    case 'reviewed-units':
      return exploration(run).wakeReviews(force);
  }
}
