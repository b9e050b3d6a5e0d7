import { serveJobsOnThisThread } from './answering.ts';
import { curveJob, simulateCurve } from './curve.ts';

/** A thread that runs strategies in worlds. */
serveJobsOnThisThread(curveJob, simulateCurve);
