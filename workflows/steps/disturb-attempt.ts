import { makeDisturbedConnections } from '#adapters/mcp/disturbed-connections.ts';
import type { ServerConnections } from '#adapters/mcp/server-connections.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { makeDisturbanceRecord, undisturbedState } from '#core/traces/disturbances/disturbed-calls.ts';
import { toolsUnderDisturbance, type DrawnDisturbance } from '#core/traces/disturbances/drawn-disturbance.ts';
import type { Trace } from '#core/traces/trace.ts';

/** What an attempt has to do with. */
interface Weather {
  readonly tools: readonly Tool[];
  readonly connections: ServerConnections;
  /** What its trace says of the disturbance, once it has ended. */
  readonly describe: () => Pick<Trace, 'disturbance'>;
}

/** Puts a disturbance between an attempt and its tools; without one they stay as they are. */
export function disturbAttempt(
  drawn: DrawnDisturbance | null,
  { tools, connections }: Omit<Weather, 'describe'>,
): Weather {
  if (drawn === null) return { tools, connections, describe: () => ({}) };
  let state = undisturbedState;
  const kept = { read: () => state, write: (next: typeof state) => void (state = next) };
  return {
    tools: toolsUnderDisturbance(drawn, tools),
    connections: makeDisturbedConnections(connections, drawn, { tools, state: kept }),
    describe: () => ({ disturbance: makeDisturbanceRecord(drawn, state) }),
  };
}
