import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep, type WorkflowStepConfig } from 'cloudflare:workers';
import { settingsSchema } from '#adapters/settings.ts';
import type { EvaluationRun } from '#durable-objects/evaluation-run.ts';
import type { DrivenEvaluation } from './driven-evaluation.ts';
import { evaluateUnit } from './steps/evaluate-unit.ts';
import { evaluationServices } from './steps/evaluation-services.ts';

interface Env {
  readonly EVALUATION_RUN: DurableObjectNamespace<EvaluationRun>;
}

const brief: WorkflowStepConfig = {
  retries: { limit: 5, delay: '1 second', backoff: 'exponential' },
  timeout: '1 minute',
};
/** A unit with all its agents and trials; models and tools have bounds of their own. */
const long: WorkflowStepConfig = {
  retries: { limit: 5, delay: '2 seconds', backoff: 'exponential' },
  timeout: '3 hours',
};

/** Steps of an instance that are not units: opening, failing, handing over. */
const otherSteps = 3;

/**
 * Drives an evaluation: a step a unit, as many at once as the evaluation says. Like the exploration's it holds no data, and hands
 * over to a new instance before the platform's limit of steps.
 */
export class EvaluationWorkflow extends WorkflowEntrypoint<Env, { run: string; driver: number }> {
  override async run(
    event: Readonly<WorkflowEvent<{ run: string; driver: number }>>,
    step: WorkflowStep,
  ): Promise<void> {
    const { run: id, driver } = event.payload;
    const run: DrivenEvaluation = this.env.EVALUATION_RUN.getByName(id);
    try {
      await this.#drive(run, driver, step);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      await step.do('fail', brief, async () => run.fail(driver, reason));
    }
  }

  async #drive(run: DrivenEvaluation, driver: number, step: WorkflowStep): Promise<void> {
    const { STEPS_PER_INSTANCE: limit } = settingsSchema.parse(this.env);
    const services = evaluationServices(this.env, run);
    const wanted = Math.max(1, limit - otherSteps);
    const opened = await step.do('open units', brief, async () => run.openUnits(driver, wanted));
    if (opened.kind === 'stop') return;
    const waiting = opened.units.values();
    const work = async (): Promise<void> => {
      for (const unit of waiting) {
        await step.do(`unit ${unit}`, long, async () => evaluateUnit(services, run, driver, unit));
      }
    };
    await Promise.all(Array.from({ length: opened.concurrency }, work));
    await step.do('hand over', brief, async () => run.handOver(driver));
  }
}
