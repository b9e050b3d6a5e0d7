import { z } from 'zod';
import type { Completion } from './completion.ts';
import { keptItems } from './compose-request.ts';
import { readEventStreamIntoCompletion, type StreamAssembly, type StreamedCompletion } from './event-stream.ts';
import { parseUsage } from './usage.ts';

const text = z.string().nullish().catch(null);
const part = z.looseObject({ type: text, text, refusal: text });
const item = z.looseObject({
  type: text,
  content: z.array(part).nullish().catch(null),
  call_id: text,
  name: text,
  // A text in calls of functions, an object in searches for them.
  arguments: z.unknown().optional(),
});

/** The fields that we read from an answer of the Responses API. */
const response = z.looseObject({
  status: text,
  incomplete_details: z.looseObject({ reason: text }).nullish().catch(null),
  output: z.array(item),
  usage: z.unknown().optional(),
});

/** Characters of JSON of the items that are kept for the next request. */
const mostItemChars = 400_000;

/** Reads an answer of the Responses API; undefined if it is none. */
export function parseResponsesApiAnswer(body: unknown): Completion | undefined {
  const read = response.safeParse(body).data;
  if (read === undefined) return undefined;
  const { output, status, incomplete_details: incomplete } = read;
  const parts = output.flatMap(({ type, content }) => (type === 'message' ? (content ?? []) : []));
  const toolCalls = output
    .filter(({ type }) => type === 'function_call' || type === 'tool_search_call')
    .map(({ type, call_id: id, name, arguments: args }, at) => ({
      id: id || `call-${at + 1}`,
      name: type === 'tool_search_call' ? type.slice(0, -'_call'.length) : (name ?? ''),
      argumentsText: typeof args === 'string' ? args : args === undefined || args === null ? '' : JSON.stringify(args),
    }));
  const refusal = parts.map((each) => each.refusal ?? '').join('');
  const isRefused = refusal !== '' || incomplete?.reason === 'content_filter';
  const kept =
    JSON.stringify(output).length > mostItemChars ? undefined : { message: { [keptItems]: output }, calls: [] };
  return {
    content: parts.map((each) => (each.type === 'output_text' ? (each.text ?? '') : '')).join(''),
    toolCalls,
    own: kept,
    finish: isRefused ? 'refused' : status === 'incomplete' ? 'length' : toolCalls.length > 0 ? 'tool-calls' : 'stop',
    refusal,
    usage: parseUsage(read.usage),
  };
}

const event = z.looseObject({ type: z.string(), response: z.unknown().optional(), item: z.unknown().optional() });
const finalEvents: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed']);
const withOutput = z.looseObject({ output: z.array(z.unknown()).catch([]) });

/** Reads a streamed answer of the Responses API; rejects as reading a chat completion does. */
export const readStreamedResponsesApiAnswer = (
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<StreamedCompletion> => readEventStreamIntoCompletion(body, signal, makeResponseAssembly());

/** Assembles the events of a streamed answer: the last one has all of it. */
class ResponseAssembly implements StreamAssembly {
  chars = 0;
  readonly #items: unknown[] = [];
  #final: z.infer<typeof withOutput> | undefined;

  get isFinished(): boolean {
    return this.#final !== undefined;
  }

  addEventAndGetEndIfAny(json: unknown): StreamedCompletion | null {
    const read = event.safeParse(json).data;
    if (read === undefined) return { kind: 'malformed' };
    const { delta } = read;
    this.chars += typeof delta === 'string' ? delta.length : 0;
    if (read.type === 'error') return { kind: 'error', error: read['error'] ?? read, usage: undefined };
    if (read.type === 'response.output_item.done') this.#items.push(read.item);
    if (!finalEvents.has(read.type)) return null;
    this.#final = withOutput.safeParse(read.response).data;
    return this.#final === undefined ? { kind: 'malformed' } : this.makeCompletion();
  }

  makeCompletion(): StreamedCompletion {
    if (this.#final === undefined) return { kind: 'malformed' };
    const { output } = this.#final;
    return { kind: 'complete', body: { ...this.#final, output: output.length === 0 ? this.#items : output } };
  }
}

export const makeResponseAssembly = (): StreamAssembly => new ResponseAssembly();
