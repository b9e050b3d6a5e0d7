import { answerJobMessages } from './answering.ts';
import { curveJob, simulateCurve } from './curve.ts';

/** A thread that runs strategies in worlds. */
answerJobMessages(curveJob, simulateCurve);
