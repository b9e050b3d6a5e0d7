import type { WorkflowStepConfig } from 'cloudflare:workers';

/**
 * For a step that only touches our own storage: ten tries within about five minutes, longer than most deployments and
 * moves of an object.
 */
export const brief: WorkflowStepConfig = {
  retries: { limit: 9, delay: 600, backoff: 'exponential' },
  timeout: '1 minute',
};

/** For a step with models and tools. These have their own limits; this applies when all of them fail. */
export const long: WorkflowStepConfig = {
  retries: { limit: 5, delay: '2 seconds', backoff: 'exponential' },
  timeout: '3 hours',
};
