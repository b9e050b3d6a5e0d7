import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import type { InfrastructureFault, ModelCall, ModelRole } from '#core/ports.ts';
import { findGuardError, type FetchLike } from '#adapters/mcp/guarded-fetch.ts';
import { waitMs } from './backoff.ts';
import { readCompletion, type Completion } from './completion.ts';

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

export interface EndpointOptions {
  /** Bounds the answers in bytes and guards the address: guardedFetch. */
  readonly fetch: FetchLike;
  readonly maxRetries?: number;
  /** Bound of all waits before repeats of one request, together. */
  readonly maxWaitMs?: number;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly random?: () => number;
  /** Wall clock in milliseconds since the epoch. */
  readonly now?: () => number;
}

export type EndpointAnswer =
  | { readonly ok: true; readonly completion: Completion; readonly call: ModelCall }
  | { readonly ok: false; readonly fault: InfrastructureFault };

type Body = Omit<ChatCompletionCreateParamsNonStreaming, 'model' | 'max_completion_tokens' | 'stream'>;

/** One role's endpoint: repeats what may pass (429, 5xx, no connection), records tokens and cost of what was answered. */
export interface Endpoint {
  complete(request: {
    readonly prompt: string;
    readonly body: Body;
    readonly timeoutMs?: number;
  }): Promise<EndpointAnswer>;
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
  const sleep = options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  const random = options.random ?? Math.random;
  const now = options.now ?? Date.now;
  const maxRetries = options.maxRetries ?? 4;
  const maxWaitMs = options.maxWaitMs ?? 60_000;

  return {
    async complete({ prompt, body, timeoutMs = Number.POSITIVE_INFINITY }) {
      const start = now();
      let waited = 0;
      for (let retries = 0; ; retries += 1) {
        const left = timeoutMs - (now() - start);
        const attempt = await once(client, config, body, Math.max(1, Math.min(config.timeoutMs, left)));
        const latencyMs = now() - start;
        if (attempt.ok) {
          const { completion } = attempt;
          return { ok: true, completion, call: callOf({ role, config, prompt, body, completion, latencyMs, retries }) };
        }
        const wait = waitMs(retries, attempt.headers, now(), random);
        const hopeless = !attempt.transient || retries === maxRetries || waited + wait > maxWaitMs;
        if (hopeless || latencyMs + wait >= timeoutMs) {
          return { ok: false, fault: { where: 'model', name: role, code: attempt.code, detail: attempt.detail } };
        }
        waited += wait;
        await sleep(wait);
      }
    },
  };
}

type Attempt =
  | { readonly ok: true; readonly completion: Completion }
  | {
      readonly ok: false;
      readonly code: InfrastructureFault['code'];
      readonly detail: string;
      readonly transient: boolean;
      readonly headers?: Headers;
    };

async function once(client: OpenAI, config: ModelConfig, body: Body, timeoutMs: number): Promise<Attempt> {
  const { model, maxCompletionTokens } = config;
  const request = { ...body, model, max_completion_tokens: maxCompletionTokens, stream: false as const };
  try {
    const answer: unknown = await client.chat.completions.create(request, { timeout: Math.ceil(timeoutMs) });
    const completion = readCompletion(answer);
    if (completion !== undefined) return { ok: true, completion };
    return broken('malformed-protocol', 'the answer is no chat completion', false);
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): Attempt {
  const refused = findGuardError(error);
  switch (refused?.code) {
    case 'address-forbidden':
    case 'timeout':
      return broken(refused.code, refused.message, false);
    case 'too-many-redirects':
      return broken('http-status', refused.message, false);
    case 'unreachable':
    case 'connection-lost':
      return broken(refused.code, refused.message, true);
    case 'body-too-large':
      // Whoever writes more than the bound would not have stopped: the model's own doing, like running out of tokens.
      return { ok: true, completion: { content: '', toolCalls: [], finish: 'length', refusal: '', usage: undefined } };
    case undefined:
      break;
  }
  if (error instanceof APIConnectionTimeoutError) return broken('timeout', 'no answer in time', false);
  if (error instanceof APIError) return ofStatus(error);
  return broken('malformed-protocol', 'the answer is not JSON', false);
}

function ofStatus(error: APIError): Attempt {
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

function callOf(made: {
  readonly role: ModelRole;
  readonly config: ModelConfig;
  readonly prompt: string;
  readonly body: Body;
  readonly completion: Completion;
  readonly latencyMs: number;
  readonly retries: number;
}): ModelCall {
  const { role, config, prompt, body, completion, latencyMs, retries } = made;
  const { content, toolCalls, usage } = completion;
  const promptTokens = usage?.prompt ?? estimate(JSON.stringify([body.messages, body.tools ?? []]));
  const written = content + toolCalls.map((call) => call.name + call.argumentsText).join('');
  const completionTokens = usage?.completion ?? estimate(written);
  const price =
    promptTokens * (config.promptPricePerMTok ?? 0) + completionTokens * (config.completionPricePerMTok ?? 0);
  const costUsd = price / 1_000_000;
  return { role, model: config.model, prompt, promptTokens, completionTokens, costUsd, latencyMs, retries };
}

/** Tokens of a text where an endpoint does not count them: a rule of thumb for English. */
const estimate = (text: string): number => Math.ceil(text.length / 4);
