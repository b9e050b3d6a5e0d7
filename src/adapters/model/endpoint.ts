import OpenAI from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { estimateTokens } from '#core/models/estimate-tokens.ts';
import { costUsdOrZero } from '#core/models/prices.ts';
import type { InfrastructureFault } from '#core/faults.ts';
import type { Embedder, ModelCall, ModelRole, Queued } from '#core/ports.ts';
import type { Admission } from '#adapters/network/admission.ts';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import { requestWithRetries, type Repeats } from './backoff.ts';
import { readCompletion, type Completion } from './completion.ts';
import { readVectors } from './vectors.ts';
import type { RefusedConversation } from './refusals.ts';
import { sendRequest, type Broken, type ModelRequest, type Sent } from './send-request.ts';

/** The model that plays a role, and where it is. Prices in US dollars per million tokens. */
export interface ModelConfig {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  readonly promptPricePerMTok?: number;
  readonly completionPricePerMTok?: number;
  /** Bound of one request. */
  readonly timeoutMs: number;
  readonly maxCompletionTokens: number;
  /** Sent only if given: some models refuse it. */
  readonly temperature?: number | undefined;
}

export interface EndpointOptions extends Partial<Repeats> {
  readonly admission: Admission;
  /** Bounds the answers in bytes and guards the address: makeGuardedFetch. */
  readonly fetch: FetchLike;
}

export type EndpointAnswer<T> = Required<Queued> &
  (
    | { readonly ok: true; readonly value: T; readonly call: ModelCall }
    | {
        readonly ok: false;
        readonly fault: InfrastructureFault;
        /** The HTTP status of a refused request. */
        readonly status?: number;
        /** Set if the endpoint takes fewer functions than it was offered. */
        readonly tooManyFunctions?: true;
      }
  );

type Body = Omit<ChatCompletionCreateParamsStreaming, 'model' | 'max_completion_tokens' | 'stream' | 'stream_options'>;

/** One role's endpoint: repeats what may pass (429, 5xx, no connection), records tokens and cost of what was answered. */
export interface Endpoint {
  /** Where it is and which model it asks; the same for each role that asks it. */
  readonly address: string;
  complete(request: {
    readonly prompt: string;
    readonly body: Body;
    readonly timeoutMs?: number;
  }): Promise<EndpointAnswer<Completion>>;
  readonly embed: Embedder['embed'];
}

interface Tokens {
  readonly prompt: number;
  readonly completion: number;
}

/** One request and how its answer is read. */
interface Exchange<T> {
  /** `name@version`, or `none`. */
  readonly prompt: string;
  readonly timeoutMs: number;
  readonly start: ModelRequest['start'];
  /** Undefined where the body is not what was asked for. */
  readonly read: (body: unknown) => T | undefined;
  /** What should have come, for a person. */
  readonly expected: string;
  /** What an answer beyond the bound in bytes counts as; without it, it is a fault. */
  readonly endless?: T;
  /** What a refusal of the conversation counts as; the others are faults. */
  readonly rejections?: ReadonlyMap<RefusedConversation, T>;
  readonly tokens: (value: T) => Tokens;
}

const makeClient = (config: ModelConfig, options: EndpointOptions): OpenAI =>
  new OpenAI({
    // Self-hosted endpoints often need no key, but the SDK requires one.
    apiKey: config.apiKey || 'none',
    baseURL: config.baseUrl,
    // Without these the sdk looks into the environment.
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    // Each request is made by an operation that holds a place.
    fetch: (url, init) => options.fetch(url instanceof Request ? url.url : url, { ...init, hasPlace: true }),
  });

const makeRepeatOptions = (options: EndpointOptions): Repeats => ({
  admission: options.admission,
  sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
  random: options.random ?? Math.random,
  now: options.now ?? Date.now,
  maxRetries: options.maxRetries ?? 4,
  maxWaitMs: options.maxWaitMs ?? 60_000,
});

export function makeEndpoint(role: ModelRole, config: ModelConfig, options: EndpointOptions): Endpoint {
  const client = makeClient(config, options);
  const repeats = makeRepeatOptions(options);

  async function exchange<T>(exchanged: Exchange<T>): Promise<EndpointAnswer<T>> {
    const { attempt, retries, latencyMs, queuedMs } = await requestWithRetries(
      async (leftMs, place) => {
        const timeoutMs = Math.max(1, Math.min(config.timeoutMs, leftMs));
        return convertAnswerOrRejection(await sendRequest({ start: exchanged.start, timeoutMs, place }), exchanged);
      },
      repeats,
      exchanged.timeoutMs,
    );
    if (!attempt.ok) {
      const { code, detail, status, refused } = attempt;
      const fault = { where: 'model', name: role, code, detail } as const;
      const cap = refused === 'function-cap' ? { tooManyFunctions: true as const } : {};
      return { ok: false, fault, ...(status === undefined ? {} : { status }), ...cap, queuedMs };
    }
    const { value } = attempt;
    const spent = withCost(config, exchanged.tokens(value));
    return {
      ok: true,
      value,
      call: { role, model: config.model, prompt: exchanged.prompt, ...spent, latencyMs, retries },
      queuedMs,
    };
  }

  const { model, maxCompletionTokens, temperature } = config;
  const sampling = temperature === undefined ? {} : { temperature };
  return {
    address: `${config.baseUrl} ${model}`,

    complete({ prompt, body, timeoutMs = Number.POSITIVE_INFINITY }) {
      // The headers of a stream come at once, and so the place is free while the model writes.
      const streamed = { stream: true, stream_options: { include_usage: true } } as const;
      const request = { ...body, ...sampling, model, max_completion_tokens: maxCompletionTokens, ...streamed };
      return exchange({
        prompt,
        timeoutMs,
        start: (sending) => client.chat.completions.create(request, sending),
        read: readCompletion,
        expected: 'chat completion',
        // A model that exceeds the limit would not have stopped: that is its own failure, like using up its tokens.
        endless: { ...silence, finish: 'length', usage: undefined },
        rejections: rejectedCompletions,
        tokens: (completion) => countTokens(body, completion),
      });
    },

    async embed(texts, timeoutMs = Number.POSITIVE_INFINITY) {
      // Without a format the sdk asks for base64, which not every endpoint knows.
      const request = { input: [...texts], model, encoding_format: 'float' as const };
      const answer = await exchange({
        prompt: 'none',
        timeoutMs,
        start: (sending) => client.embeddings.create(request, sending),
        read: (body) => readVectors(body, texts.length),
        expected: 'list of vectors, one a text',
        tokens: ({ promptTokens }) => ({ prompt: promptTokens ?? estimateTokens(texts.join('')), completion: 0 }),
      });
      const { queuedMs } = answer;
      return answer.ok ? { ok: true, vectors: answer.value.vectors, call: answer.call, queuedMs } : answer;
    },
  };
}

const silence = { content: '', toolCalls: [], refusal: '' } as const;
const unread = { prompt: 0, completion: 0 };
/** Errors that the conversation causes: it is too long for the model, or its filter stops it. Repeating does not help. */
const rejectedCompletions: ReadonlyMap<RefusedConversation, Completion> = new Map([
  ['context-overflow', { ...silence, finish: 'length', overflowed: true, usage: unread }],
  ['content-filter', { ...silence, finish: 'refused', usage: unread }],
]);

type Attempt<T> = { readonly ok: true; readonly value: T } | Broken;

/** Converts an answer for the caller. */
function convertAnswerOrRejection<T>(sent: Sent, { read, expected, endless, rejections }: Exchange<T>): Attempt<T> {
  if (sent.ok) {
    const value = read(sent.body);
    if (value !== undefined) return { ok: true, value };
    return { ok: false, code: 'malformed-protocol', detail: `the answer is no ${expected}`, transient: false };
  }
  if (sent.isEndless === true && endless !== undefined) return { ok: true, value: endless };
  const rejected = sent.refused === undefined ? undefined : rejections?.get(sent.refused);
  return rejected === undefined ? sent : { ok: true, value: rejected };
}

function countTokens(body: Body, { content, toolCalls, usage }: Completion): Tokens {
  // Nobody read what the endpoint refused.
  if (usage === unread) return unread;
  const prompt = JSON.stringify([body.messages, body.tools ?? []]);
  const written = content + toolCalls.map((call) => call.name + call.argumentsText).join('');
  return {
    prompt: plausibleTokens(usage?.prompt, prompt),
    completion: plausibleTokens(usage?.completion, written),
  };
}

/** What an endpoint counted, unless it is less than there can be: an endpoint may belong to somebody who wants to be cheap. */
const plausibleTokens = (tokens: number | undefined, text: string): number =>
  tokens === undefined || tokens * longestTokenChars < text.length ? estimateTokens(text) : tokens;

/** More characters per token than any tokenizer reaches on agents' texts, where the mean is some 3 to 5. */
const longestTokenChars = 16;

function withCost(config: ModelConfig, tokens: Tokens) {
  const taken = { promptTokens: tokens.prompt, completionTokens: tokens.completion };
  return { ...taken, costUsd: costUsdOrZero(taken, config) };
}
