import { z } from 'zod';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { costUsdOrZero } from '#core/models/prices.ts';
import type { Queued } from '#core/ports.ts';
import type { ModelCall, ModelRole } from '#core/models/model-call.ts';
import { requestUntilAnsweredOrGivenUp, type Repeats } from './backoff.ts';
import type { EndpointOptions, ModelConfig } from './model-config.ts';
import { sendWhenGovernorAllowsUntilNotBusy } from './governed-requests.ts';
import { sendModelRequest, type Broken, type ModelRequest, type Sent } from './send-request.ts';
import { parseUsage, type CountedTokens } from './usage.ts';

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
        /** What the endpoint said of its refusal, as it wrote it: it may hold anything. */
        readonly said?: string;
        /** What unusable answers took. */
        readonly call?: ModelCall;
      }
  );

/** The tokens of an answer; those that are unknown are absent. */
export type Tokens = Pick<CountedTokens, 'prompt' | 'completion'> & Partial<CountedTokens>;

/** One request and how its answer is read. */
export interface Exchange<T> {
  /** `name@version`, or `none`. */
  readonly prompt: string;
  readonly timeoutMs: number;
  /** What it takes at most, by an estimate: prompt and completion. */
  readonly tokens: number;
  /** How long it waits in place for an endpoint that rests. */
  readonly patienceMs: number;
  readonly start: ModelRequest['start'];
  readonly readStream?: ModelRequest['readStream'];
  /** Undefined where the body is not what was asked for. */
  readonly read: (body: unknown) => T | undefined;
  /** What should have come, for a person. */
  readonly expected: string;
  /** What an answer beyond the bound in bytes counts as; without it, it is a fault. */
  readonly endless?: T;
  /** Returns what a refusal counts as; without it, and where it returns nothing, a refusal is a fault. */
  readonly findRejection?: (refusal: Broken) => T | undefined;
  readonly countTokens: (value: T) => Tokens;
}

const unread: Tokens = { prompt: 0, completion: 0 };

/** An answer, and the refusal that it is. */
export interface Exchanged<T> {
  readonly answer: EndpointAnswer<T>;
  readonly latencyMs: number;
  readonly broken?: Broken;
}

/** Returns a function that makes a request, repeats what may pass, and adds up the tokens of what was answered. */
export function makeRetryingExchange(role: ModelRole, config: ModelConfig, options: EndpointOptions) {
  const repeats = makeRetryOptions(options);
  const { model } = config;
  const governor = config.governor === undefined ? undefined : options.governors?.(config.governor);
  const governed = governor === undefined ? null : { governor, role, model, now: repeats.now, sleep: repeats.sleep };
  return async <T>(exchanged: Exchange<T>): Promise<Exchanged<T>> => {
    const { start, readStream } = exchanged;
    let wasted: Tokens = unread;
    const { attempt, retries, latencyMs, queuedMs } = await requestUntilAnsweredOrGivenUp(
      async (leftMs, place) => {
        const timeoutMs = Math.max(1, Math.min(config.timeoutMs, leftMs));
        const sent = await sendModelRequest({ start, readStream, timeoutMs, place });
        const made = convertAnswerOrRejection(sent, exchanged);
        if (!made.ok) wasted = sumTokens(wasted, made.usage ?? {});
        // A request that took all the time of its caller leaves none for another.
        return !made.ok && made.transient === 'once' && leftMs <= config.timeoutMs
          ? { ...made, transient: false }
          : made;
      },
      repeats,
      exchanged.timeoutMs,
      governed === null ? undefined : (send) => sendWhenGovernorAllowsUntilNotBusy(governed, exchanged, send),
    );
    const makeCall = (tokens: Tokens): ModelCall => ({
      role,
      model,
      prompt: exchanged.prompt,
      ...makeTokenCountsAndCost(config, tokens),
      latencyMs,
      retries,
    });
    if (attempt.ok) {
      const { value } = attempt;
      const call = makeCall(sumTokens(wasted, exchanged.countTokens(value)));
      return { answer: { ok: true, value, call, queuedMs }, latencyMs };
    }
    const { code, detail, status, refused, said } = attempt;
    const answer = {
      ok: false,
      fault: { where: 'model', name: role, code, detail, ...(status === undefined ? {} : { status }) },
      ...(status === undefined ? {} : { status }),
      ...(said === undefined ? {} : { said: said.message }),
      ...(refused === 'function-cap' ? { tooManyFunctions: true as const } : {}),
      ...(wasted.prompt + wasted.completion > 0 ? { call: makeCall(wasted) } : {}),
      queuedMs,
    } as const;
    return { answer, broken: attempt, latencyMs };
  };
}

const makeRetryOptions = (options: EndpointOptions): Repeats => ({
  admission: options.admission,
  sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
  random: options.random ?? Math.random,
  now: options.now ?? Date.now,
  maxRetries: options.maxRetries ?? 4,
  maxWaitMs: options.maxWaitMs ?? 60_000,
});

type Attempt<T> = { readonly ok: true; readonly value: T; readonly headers?: Headers | undefined } | Broken;

/** Converts an answer for the caller. */
function convertAnswerOrRejection<T>(sent: Sent, { read, expected, endless, findRejection }: Exchange<T>): Attempt<T> {
  if (sent.ok) {
    const value = read(sent.body);
    const { headers } = sent;
    if (value !== undefined) return { ok: true, value, headers };
    const detail = `the answer is no ${expected}`;
    const usage = parseUsage(answerWithUsage.safeParse(sent.body).data?.usage);
    return { ok: false, code: 'malformed-protocol', detail, transient: false, usage, headers };
  }
  if (sent.isEndless === true && endless !== undefined) return { ok: true, value: endless };
  const rejected = findRejection?.(sent);
  return rejected === undefined ? sent : { ok: true, value: rejected };
}

const answerWithUsage = z.looseObject({ usage: z.unknown().optional() });

const sumTokens = (a: Tokens, b: Partial<CountedTokens>): Tokens => {
  const sum = (kind: keyof CountedTokens): number => (a[kind] ?? 0) + (b[kind] ?? 0);
  return {
    prompt: sum('prompt'),
    completion: sum('completion'),
    cached: sum('cached'),
    written: sum('written'),
    reasoning: sum('reasoning'),
  };
};

function makeTokenCountsAndCost(
  config: ModelConfig,
  { prompt, completion, cached = 0, written = 0, reasoning = 0 }: Tokens,
) {
  const cachedTokens = Math.min(cached, prompt);
  const cacheWriteTokens = Math.min(written, prompt - cachedTokens);
  const reasoningTokens = Math.min(reasoning, completion);
  const parts = Object.fromEntries(
    Object.entries({ cachedTokens, cacheWriteTokens, reasoningTokens }).filter(([, tokens]) => tokens > 0),
  );
  const taken = { promptTokens: prompt, completionTokens: completion, ...parts };
  return { ...taken, costUsd: costUsdOrZero(taken, config) };
}
