import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { costUsd } from '#core/prices.ts';
import type { Embedder, InfrastructureFault, ModelCall, ModelRole } from '#core/ports.ts';
import { brokenByGuard, type BrokenRequest } from '#adapters/mcp/guard-faults.ts';
import { findGuardError, type FetchLike } from '#adapters/mcp/guarded-fetch.ts';
import { repeated, type Repeats } from './backoff.ts';
import { readCompletion, type Completion } from './completion.ts';
import { readVectors } from './vectors.ts';

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
}

export interface EndpointOptions extends Partial<Repeats> {
  /** Bounds the answers in bytes and guards the address: guardedFetch. */
  readonly fetch: FetchLike;
}

export type EndpointAnswer<T> =
  | { readonly ok: true; readonly value: T; readonly call: ModelCall }
  | { readonly ok: false; readonly fault: InfrastructureFault };

type Body = Omit<ChatCompletionCreateParamsNonStreaming, 'model' | 'max_completion_tokens' | 'stream'>;

/** One role's endpoint: repeats what may pass (429, 5xx, no connection), records tokens and cost of what was answered. */
export interface Endpoint {
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
  readonly send: (options: { readonly timeout: number }) => Promise<unknown>;
  /** Undefined where the body is not what was asked for. */
  readonly read: (body: unknown) => T | undefined;
  /** What should have come, for a person. */
  readonly expected: string;
  /** What an answer beyond the bound in bytes counts as; without it, it is a fault. */
  readonly endless?: T;
  /** What a refusal of the request counts as, by the endpoint's name for it; the others are faults. */
  readonly rejections?: ReadonlyMap<unknown, T>;
  readonly tokens: (value: T) => Tokens;
}

export function endpoint(role: ModelRole, config: ModelConfig, options: EndpointOptions): Endpoint {
  const client = new OpenAI({
    // Endpoints of one's own often want no key; the sdk insists on one.
    apiKey: config.apiKey || 'none',
    baseURL: config.baseUrl,
    // Without these the sdk looks into the environment.
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: (url, init) => options.fetch(url instanceof Request ? url.url : url, init),
  });
  const repeats: Repeats = {
    sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    random: options.random ?? Math.random,
    now: options.now ?? Date.now,
    maxRetries: options.maxRetries ?? 4,
    maxWaitMs: options.maxWaitMs ?? 60_000,
  };

  async function exchange<T>(exchanged: Exchange<T>): Promise<EndpointAnswer<T>> {
    const { prompt, timeoutMs } = exchanged;
    const { attempt, retries, latencyMs } = await repeated(
      (leftMs) => once(exchanged, Math.max(1, Math.min(config.timeoutMs, leftMs))),
      repeats,
      timeoutMs,
    );
    if (!attempt.ok)
      return { ok: false, fault: { where: 'model', name: role, code: attempt.code, detail: attempt.detail } };
    const { value } = attempt;
    const spent = costOf(config, exchanged.tokens(value));
    return { ok: true, value, call: { role, model: config.model, prompt, ...spent, latencyMs, retries } };
  }

  const { model, maxCompletionTokens } = config;
  return {
    complete({ prompt, body, timeoutMs = Number.POSITIVE_INFINITY }) {
      const request = { ...body, model, max_completion_tokens: maxCompletionTokens, stream: false as const };
      return exchange({
        prompt,
        timeoutMs,
        send: (options) => client.chat.completions.create(request, options),
        read: readCompletion,
        expected: 'chat completion',
        // Whoever writes more than the bound would not have stopped: the model's own doing, like running out of tokens.
        endless: { ...silence, finish: 'length', usage: undefined },
        rejections: rejectedCompletions,
        tokens: (completion) => tokensOf(body, completion),
      });
    },

    async embed(texts) {
      // Without a format the sdk asks for base64, which not every endpoint knows.
      const request = { input: [...texts], model, encoding_format: 'float' as const };
      const answer = await exchange({
        prompt: 'none',
        timeoutMs: Number.POSITIVE_INFINITY,
        send: (options) => client.embeddings.create(request, options),
        read: (body) => readVectors(body, texts.length),
        expected: 'list of vectors, one a text',
        tokens: ({ promptTokens }) => ({ prompt: promptTokens ?? estimate(texts.join('')), completion: 0 }),
      });
      return answer.ok ? { ok: true, vectors: answer.value.vectors, call: answer.call } : answer;
    },
  };
}

const silence = { content: '', toolCalls: [], refusal: '' } as const;
const unread = { prompt: 0, completion: 0 };
/** A conversation that outgrew the model, and one that its filter stops, are the doing of whoever wrote it: once more is no better. */
const rejectedCompletions: ReadonlyMap<unknown, Completion> = new Map([
  ['context_length_exceeded', { ...silence, finish: 'length', usage: unread }],
  ['content_filter', { ...silence, finish: 'refused', usage: unread }],
]);

interface Broken extends BrokenRequest {
  readonly ok: false;
  readonly headers?: Headers;
}

type Attempt<T> = { readonly ok: true; readonly value: T } | Broken;

async function once<T>(exchanged: Exchange<T>, timeoutMs: number): Promise<Attempt<T>> {
  const { send, read, expected, endless, rejections } = exchanged;
  try {
    const value = read(await send({ timeout: Math.ceil(timeoutMs) }));
    if (value !== undefined) return { ok: true, value };
    return broken('malformed-protocol', `the answer is no ${expected}`, false);
  } catch (error) {
    const refused = findGuardError(error);
    if (refused?.code === 'body-too-large' && endless !== undefined) return { ok: true, value: endless };
    const rejected = error instanceof APIError ? rejections?.get(error.code) : undefined;
    return rejected === undefined ? failure(error, refused) : { ok: true, value: rejected };
  }
}

function failure(error: unknown, refused: ReturnType<typeof findGuardError>): Broken {
  if (refused !== undefined) return { ok: false, ...brokenByGuard(refused) };
  if (error instanceof APIConnectionTimeoutError) return broken('timeout', 'no answer in time', false);
  if (error instanceof APIError) return ofStatus(error);
  return broken('malformed-protocol', 'the answer is not JSON', false);
}

function ofStatus(error: APIError): Broken {
  const { status, headers } = error;
  if (status === undefined) return broken('unreachable', 'no connection', true);
  // An account without credit answers 429 too; waiting does not fill it.
  const passing = (status === 429 && error.code !== 'insufficient_quota') || status >= 500;
  const code = status === 429 ? 'rate-limited' : 'http-status';
  const reason = typeof error.code === 'string' && /^[a-z_]{1,60}$/.test(error.code) ? ` (${error.code})` : '';
  const attempt = broken(code, `HTTP status ${status}${reason}`, passing);
  return headers === undefined ? attempt : { ...attempt, headers };
}

const broken = (code: InfrastructureFault['code'], detail: string, transient: boolean) =>
  ({ ok: false, code, detail, transient }) as const;

function tokensOf(body: Body, { content, toolCalls, usage }: Completion): Tokens {
  // Nobody read what the endpoint refused.
  if (usage === unread) return unread;
  const prompt = JSON.stringify([body.messages, body.tools ?? []]);
  const written = content + toolCalls.map((call) => call.name + call.argumentsText).join('');
  return {
    prompt: counted(usage?.prompt, prompt),
    completion: counted(usage?.completion, written),
  };
}

/** What an endpoint counted, unless it is less than there can be: an endpoint may belong to somebody who wants to be cheap. */
const counted = (tokens: number | undefined, text: string): number =>
  tokens === undefined || tokens * longestTokenChars < text.length ? estimate(text) : tokens;

/** Characters of a token in the mean that no tokenizer comes to on what agents read and write, which is some 3 to 5. */
const longestTokenChars = 16;

function costOf(config: ModelConfig, tokens: Tokens) {
  const taken = { promptTokens: tokens.prompt, completionTokens: tokens.completion };
  return { ...taken, costUsd: costUsd(taken, config) };
}

/** Tokens of a text where an endpoint does not count them: a rule of thumb for English. */
const estimate = (text: string): number => Math.ceil(text.length / 4);
