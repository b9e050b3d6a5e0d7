import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { z } from 'zod';

/**
 * Runs jobs in a program made with `serveJobsOnThisThread`, in one thread for each core, and returns the answers in the order of
 * the jobs. `program` is the path of its file. `done` is called for each answer as it arrives. Rejects with the first
 * failing job.
 */
export async function runInWorkers<Job, Answer>(
  program: string,
  answer: z.ZodType<Answer>,
  jobs: readonly Job[],
  done: (answer: Answer, job: Job) => void,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const waiting = jobs.entries();
  const workers = Array.from({ length: Math.min(jobs.length, availableParallelism()) }, () => new Worker(program));
  const lane = async (worker: Worker): Promise<void> => {
    for (const [place, job] of waiting) {
      worker.postMessage(job);
      const [message]: unknown[] = await once(worker, 'message');
      const parsed = answer.parse(message);
      answers[place] = parsed;
      done(parsed, job);
    }
  };
  try {
    await Promise.all(workers.map(lane));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return answers;
}
