import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const withCode = z.object({ code: z.string() });

/** How long processes have to leave once they were asked to. */
const graceMs = 1_000;
const lookMs = 20;

/** Ends every process of a group: asks first, and does not ask a second time. */
export async function endGroup(group: number): Promise<void> {
  if (!signalled(group, 'SIGTERM')) return;
  for (let waited = 0; waited < graceMs; waited += lookMs) {
    await sleep(lookMs);
    if (!signalled(group, 0)) return;
  }
  signalled(group, 'SIGKILL');
}

/** Whether there was anybody left to get the signal. */
function signalled(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (withCode.safeParse(error).data?.code === 'ESRCH') return false;
    throw error;
  }
}
