import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { Admission } from '#adapters/network/admission.ts';
import type { ExplorationRun } from '#durable-objects/exploration/exploration-run.ts';
import { makeRetryingObjectCaller, type Caller } from './caller.ts';
import type { DrivenUnits, ReviewedRun } from './called-objects.ts';
import { deleteEndedInstanceIfWanted } from './steps/delete-ended-instance.ts';
import { compareUnitsAndCommit } from './steps/compare-units.ts';
import { runOrSetAsideOnDefect } from './steps/run-or-fail.ts';
import { brief, long } from './steps/retries.ts';
import { makeStepServices, type StepEnv } from './steps/services.ts';
import { stepNameOfTry, sleepUntilEndpointTakesRequests } from './steps/sleep-through-rest.ts';
import { driveUnitWithinRequests } from './steps/drive-unit.ts';

interface Env extends StepEnv {
  readonly EXPLORATION_RUN: DurableObjectNamespace<ExplorationRun>;
  readonly REVIEW_WORKFLOW: Pick<Workflow, 'deleteBatch'>;
}

interface Params {
  readonly run: string;
  readonly unit: string;
  readonly driver: number;
}

/** An instance for a decision drives one unit, which takes few requests. */
const unbounded = { isUsedUp: false, total: 0 };

/**
 * Carries out a reviewer's decision on one unit, even if its run is over: audits an edit, compares a variant, executes
 * an approved unit, and has the run count it. A unit that cannot be driven is set aside.
 */
export class ReviewWorkflow extends WorkflowEntrypoint<Env, Params> {
  override async run(event: Readonly<WorkflowEvent<Params>>, step: WorkflowStep): Promise<void> {
    const { run: id, unit, driver } = event.payload;
    const admission = new Admission();
    const run: Caller<ReviewedRun> = makeRetryingObjectCaller(() => this.env.EXPLORATION_RUN.getByName(id), admission);
    const services = makeStepServices(this.env, id, { run, admission });
    const units: DrivenUnits = {
      takeUnitWork: (by, reviewed) => run((object) => object.reviews.takeUnitWork(by, reviewed)),
      commitStage: (by, reviewed, revision, result) =>
        run((object) => object.reviews.commitStage(by, reviewed, revision, result)),
      setUnitAside: (by, reviewed, reason) => run((object) => object.reviews.setUnitAside(by, reviewed, reason)),
    };
    const drive = async (stage: string): Promise<void> => {
      for (let rests = 0; ; rests += 1) {
        const name = stepNameOfTry(stage, rests);
        const end = await runOrSetAsideOnDefect(
          () =>
            step.do(name, long, async () =>
              driveUnitWithinRequests(services, { units, spent: unbounded }, driver, unit),
            ),
          async (reason) => {
            await step.do(`${name}: set aside`, brief, async () => units.setUnitAside(driver, unit, reason));
            return { why: 'nothing-left', requests: 0 } as const;
          },
        );
        if (end.why !== 'endpoint-rests') return;
        await sleepUntilEndpointTakesRequests(step, name, end);
      }
    };
    await drive('drive');
    await compareUnitsAndCommit(
      services,
      { step, name: 'compare' },
      {
        open: () => run((object) => object.reviews.getVariantToCompareOrStop(driver, unit)),
        commit: (names, compared) => run((object) => object.reviews.keepOrMarkDuplicates(names, compared)),
      },
    );
    await drive('execute');
    await step.do('settle', brief, async () => run((object) => object.reviews.closeAndCount(driver, unit)));
    await deleteEndedInstanceIfWanted(this.env, this.env.REVIEW_WORKFLOW, event.instanceId);
  }
}
