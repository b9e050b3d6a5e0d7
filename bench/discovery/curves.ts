import { join } from 'node:path';
import { curve, type Curve, type CurveJob } from './curve.ts';
import { runInWorkers } from './in-workers.ts';

/** Computes the curves of many runs, in the order of the jobs; calls `done` for each as it ends. */
export const simulateCurvesInWorkers = (
  jobs: readonly CurveJob[],
  done: (curve: Curve, job: CurveJob) => void,
): Promise<Curve[]> => runInWorkers(join(import.meta.dirname, 'curve-worker.ts'), curve, jobs, done);
