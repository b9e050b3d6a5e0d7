import { answering } from './answering.ts';
import { curveJob, curveOf } from './curve.ts';

/** A thread that runs strategies in worlds. */
answering(curveJob, curveOf);
