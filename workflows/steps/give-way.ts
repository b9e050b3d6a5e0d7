/** Longer than what was logged takes to reach a thousand listeners. */
const wayMs = 40;

/**
 * Gives way to what else waits for the thread, such as events on their way to listeners. Objects, Workflows and the Worker
 * share one thread where `wrangler dev` runs them, and the start of an instance takes long.
 */
export const giveWay = (): Promise<void> => scheduler.wait(wayMs);
