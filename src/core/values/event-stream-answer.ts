/**
 * How the object of a run and the Worker share the work of a stream of events. The object answers with the events that
 * a listener lacks, and the Worker asks again for those after them. A listener that lacks none gets a shared stream of
 * what is new.
 */

/** Header of an answer with events that a listener lacked: the id of the last one. */
export const answeredUntilHeader = 'x-events-until';

/** Header of an answer with a shared stream: its id. */
export const sharedStreamHeader = 'x-shared-stream';

/** Parameter that names a shared stream, to learn how it ends: the answer comes then, with this status if it was cut. */
export const sharedStreamParameter = 'shared-stream';
export const cutStatus = 410;

/** How long a browser waits before it reconnects. */
const reconnectAfterMs = 1_000;

const encoder = new TextEncoder();
export const greetingBytes = encoder.encode(`retry: ${reconnectAfterMs}\n\n`);
export const heartbeatBytes = encoder.encode(': heartbeat\n\n');
export const comeBackBytes = encoder.encode(': come back\n\n');
export const endBytes = encoder.encode('event: end\ndata: {}\n\n');
