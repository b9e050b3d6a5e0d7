import { parentPort } from 'node:worker_threads';
import type { z } from 'zod';

/** Makes this thread do jobs, each with one message as its answer: the other side of `runInWorkers`. */
export function serveJobsOnThisThread<Job>(job: z.ZodType<Job>, work: (job: Job) => unknown): void {
  parentPort?.on('message', (message: unknown) => parentPort?.postMessage(work(job.parse(message))));
}
