import type { RunEvent } from '#core/reports/events.ts';
import { followEvents, type EventOptions, type StreamTiming } from '../http/event-stream.ts';
import type { Call, Transport } from '../http/transport.ts';

/** The events at a path, each once, until there will be no more. */
export function streamEvents(
  transport: Transport,
  timing: StreamTiming,
  at: string,
  options: EventOptions = {},
): AsyncGenerator<RunEvent, void, undefined> {
  const open = (after: number, signal: AbortSignal): Promise<Response> => {
    const headers: Call['headers'] = {
      accept: 'text/event-stream',
      ...(after === 0 ? {} : { 'last-event-id': String(after) }),
    };
    return transport.requestResponseOnce({ method: 'GET', path: `${at}/events`, headers, repeatable: true, signal });
  };
  const signal = transport.joinCallAndClientSignals(options.signal);
  return followEvents(open, signal === undefined ? options : { ...options, signal }, timing);
}
