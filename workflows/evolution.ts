import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { settingsSchema } from '#adapters/settings.ts';
import { handsOver } from '#core/exploration/steps.ts';
import type { ExplorationRun } from '#durable-objects/exploration-run.ts';
import type { DrivenUnits, EvolvedRun } from './driven-run.ts';
import { compare, tellApart } from './steps/compare.ts';
import { orFail } from './steps/or-fail.ts';
import { brief, long } from './steps/retries.ts';
import { stepServices, type StepEnv, type StepServices } from './steps/services.ts';
import { driveUnit } from './steps/unit.ts';

interface Env extends StepEnv {
  readonly EXPLORATION_RUN: DurableObjectNamespace<ExplorationRun>;
}

interface Params {
  readonly run: string;
  readonly evolution: number;
  readonly driver: number;
}

/**
 * Drives an evolution: compares the accepted units with each other, part by part, and then writes variants batch by batch until the
 * run says that it is enough. As with explorations, all data is in the run's object, and an instance near its limit of steps
 * hands over.
 */
export class EvolutionWorkflow extends WorkflowEntrypoint<Env, Params> {
  override async run(event: Readonly<WorkflowEvent<Params>>, step: WorkflowStep): Promise<void> {
    const { run: id, evolution, driver } = event.payload;
    const run: EvolvedRun = this.env.EXPLORATION_RUN.getByName(id);
    await orFail(
      () => this.#drive(run, id, evolution, driver, step),
      step,
      (reason) => run.failEvolution(evolution, driver, reason),
    );
  }

  async #drive(run: EvolvedRun, id: string, evolution: number, driver: number, step: WorkflowStep): Promise<void> {
    const services = stepServices(this.env, id, run);
    const units: DrivenUnits = {
      openUnit: (by, unit) => run.openVariant(evolution, by, unit),
      commitStage: (by, unit, revision, result) => run.commitVariant(evolution, by, unit, revision, result),
    };
    const { STEPS_PER_INSTANCE: limit } = settingsSchema.parse(this.env);
    for (let turn = 1, steps = 0; ; turn += 1) {
      const opened = await step.do(`turn ${turn}: open`, brief, async () => run.openTurn(evolution, driver));
      if (opened.kind === 'stop') return;
      if (opened.kind === 'survey') {
        steps += 2;
        await step.do(`turn ${turn}: survey`, long, async () => survey(services, run, evolution, driver));
      } else {
        const { batch } = opened;
        const drive = (what: string): Promise<unknown> =>
          Promise.all(
            opened.units.map((unit) =>
              step.do(`turn ${turn}: ${what} ${unit}`, long, async () => driveUnit(services, units, driver, unit)),
            ),
          );
        steps += opened.stepsPerBatch;
        await drive('write');
        await step.do(`turn ${turn}: compare`, long, async () => {
          await tellApart(
            services,
            () => run.openDistinct(evolution, driver, batch),
            (names, compared) => run.commitDistinct(evolution, names, compared),
          );
        });
        await drive('execute');
        const next = await step.do(`turn ${turn}: commit`, brief, async () =>
          run.commitBatch(evolution, driver, batch),
        );
        if (next.kind === 'stop') return;
      }
      const most = opened.kind === 'batch' ? opened.stepsPerBatch : surveySteps;
      if (handsOver(steps, most, limit)) {
        await step.do('hand over', brief, async () => run.handOverEvolution(evolution, driver));
        return;
      }
    }
  }
}

/** A part of the survey: opening it, and comparing. */
const surveySteps = 2;

async function survey(services: StepServices, run: EvolvedRun, evolution: number, driver: number): Promise<void> {
  const part = await run.openSurvey(evolution, driver);
  if (part.kind === 'stop') return;
  const units = part.units.map(({ unit }) => unit);
  await run.commitSurvey(evolution, driver, { units, to: part.to }, await compare(services, part.units));
}
