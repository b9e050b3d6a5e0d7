import { serveJobsOnThisThread } from '../discovery/answering.ts';
import { followJob, followStrategiesInWorld } from './follow.ts';

/** A thread that compares estimates with the truth. */
serveJobsOnThisThread(followJob, followStrategiesInWorld);
