import { answerJobs } from './answering.ts';
import { curveJob, curveOf } from './curve.ts';

/** A thread that runs strategies in worlds. */
answerJobs(curveJob, curveOf);
