import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import type { Exchange, ProtocolFault } from './exchange.ts';

interface MessageRule extends Omit<ProtocolFault, 'shown'> {
  readonly isBroken: (message: JsonObject, asked: Exchange) => boolean;
}

/** What each answer has to be, after JSON-RPC 2.0. Clients that check messages drop the others, and wait for ever. */
const rules: readonly MessageRule[] = [
  {
    isBroken: ({ jsonrpc }) => jsonrpc !== '2.0',
    severity: 'high',
    sentence: 'an answer has no `"jsonrpc": "2.0"`: clients drop it',
    proposal: 'put `"jsonrpc": "2.0"` into each message',
  },
  {
    isBroken: (message, { id }) => message['id'] !== id,
    severity: 'high',
    sentence: 'an answer has the id of its request in another type: clients do not match the two',
    proposal: 'send back the id of the request as it came: a text stays a text, a number stays a number',
  },
  {
    isBroken: (message) => 'result' in message && 'error' in message,
    severity: 'high',
    sentence: 'an answer has both a `result` and an `error`',
    proposal: 'send one of `result` and `error`, and leave the other one out, also when it is null',
  },
  {
    isBroken: (message) => !('error' in message) && !isJsonObject(message['result']),
    severity: 'high',
    sentence: 'an answer has neither an object as its `result` nor an `error`',
    proposal: 'send an object as the `result`, `{}` if there is nothing to say, or an `error`',
  },
  {
    isBroken: ({ error }) => error !== undefined && !isError(error),
    severity: 'high',
    sentence: 'the `error` of an answer has no integer as its `code` or no text as its `message`',
    proposal: 'send errors as `{"code": -32603, "message": "…"}`, with an integer and a text',
  },
];

const isError = (error: unknown): boolean =>
  isJsonObject(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string';

/** Returns each kind of fault in the form of answers once, with the first exchange that shows it. */
export const findMessageFaults = (exchanges: readonly Exchange[]): ProtocolFault[] =>
  rules.flatMap(({ isBroken, ...said }) => {
    const shown = exchanges.find((each) => each.reply.kind === 'message' && isBroken(each.reply.message, each));
    return shown === undefined ? [] : [{ ...said, shown }];
  });
