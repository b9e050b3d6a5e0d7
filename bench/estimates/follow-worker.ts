import { answering } from '../discovery/answering.ts';
import { followJob, followWorld } from './follow.ts';

/** A thread that holds estimates against the truth. */
answering(followJob, followWorld);
