import { serverOf, type Tool } from '#core/catalog/tool.ts';
import { makeCallKeyAssigner, makeReplyFinder, type MadeCall, type RecordedCall } from '#core/evaluation/recording.ts';
import { outcomeOfReply } from './results.ts';
import { callThrough, serverFault, type ServerConnections } from './server-connections.ts';

/**
 * Answers an attempt at one unit from the recorded attempts at that unit (`makeReplyFinder` chooses whose answer),
 * without any connection, at once and without progress. An unrecorded call is the fault `replay-miss`.
 */
export function replayedConnections(
  recorded: readonly RecordedCall[],
  options: {
    readonly attempt: string;
    readonly tools: readonly Pick<Tool, 'name' | 'outputSchema'>[];
    /** Calls that the attempt made earlier. */
    readonly earlier?: readonly MadeCall[];
  },
): ServerConnections {
  const keyOf = makeCallKeyAssigner(options.earlier);
  const replyTo = makeReplyFinder(recorded, options.attempt);
  const outputSchemas = new Map(options.tools.map((tool) => [tool.name, tool.outputSchema]));
  let closed = false;
  const forward: ServerConnections['forward'] = async (tool, args) => {
    const name = serverOf(tool);
    if (closed) return serverFault(name, { code: 'connection-lost', detail: 'the attempt has ended' });
    const key = keyOf(tool, args);
    const answer = replyTo(key);
    if (answer === undefined) {
      const detail = `no answer is recorded for call ${key.occurrence + 1} of this kind`;
      return serverFault(name, { code: 'replay-miss', detail });
    }
    const outcome = await outcomeOfReply(answer, outputSchemas.get(tool));
    if (outcome === undefined)
      return serverFault(name, { code: 'malformed-protocol', detail: 'the record is not MCP' });
    return { kind: 'answered', answer, outcome };
  };
  return {
    forward,
    call: callThrough(forward),
    close: async () => {
      closed = true;
    },
  };
}
