import { z } from 'zod';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import type { Completion } from './completion.ts';
import { keptBlocks } from './compose-request.ts';
import { readEventStreamIntoCompletion, type StreamAssembly, type StreamedCompletion } from './event-stream.ts';
import { parseUsage } from './usage.ts';

const text = z.string().nullish().catch(null);
const block = z.looseObject({ type: z.string(), text, id: text, name: text, input: z.unknown().optional() });

/** The fields that we read from an answer of Anthropic's Messages API. */
const message = z.looseObject({
  content: z.array(block),
  stop_reason: text,
  stop_details: z.looseObject({ explanation: text }).nullish().catch(null),
  usage: z.unknown().optional(),
});

/** Characters of JSON of the blocks that are kept for the next request. */
const mostBlockChars = 400_000;

/** Reads an answer of Anthropic's Messages API; undefined if it is none. */
export function parseAnthropicMessageAnswer(body: unknown): Completion | undefined {
  const read = message.safeParse(body).data;
  if (read === undefined) return undefined;
  const { content, stop_reason: reason, stop_details: details } = read;
  const toolCalls = content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }, at) => ({
      id: id || `call-${at + 1}`,
      name: name ?? '',
      // What is no JSON came in pieces that make none.
      argumentsText: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    }));
  const said = content.map((each) => (each.type === 'text' ? (each.text ?? '') : '')).join('');
  const isRefused = reason === 'refusal';
  const isKept = JSON.stringify(content).length <= mostBlockChars;
  return {
    content: said,
    toolCalls,
    own: isKept ? { message: { [keptBlocks]: content }, calls: [] } : undefined,
    finish: toFinishReason(reason, toolCalls.length),
    ...(reason === 'model_context_window_exceeded' ? { overflowed: true as const } : {}),
    refusal: isRefused ? (details?.explanation ?? said) : '',
    usage: parseUsage(read.usage),
  };
}

function toFinishReason(reason: string | null | undefined, calls: number): Completion['finish'] {
  if (reason === 'refusal') return 'refused';
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
  return calls > 0 ? 'tool-calls' : 'stop';
}

const object = z.record(z.string(), z.unknown());
const event = z.looseObject({
  type: z.string(),
  index: z.int().min(0).optional(),
  message: z.looseObject({ usage: object.nullish() }).optional(),
  content_block: z.looseObject({ type: z.string() }).optional(),
  delta: z
    .looseObject({
      type: text,
      text,
      thinking: text,
      signature: text,
      partial_json: text,
      stop_reason: text,
      stop_details: z.unknown().optional(),
    })
    .optional(),
  usage: object.nullish(),
  error: z.unknown().optional(),
});
type Event = z.infer<typeof event>;

/** Reads a streamed answer of the Messages API; rejects as reading a chat completion does. */
export const readStreamedAnthropicMessage = (
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<StreamedCompletion> => readEventStreamIntoCompletion(body, signal, makeMessageAssembly());

/** Assembles the events of a streamed answer, block by block. */
class MessageAssembly implements StreamAssembly {
  chars = 0;
  #begun = false;
  #ending: Record<string, unknown> | undefined;
  #usage: Record<string, unknown> = {};
  readonly #blocks = new Map<number, Record<string, unknown>>();
  /** The arguments of calls so far, by the place of their block. */
  readonly #inputs = new Map<number, string>();

  get isFinished(): boolean {
    return this.#ending !== undefined;
  }

  addEventAndGetEndIfAny(json: unknown): StreamedCompletion | null {
    const read = event.safeParse(json).data;
    if (read === undefined) return { kind: 'malformed' };
    if (read.type === 'error') return { kind: 'error', error: read.error ?? read, usage: this.#usage };
    if (read.type === 'message_stop') return this.makeCompletion();
    this.#mergeUsage(read.message?.usage ?? read.usage ?? {});
    if (read.type === 'message_start') this.#begun = true;
    else if (read.type === 'message_delta') this.#ending = { ...this.#ending, ...read.delta };
    else this.#addToBlock(read);
    return null;
  }

  #addToBlock({ index = 0, content_block: begun, delta }: Event): void {
    if (begun !== undefined) this.#blocks.set(index, { ...begun });
    const block = this.#blocks.get(index);
    if (block === undefined || delta === undefined) return;
    for (const field of ['text', 'thinking', 'signature'] as const) {
      const piece = delta[field] ?? '';
      if (piece === '') continue;
      block[field] = `${typeof block[field] === 'string' ? block[field] : ''}${piece}`;
      this.chars += piece.length;
    }
    const json = delta.partial_json ?? '';
    this.chars += json.length;
    if (json !== '') this.#inputs.set(index, `${this.#inputs.get(index) ?? ''}${json}`);
  }

  /** Later counts include earlier ones, and some are only in the first event. */
  #mergeUsage(usage: Readonly<Record<string, unknown>>): void {
    const counted = Object.entries(usage).filter(([, value]) => value !== null);
    this.#usage = { ...this.#usage, ...Object.fromEntries(counted) };
  }

  makeCompletion(): StreamedCompletion {
    if (!this.#begun) return { kind: 'malformed' };
    const content = [...this.#blocks].map(([index, block]) => {
      const input = this.#inputs.get(index);
      if (input === undefined) return block;
      const json = parseJsonWithinLimits(input);
      return { ...block, input: json.ok ? json.value : input };
    });
    return { kind: 'complete', body: { content, ...this.#ending, usage: this.#usage } };
  }
}

export const makeMessageAssembly = (): StreamAssembly => new MessageAssembly();
