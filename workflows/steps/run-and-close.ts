import type { LoopResult } from '#agents/attempt-log.ts';
import type { ServerConnections } from '#adapters/mcp/server-connections.ts';

/**
 * Runs an attempt and closes its connections. If a server could not be reset after it, the attempt has that fault: the next one
 * would see what it did.
 */
export async function runAttemptAndCloseConnections(
  connections: Pick<ServerConnections, 'close'>,
  run: () => Promise<LoopResult>,
): Promise<LoopResult> {
  let fault: LoopResult['fault'] = null;
  let made: LoopResult;
  try {
    made = await run();
  } finally {
    fault = await connections.close();
  }
  return fault === null || made.fault !== null
    ? made
    : { ...made, fault, trace: { ...made.trace, end: 'fault', fault } };
}
