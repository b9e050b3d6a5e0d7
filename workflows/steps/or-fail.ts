import type { WorkflowStep } from 'cloudflare:workers';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { brief } from './retries.ts';

/**
 * Does an instance's work. A defect of ours ends the run, which a step of its own records. What the platform stopped is thrown on:
 * the run is as good as before, and gets another driver.
 */
export async function orFail(
  work: () => Promise<void>,
  step: WorkflowStep,
  fail: (reason: string) => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = reasonOfDefect(error);
    await step.do('fail', brief, async () => fail(reason));
  }
}

/** Does a step that may fail after all its tries. Then a defect of ours sets aside what it was for; what the platform stopped is thrown on. */
export async function orSetAside<T>(work: () => Promise<T>, setAside: (reason: string) => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return setAside(reasonOfDefect(error));
  }
}

function reasonOfDefect(error: unknown): string {
  if (findPlatformError(error) !== undefined) throw error;
  return error instanceof Error ? error.message : String(error);
}
