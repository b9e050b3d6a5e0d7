import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { settingsSchema } from '#adapters/settings.ts';
import { handsOver, stepsOfWaiting } from '#core/exploration/steps.ts';
import type { ExplorationRun } from '#durable-objects/exploration-run.ts';
import type { DrivenRun } from './driven-run.ts';
import { writeGroup } from './steps/group.ts';
import { orFail } from './steps/or-fail.ts';
import { brief, long } from './steps/retries.ts';
import { awaitReview } from './steps/await-review.ts';
import { stepServices, type StepEnv } from './steps/services.ts';
import { driveUnit } from './steps/unit.ts';

interface Env extends StepEnv {
  readonly EXPLORATION_RUN: DurableObjectNamespace<ExplorationRun>;
}

/**
 * Drives an exploration round by round. It holds no data: what a step returns is a few ids, and everything else is in the run's
 * Durable Object, where a step that runs twice finds what it did before. An instance near its limit of steps hands over to a
 * new one; so does, through `ExplorationRun.wake`, one that was killed.
 */
export class ExplorationWorkflow extends WorkflowEntrypoint<Env, { run: string; driver: number }> {
  override async run(
    event: Readonly<WorkflowEvent<{ run: string; driver: number }>>,
    step: WorkflowStep,
  ): Promise<void> {
    const { run: id, driver } = event.payload;
    const run: DrivenRun = this.env.EXPLORATION_RUN.getByName(id);
    await orFail(
      () => this.#drive(run, id, driver, step),
      step,
      (reason) => run.fail(driver, reason),
    );
  }

  async #drive(run: DrivenRun, id: string, driver: number, step: WorkflowStep): Promise<void> {
    const services = stepServices(this.env, id, run);
    const { STEPS_PER_INSTANCE: limit } = settingsSchema.parse(this.env);
    for (let turn = 1, steps = 0; ; turn += 1) {
      const opened = await step.do(`turn ${turn}: open round`, brief, async () => run.openRound(driver));
      if (opened.kind === 'stop') return;
      const { round, groups, units, stepsPerRound } = opened;
      steps += 2 + groups.length + units.length;
      await Promise.all(
        groups.map((group, place) =>
          step.do(`turn ${turn}: write group ${place + 1}`, long, async () => writeGroup(services, run, driver, group)),
        ),
      );
      await Promise.all(
        units.map((unit) =>
          step.do(`turn ${turn}: unit ${unit}`, long, async () => driveUnit(services, run, driver, unit)),
        ),
      );
      if (opened.waits) {
        steps += stepsOfWaiting * units.length;
        await Promise.all(units.map((unit) => awaitReview(services, run, driver, step, `turn ${turn}: ${unit}`, unit)));
      }
      const next = await step.do(`turn ${turn}: commit round`, brief, async () => run.commitRound(driver, round));
      if (next.kind === 'stop') return;
      if (handsOver(steps, stepsPerRound, limit)) {
        await step.do('hand over', brief, async () => run.handOver(driver));
        return;
      }
    }
  }
}
