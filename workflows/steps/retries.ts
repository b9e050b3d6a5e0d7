import type { WorkflowStepConfig } from 'cloudflare:workers';

/** For a step that only touches our own storage: ten tries within about five minutes, which a deployment or a move of an object outlasts seldom. */
export const brief: WorkflowStepConfig = {
  retries: { limit: 9, delay: 600, backoff: 'exponential' },
  timeout: '1 minute',
};

/** For a step with models and tools in it. These have bounds of their own; this one is for when all of them fail. */
export const long: WorkflowStepConfig = {
  retries: { limit: 5, delay: '2 seconds', backoff: 'exponential' },
  timeout: '3 hours',
};
