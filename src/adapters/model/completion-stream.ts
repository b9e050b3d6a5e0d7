import { z } from 'zod';
import { readEventStreamIntoCompletion, type StreamAssembly, type StreamedCompletion } from './event-stream.ts';

const callFragment = z.looseObject({
  index: z.int().min(0).nullish(),
  id: z.string().nullish(),
  // Some endpoints write the arguments as an object, all at once.
  function: z
    .object({
      name: z.string().nullish(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});

const chunk = z.object({
  error: z.unknown().optional(),
  // The chunk with the usage has none, and some endpoints write null there.
  choices: z
    .array(
      z.object({
        index: z.int().nullish(),
        error: z.unknown().optional(),
        delta: z
          .looseObject({
            content: z.union([z.string(), z.array(z.unknown())]).nullish(),
            refusal: z.string().nullish(),
            tool_calls: z.array(callFragment).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
});
type Chunk = z.infer<typeof chunk>;

interface AssembledCall {
  id: string;
  name: string;
  arguments: string;
  /** The fields that we do not read. */
  readonly others: Record<string, unknown>;
}

const readInDelta: ReadonlySet<string> = new Set(['role', 'content', 'refusal', 'tool_calls']);
const readInCall: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function']);

/** Adds the unread fields of a fragment to those of its whole: texts and lists grow, anything else is replaced. Returns their characters. */
function addUnreadFieldsAndCountChars(
  others: Record<string, unknown>,
  fragment: Readonly<Record<string, unknown>>,
  read: ReadonlySet<string>,
): number {
  let chars = 0;
  for (const [key, value] of Object.entries(fragment)) {
    if (read.has(key) || value === null || value === undefined) continue;
    const before = others[key];
    if (typeof before === 'string' && typeof value === 'string') others[key] = before + value;
    else if (Array.isArray(before) && Array.isArray(value)) others[key] = [...before, ...value];
    else others[key] = value;
    chars += JSON.stringify(value).length;
  }
  return chars;
}

/** Assembles the chunks of a streamed chat completion. */
class Assembly implements StreamAssembly {
  chars = 0;
  #begun = false;
  #content = '';
  /** The parts of a content that does not come as text. */
  readonly #parts: unknown[] = [];
  readonly #others: Record<string, unknown> = {};
  #refusal = '';
  #finish: string | null = null;
  #usage: unknown = null;
  readonly #calls: AssembledCall[] = [];
  /** The call for each fragment index. */
  readonly #byIndex = new Map<number, AssembledCall>();

  get isFinished(): boolean {
    return this.#finish !== null;
  }

  addEventAndGetEndIfAny(json: unknown): StreamedCompletion | null {
    const read = chunk.safeParse(json).data;
    if (read === undefined) return { kind: 'malformed' };
    const error = read.error ?? read.choices?.find((each) => (each.error ?? null) !== null)?.error ?? null;
    if (error !== null) return { kind: 'error', error, usage: read.usage ?? this.#usage ?? undefined };
    this.#addChunk(read);
    return null;
  }

  #addChunk({ choices, usage }: Chunk): void {
    this.#usage = usage ?? this.#usage;
    const choice = choices?.find(({ index }) => (index ?? 0) === 0);
    if (choice === undefined) return;
    this.#begun = true;
    this.#finish = choice.finish_reason ?? this.#finish;
    const { content, refusal, tool_calls: fragments } = choice.delta ?? {};
    this.#addContent(content ?? '');
    this.#refusal += refusal ?? '';
    this.chars += (refusal?.length ?? 0) + addUnreadFieldsAndCountChars(this.#others, choice.delta ?? {}, readInDelta);
    for (const fragment of fragments ?? []) {
      const call = this.#getOrAddCall(fragment);
      call.id ||= fragment.id ?? '';
      call.name ||= fragment.function?.name ?? '';
      const args = fragment.function?.arguments ?? '';
      const text = typeof args === 'string' ? args : JSON.stringify(args);
      call.arguments += text;
      this.chars += text.length + addUnreadFieldsAndCountChars(call.others, fragment, readInCall);
    }
  }

  makeCompletion(): StreamedCompletion {
    if (!this.#begun) return { kind: 'malformed' };
    const tool_calls = this.#calls.map(({ id, name, arguments: args, others }) => ({
      ...others,
      id,
      function: { name, arguments: args },
    }));
    const content = this.#parts.length === 0 ? this.#content : [...this.#parts, ...this.#takeTextAsPart()];
    const message = { ...this.#others, content, refusal: this.#refusal, tool_calls };
    const body = { choices: [{ message, finish_reason: this.#finish }], usage: this.#usage };
    return { kind: 'complete', body };
  }

  #addContent(content: string | readonly unknown[]): void {
    if (typeof content === 'string') {
      this.#content += content;
      this.chars += content.length;
      return;
    }
    this.#parts.push(...this.#takeTextAsPart(), ...content);
    this.chars += JSON.stringify(content).length;
  }

  /** Takes the text so far as a part, so that parts stay in their order. */
  #takeTextAsPart(): unknown[] {
    const text = this.#content;
    this.#content = '';
    return text === '' ? [] : [{ type: 'text', text }];
  }

  /**
   * Returns the call that a fragment belongs to, by its index. Endpoints that number all calls alike, or none, give
   * each an id.
   */
  #getOrAddCall({ index, id }: z.infer<typeof callFragment>): AssembledCall {
    const known = index === null || index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index);
    const isAnother = known !== undefined && known.id !== '' && Boolean(id) && known.id !== id;
    if (known !== undefined && !isAnother) return known;
    const call = { id: '', name: '', arguments: '', others: {} };
    this.#calls.push(call);
    if (index !== null && index !== undefined) this.#byIndex.set(index, call);
    return call;
  }
}

/**
 * Reads a streamed chat completion to its end: `[DONE]`, or the end of the stream after the finish reason. Rejects like
 * reading the body does, unless the answer is complete by then; `signal` cuts it off.
 */
export const readStreamedCompletion = (
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<StreamedCompletion> => readEventStreamIntoCompletion(body, signal, makeChatAssembly());

export const makeChatAssembly = (): StreamAssembly => new Assembly();
