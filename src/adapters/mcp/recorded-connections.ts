import {
  makeCallKeyAssigner,
  type MadeCall,
  type RecordedCall,
  type RecordedReply,
} from '#core/evaluation/recording.ts';
import {
  makeOutcomeOnlyCall,
  type Forwarded,
  type ForwardOptions,
  type ServerConnections,
} from './server-connections.ts';

/** Longer replies, as JSON in UTF-8, are not recorded: a call with its reply must fit into a line of an upload. */
const maxReplyBytes = 900 * 1024;

/**
 * Forwards everything and records the answers, and the faults that spoilt calls, because the agent was told about them.
 * What the caller broke off, and calls of an attempt that cannot be made at all, are not recorded.
 */
export function makeRecordingConnections(
  connections: ServerConnections,
  options: Pick<RecordedCall, 'unit' | 'attempt'> & {
    /** Receives each call when it was answered, with its place among the calls of these connections, by the time of issue. */
    readonly keep: (call: RecordedCall, place: number) => void;
    /** Calls that the attempt made earlier, as they are kept. */
    readonly earlier?: readonly MadeCall[];
  },
): ServerConnections {
  const { unit, attempt, keep, earlier } = options;
  const nextKey = makeCallKeyAssigner(earlier);
  let issued = 0;
  const forward: ServerConnections['forward'] = async (tool, args, options) => {
    const key = nextKey(tool, connections.redactArguments(tool, args));
    const place = issued;
    issued += 1;
    const forwarded = await connections.forward(tool, args, options);
    const reply = makeReplyToRecordOrNull(forwarded, options);
    if (reply !== null && jsonByteCount(reply) <= maxReplyBytes) keep({ unit, attempt, ...key, reply }, place);
    return forwarded;
  };
  const { redactArguments } = connections;
  return { forward, call: makeOutcomeOnlyCall(forward), redactArguments, close: () => connections.close() };
}

function makeReplyToRecordOrNull(forwarded: Forwarded, { signal }: ForwardOptions): RecordedReply | null {
  if (forwarded.kind === 'answered') return forwarded.answer;
  // What broke on our side says nothing about the server.
  const isLost = signal?.aborted === true || forwarded.unmounted === true || forwarded.fault.where !== 'server';
  return isLost ? null : { kind: 'fault', fault: { ...forwarded.fault } };
}

const jsonByteCount = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
