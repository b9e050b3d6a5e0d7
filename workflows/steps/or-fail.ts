import type { WorkflowStep } from 'cloudflare:workers';
import { brief } from './retries.ts';

/** Does an instance's work; what it cannot do ends the run, which is told by a step of its own. */
export async function orFail(
  work: () => Promise<void>,
  step: WorkflowStep,
  fail: (reason: string) => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await step.do('fail', brief, async () => fail(reason));
  }
}
