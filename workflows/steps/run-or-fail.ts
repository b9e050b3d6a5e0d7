import type { WorkflowStep } from 'cloudflare:workers';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { brief } from './retries.ts';

/**
 * Performs an instance's work. A defect of ours ends the run, which a separate step records. An error of the platform
 * is rethrown: the run stays as it was and gets another driver.
 */
export async function runOrFailOnDefect(
  work: () => Promise<void>,
  step: WorkflowStep,
  fail: (reason: string) => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = defectTextOrRethrow(error);
    await step.do('fail', brief, async () => fail(reason));
  }
}

/**
 * Performs a step that may fail after all retries. A defect of ours then sets aside what the step was for; an error of
 * the platform is rethrown.
 */
export async function runOrSetAsideOnDefect<T>(
  work: () => Promise<T>,
  setAside: (reason: string) => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return setAside(defectTextOrRethrow(error));
  }
}

function defectTextOrRethrow(error: unknown): string {
  if (findPlatformError(error) !== undefined) throw error;
  return error instanceof Error ? error.message : String(error);
}
