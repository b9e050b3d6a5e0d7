import type { GatewayWire } from '#core/models/gateway/wire.ts';
import type { FaultCode } from '#core/models/faults.ts';
import { parseCompletion } from './completion.ts';
import { makeChatAssembly } from './completion-stream.ts';
import { EventReader, type StreamAssembly, type StreamedCompletion } from './event-stream.ts';
import { makeGeminiAssembly, parseGeminiAnswer } from './gemini-answer.ts';
import { makeMessageAssembly, parseAnthropicMessageAnswer } from './message.ts';
import { makeResponseAssembly, parseResponsesApiAnswer } from './response.ts';
import type { CountedTokens } from './usage.ts';

/** What is read of an answer, in any wire. */
interface ReadAnswer {
  readonly content: string;
  readonly toolCalls: readonly { readonly name: string; readonly argumentsText: string }[];
  readonly usage: Partial<CountedTokens>;
}

const readers: Readonly<
  Record<
    GatewayWire,
    { readonly read: (body: unknown) => ReadAnswer | undefined; readonly assemble: () => StreamAssembly }
  >
> = {
  chat: { read: parseCompletion, assemble: makeChatAssembly },
  responses: { read: parseResponsesApiAnswer, assemble: makeResponseAssembly },
  messages: { read: parseAnthropicMessageAnswer, assemble: makeMessageAssembly },
  gemini: { read: parseGeminiAnswer, assemble: makeGeminiAssembly },
};

/** What an answer came to, or has come to so far. */
export interface SeenAnswer {
  readonly usage: Partial<CountedTokens>;
  /** The names of the functions whose call it asks for. */
  readonly calls: readonly string[];
  /** Characters of its text and arguments, by which tokens are estimated that nobody counted. */
  readonly chars: number;
  /** What is wrong with it; absent if nothing is, or it was not passed to its end. */
  readonly fault?: FaultCode;
  /** Whether all of it has passed. */
  readonly isWhole: boolean;
}

/** Reads an answer of a model while it passes, without changing it. */
export class PassingAnswer {
  readonly #wire: GatewayWire;
  readonly #assembly: StreamAssembly;
  /** Null for an answer that is not streamed. */
  readonly #events: EventReader | null;
  #body: unknown;
  #end: StreamedCompletion | null = null;
  #state: 'open' | 'ended' | 'broken' = 'open';

  constructor(wire: GatewayWire, isStream: boolean) {
    this.#wire = wire;
    this.#assembly = readers[wire].assemble();
    this.#events = isStream ? new EventReader(this.#assembly) : null;
  }

  /** Reads a piece of a stream; what follows its end says nothing more. */
  addBytes(bytes: Uint8Array): void {
    if (this.#events !== null) this.#end ??= this.#events.addBytesAndGetEndIfAny(bytes);
  }

  /** Reads the whole body of an answer that is not streamed. */
  setBody(text: string): void {
    this.#body = parseJsonOrUndefined(text);
  }

  /** Notes that the endpoint has sent all of it. */
  end(): void {
    this.#state = 'ended';
    if (this.#events !== null) this.#end ??= this.#events.makeCompletionAtEndOfStream();
  }

  /** Notes that the endpoint broke it off, or fell silent. */
  breakOff(): void {
    this.#state = 'broken';
  }

  /** Returns what has passed so far, at any time. */
  see(): SeenAnswer {
    const { read } = readers[this.#wire];
    const end: StreamedCompletion =
      this.#events === null ? { kind: 'complete', body: this.#body } : (this.#end ?? { kind: 'cut' });
    const partial = end.kind === 'complete' ? end : this.#assembly.makeCompletion();
    const seen = partial.kind === 'complete' ? read(partial.body) : undefined;
    const fault = this.#state === 'ended' ? faultOfEnd(end, seen !== undefined) : undefined;
    const found = this.#state === 'broken' ? 'connection-lost' : fault;
    const whole = { isWhole: this.#state === 'ended', ...(found && { fault: found }) };
    if (seen === undefined) return { usage: {}, calls: [], chars: this.#assembly.chars, ...whole };
    const chars = seen.content.length + seen.toolCalls.reduce((sum, call) => sum + call.argumentsText.length, 0);
    return { usage: seen.usage, calls: seen.toolCalls.map(({ name }) => name), chars, ...whole };
  }
}

function faultOfEnd({ kind }: StreamedCompletion, isRead: boolean): FaultCode | undefined {
  if (kind === 'complete') return isRead ? undefined : 'malformed-protocol';
  return kind === 'cut' || kind === 'error' ? 'connection-lost' : 'malformed-protocol';
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
