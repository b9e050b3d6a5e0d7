import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const withCode = z.object({ code: z.string() });

/** How long processes may take to end after they were asked to. */
const graceMs = 1_000;
const lookMs = 20;

/** Groups that must not outlive this process. */
const ours = new Set<number>();
process.on('exit', () => {
  for (const group of ours) trySignalGroup(group, 'SIGKILL');
});

/** Lets a group end with this process, unless it is ended before. */
export const addToGroupsKilledAtExit = (group: number): void => void ours.add(group);

/** Ends every process of a group: asks first, and then kills. */
export async function endProcessGroup(group: number): Promise<void> {
  await terminateThenKill(group);
  ours.delete(group);
}

async function terminateThenKill(group: number): Promise<void> {
  if (!trySignalGroup(group, 'SIGTERM')) return;
  for (let waited = 0; waited < graceMs; waited += lookMs) {
    await sleep(lookMs);
    if (!trySignalGroup(group, 0)) return;
  }
  trySignalGroup(group, 'SIGKILL');
}

/** Returns whether any process received the signal. */
function trySignalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (withCode.safeParse(error).data?.code === 'ESRCH') return false;
    throw error;
  }
}
