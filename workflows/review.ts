import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import type { ExplorationRun } from '#durable-objects/exploration-run.ts';
import type { DrivenUnits, ReviewedRun } from './driven-run.ts';
import { tellApart } from './steps/compare.ts';
import { brief, long } from './steps/retries.ts';
import { stepServices, type StepEnv } from './steps/services.ts';
import { driveUnit } from './steps/unit.ts';

interface Env extends StepEnv {
  readonly EXPLORATION_RUN: DurableObjectNamespace<ExplorationRun>;
}

interface Params {
  readonly run: string;
  readonly unit: string;
  readonly driver: number;
}

/**
 * Carries out a reviewer's decision on one unit, whether its run goes on or is over: audits an edit, compares a variant, executes
 * what was approved, and has the run count it.
 */
export class ReviewWorkflow extends WorkflowEntrypoint<Env, Params> {
  override async run(event: Readonly<WorkflowEvent<Params>>, step: WorkflowStep): Promise<void> {
    const { run: id, unit, driver } = event.payload;
    const run: ReviewedRun = this.env.EXPLORATION_RUN.getByName(id);
    const services = stepServices(this.env, id, run);
    const units: DrivenUnits = {
      openUnit: (by, reviewed) => run.openReviewed(by, reviewed),
      commitStage: (by, reviewed, revision, result) => run.commitReviewed(by, reviewed, revision, result),
    };
    await step.do('drive', long, async () => driveUnit(services, units, driver, unit));
    await step.do('compare', long, async () => {
      await tellApart(
        services,
        () => run.openReviewedDistinct(driver, unit),
        (names, compared) => run.commitReviewedDistinct(names, compared),
      );
    });
    await step.do('execute', long, async () => driveUnit(services, units, driver, unit));
    await step.do('settle', brief, async () => run.settleReviewed(driver, unit));
  }
}
