import type { WorkflowStep } from 'cloudflare:workers';
import { reviewEvent } from '#core/units/review.ts';
import type { DrivenRun } from '../driven-run.ts';
import { brief, long } from './retries.ts';
import type { StepServices } from './services.ts';
import { driveUnit } from './unit.ts';

/**
 * Waits for the decision on a unit of a round, as long as its run allows, and drives the unit on. What was decided is in the run:
 * the event says only that it is time to look, and may come before the wait begins, or never.
 */
export async function awaitReview(
  services: StepServices,
  run: DrivenRun,
  driver: number,
  step: WorkflowStep,
  name: string,
  unit: string,
): Promise<void> {
  const first = await step.do(`${name}: review`, brief, async () => run.openReview(driver, unit));
  if (first.kind === 'stop') return;
  if (first.kind === 'wait') {
    const timeout = Math.max(first.ms, shortestWaitMs);
    await step
      .waitForEvent(`${name}: decision`, { type: reviewEvent(unit), timeout })
      // A timeout is an answer too: the run looks at its own clock.
      .catch(() => null);
    await step.do(`${name}: review over`, brief, async () => run.openReview(driver, unit));
  }
  await step.do(`${name}: after review`, long, async () => driveUnit(services, run, driver, unit));
}

const shortestWaitMs = 1_000;
