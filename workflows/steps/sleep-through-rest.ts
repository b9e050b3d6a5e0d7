import type { WorkflowStep } from 'cloudflare:workers';
import type { RestingStep } from './undone-stage.ts';

/** Rests of endpoints after which an instance leaves its work to the next: each makes it repeat a step. */
export const restsPerInstance = 50;

/** Sleeps until an endpoint takes requests again, at least a second. An instance that sleeps costs nothing. */
export const sleepUntilEndpointTakesRequests = (
  step: WorkflowStep,
  name: string,
  { untilMs }: Pick<RestingStep, 'untilMs'>,
): Promise<void> => step.sleep(`${name}: the endpoint rests`, Math.max(1_000, untilMs - Date.now()));

/** Returns the name of a step that is repeated after rests. */
export const stepNameOfTry = (name: string, rests: number): string =>
  rests === 0 ? name : `${name}, after rest ${rests}`;
