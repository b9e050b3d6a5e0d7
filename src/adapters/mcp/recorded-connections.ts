import { makeCallKeyAssigner, type MadeCall, type RecordedCall } from '#core/evaluation/recording.ts';
import { makeCall, type ServerConnections } from './server-connections.ts';

/** Longer replies, as JSON in UTF-8, are not recorded: a call with its reply must fit into a line of an upload. */
const maxReplyBytes = 900 * 1024;

/** Forwards everything and records the answers. Faults are not recorded, because they may not happen again. */
export function makeRecordedConnections(
  connections: ServerConnections,
  options: Pick<RecordedCall, 'unit' | 'attempt'> & {
    /** Receives each call when it was answered. */
    readonly keep: (call: RecordedCall) => void;
    /** Calls that the attempt made earlier. */
    readonly earlier?: readonly MadeCall[];
  },
): ServerConnections {
  const { unit, attempt, keep, earlier } = options;
  const nextKey = makeCallKeyAssigner(earlier);
  const forward: ServerConnections['forward'] = async (tool, args, options) => {
    const key = nextKey(tool, args);
    const forwarded = await connections.forward(tool, args, options);
    if (forwarded.kind === 'answered' && bytesOf(forwarded.answer) <= maxReplyBytes) {
      keep({ unit, attempt, ...key, reply: forwarded.answer });
    }
    return forwarded;
  };
  return { forward, call: makeCall(forward), close: () => connections.close() };
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
