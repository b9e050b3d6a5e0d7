import type { Services } from './context.ts';

/** Wakes every run that has not ended, whatever kind it is; returns how many it woke. */
export async function wakeRuns({ directory, exploration, evaluation }: Services, force: boolean): Promise<number> {
  const runs = await directory.openRuns();
  const woken = await Promise.allSettled(
    runs.map(({ id, kind }) => (kind === 'exploration' ? exploration(id).wake(force) : evaluation(id).wake(force))),
  );
  // One that cannot be woken must not keep the others asleep.
  for (const [place, { status, ...rest }] of woken.entries()) {
    if (status === 'rejected')
      console.error(JSON.stringify({ run: runs[place]?.id, notWoken: String(Object.values(rest)) }));
  }
  return woken.filter(({ status }) => status === 'fulfilled').length;
}
