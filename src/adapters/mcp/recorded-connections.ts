import { callKeys, type RecordedCall } from '#core/evaluation/recording.ts';
import { callThrough, type ServerConnections } from './server-connections.ts';

/** Replies longer than this, as JSON in UTF-8, are not kept. */
const MAX_REPLY_BYTES = 1024 * 1024;

export interface RecordedConnections extends ServerConnections {
  /** The calls that were answered so far, in the order of their answers. */
  recorded(): RecordedCall[];
}

/** Passes everything through and keeps what was answered. Faults are not kept: they may well not happen again. */
export function recordedConnections(
  connections: ServerConnections,
  place: Pick<RecordedCall, 'unit' | 'attempt'>,
): RecordedConnections {
  const keyOf = callKeys();
  const kept: RecordedCall[] = [];
  const forward: ServerConnections['forward'] = async (tool, args, options) => {
    const key = keyOf(tool, args);
    const forwarded = await connections.forward(tool, args, options);
    if (forwarded.kind === 'answered' && bytesOf(forwarded.answer) <= MAX_REPLY_BYTES) {
      kept.push({ unit: place.unit, attempt: place.attempt, ...key, reply: forwarded.answer });
    }
    return forwarded;
  };
  return { forward, call: callThrough(forward), close: () => connections.close(), recorded: () => [...kept] };
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
