import type { WorkflowStepConfig } from 'cloudflare:workers';

/** For a step that only touches our own storage: it is over soon. */
export const brief: WorkflowStepConfig = {
  retries: { limit: 5, delay: '1 second', backoff: 'exponential' },
  timeout: '1 minute',
};

/** For a step with models and tools in it. These have bounds of their own; this one is for when all of them fail. */
export const long: WorkflowStepConfig = {
  retries: { limit: 5, delay: '2 seconds', backoff: 'exponential' },
  timeout: '3 hours',
};
