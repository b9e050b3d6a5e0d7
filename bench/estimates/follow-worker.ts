import { answerJobs } from '../discovery/answering.ts';
import { followJob, followWorld } from './follow.ts';

/** A thread that compares estimates with the truth. */
answerJobs(followJob, followWorld);
