import { z } from 'zod';
import type { Exchange } from '#core/reports/check/protocol/exchange.ts';
import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';

/** A connection to a server on which messages are written by hand, so that a server's own messages are seen as they are. */
export interface Wire {
  /** Sends a request and waits for its answer. Never rejects. */
  request(request: WireRequest): Promise<Exchange>;
  /** Sends a text that gets no answer, such as a notification. Never rejects. */
  send(text: string): Promise<void>;
  /** Returns an exchange with the answer that came after its time was over, if one did. */
  settle(exchange: Exchange): Exchange;
}

export interface WireRequest {
  readonly method: string;
  readonly id: string | number;
  readonly params?: JsonObject;
  readonly timeoutMs: number;
}

/** Returns the line of a request. */
export const lineOf = ({ method, id, params }: WireRequest): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });

/** Returns the message that a line holds; null if it holds none. */
export function messageOf(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : null;
  } catch {
    // The rule about standard output reports lines like this.
    return null;
  }
}

const requestId = z.union([z.string(), z.number()]);

/** Returns the id of the request that a message answers, as a text; null if it is no answer, or one without an id. */
export function answeredId(message: JsonObject): string | null {
  const id = requestId.safeParse(message['id']);
  return id.success && !('method' in message) ? String(id.data) : null;
}

/** Whether a message is an answer, with an id or without one. */
export const isAnswer = (message: JsonObject): boolean =>
  !('method' in message) && ('result' in message || 'error' in message);
