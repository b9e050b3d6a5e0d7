import { callKeys, type MadeCall, type RecordedCall } from '#core/evaluation/recording.ts';
import { callThrough, type ServerConnections } from './server-connections.ts';

/** Replies longer than this, as JSON in UTF-8, are not kept: with its call one has to fit into a line of an upload. */
const MAX_REPLY_BYTES = 900 * 1024;

/** Passes everything through and keeps what was answered. Faults are not kept: they may well not happen again. */
export function recordedConnections(
  connections: ServerConnections,
  options: Pick<RecordedCall, 'unit' | 'attempt'> & {
    /** Gets each call when it was answered. */
    readonly keep: (call: RecordedCall) => void;
    /** Calls that the attempt made before. */
    readonly earlier?: readonly MadeCall[];
  },
): ServerConnections {
  const { unit, attempt, keep, earlier } = options;
  const keyOf = callKeys(earlier);
  const forward: ServerConnections['forward'] = async (tool, args, options) => {
    const key = keyOf(tool, args);
    const forwarded = await connections.forward(tool, args, options);
    if (forwarded.kind === 'answered' && bytesOf(forwarded.answer) <= MAX_REPLY_BYTES) {
      keep({ unit, attempt, ...key, reply: forwarded.answer });
    }
    return forwarded;
  };
  return { forward, call: callThrough(forward), close: () => connections.close() };
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
