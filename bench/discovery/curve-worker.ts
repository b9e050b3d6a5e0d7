import { answerJobs } from './answering.ts';
import { curveJob, simulateCurve } from './curve.ts';

/** A thread that runs strategies in worlds. */
answerJobs(curveJob, simulateCurve);
