import { z } from 'zod';
import { decryptModelConfig } from '#adapters/model/decrypt-model-config.ts';
import { EndpointRests, patience } from '#adapters/model/governed-requests.ts';
import type { ModelConfig } from '#adapters/model/model-config.ts';
import { modelAnswerBounds } from '#adapters/model/openai.ts';
import { passModelRequest, type Passed } from '#adapters/model/pass-request.ts';
import type { PassingAnswer } from '#adapters/model/passing-answer.ts';
import type { Broken } from '#adapters/model/send-request.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { Settings } from '#adapters/settings.ts';
import { dialectOfModel } from '#core/models/dialect.ts';
import type { FaultCode, InfrastructureFault } from '#core/models/faults.ts';
import {
  callNamesToKeep,
  isAnswered,
  modelCallOfRequest,
  mostModelRequests,
  mostOpenModelRequests,
  type ModelRequest,
} from '#core/models/gateway/model-request.ts';
import { modelAddress, parseModelPath, type AskedOfModel } from '#core/models/gateway/wire.ts';
import { canHaveSoFewTokens } from '#core/models/estimate-tokens.ts';
import type { Governor } from '#core/models/governor/port.ts';
import { costUsdOrZero, mostTokens } from '#core/models/prices.ts';
import { sumUsageOfCalls } from '#core/models/usage.ts';
import { refuse } from '#core/values/errors.ts';
import { findDuplicateKey } from '#core/values/json-keys.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { ok, type Result } from '#core/values/result.ts';
import type { AttemptedEvaluation } from '#durable-objects/shared/objects.ts';
import type { AttemptStore } from './attempt-store.ts';

/** How long an agent may take for a piece of an answer before it is cut off. */
const slowReaderMs = 60_000;

/** What the gateway reads of a request; the endpoint gets all of it. */
const requestBody = z.looseObject({ model: z.string().min(1).max(200).optional() });

/** A model request as an agent sent it. */
export interface SentModelRequest {
  /** What stands behind the attempt's own address, such as `openai/v1/responses`. */
  readonly path: string;
  readonly query: string;
  /** Only those that the endpoint gets. */
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The attempt, how much of its time is left, and its evaluation, which knows the models. */
interface Asking {
  readonly attempt: string;
  readonly leftMs: number;
  readonly models: AttemptedEvaluation['models'];
  readonly isOpen: () => boolean;
}

/** A request that is under way. */
interface OpenRequest {
  readonly asked: AskedOfModel;
  readonly config: ModelConfig;
  readonly bodyBytes: number;
  /** Characters of the body without what is no text, such as pictures. */
  readonly textChars: number;
  readonly begun: number;
  readonly cut: AbortController;
  /** Null until the endpoint answers. */
  answer: PassingAnswer | null;
  status: number | null;
  fault?: FaultCode;
}

/** Passes the model requests of an attempt to the endpoints that its evaluation names, and records what each took. */
export class ModelGateway {
  readonly #store: AttemptStore;
  readonly #settings: () => Settings;
  readonly #admission: Admission;
  readonly #governors: (name: string) => Governor;
  /** Requests that have not ended, by number. */
  readonly #open = new Map<number, OpenRequest>();

  constructor(of: {
    readonly store: AttemptStore;
    readonly settings: () => Settings;
    readonly admission: Admission;
    readonly governors: (name: string) => Governor;
  }) {
    this.#store = of.store;
    this.#settings = of.settings;
    this.#admission = of.admission;
    this.#governors = of.governors;
  }

  /** Answers a request of an admitted agent. */
  async answer(request: SentModelRequest, asking: Asking): Promise<Result<Response>> {
    const asked = parseModelPath(request.path);
    if (asked === null) return refuse('not-found', `no API of models is at ${request.path}`);
    const read = parseRequestBody(request.body);
    if (!read.ok) return read;
    const model = asked.model ?? read.value.body.model;
    if (model === undefined) return refuse('invalid-request', 'the request names no model');
    const requests = this.listRequests();
    const admitted = await asking.models.admitRequest(asking.attempt, {
      model,
      spent: sumUsageOfCalls(requests.map(modelCallOfRequest)),
      isAnswered: requests.findLast(({ cut }) => cut === undefined)?.fault === undefined,
    });
    if (!admitted.ok) return admitted;
    const config = await decryptModelConfig(this.#settings(), 'agent', admitted.value);
    // It may have ended meanwhile.
    if (!asking.isOpen()) return refuse('attempt-over', 'the attempt is over');
    const { textChars } = read.value;
    const opened = this.#openRequest(asked, config, { bodyBytes: request.body.byteLength, textChars });
    return opened.ok ? this.#pass(opened.value, request, asking) : opened;
  }

  /** Opens a request unless a limit is reached, and stores it: one that a restart cuts off has been paid for. */
  #openRequest(
    asked: AskedOfModel,
    config: ModelConfig,
    sizes: Pick<OpenRequest, 'bodyBytes' | 'textChars'>,
  ): Result<number> {
    if (this.#open.size >= mostOpenModelRequests)
      return refuseForNow(`an attempt may have ${mostOpenModelRequests} model requests under way`, 1_000);
    const n = this.#store.countModelRequests() + 1;
    if (n > mostModelRequests)
      return refuse('model-requests-spent', `an attempt may make ${mostModelRequests} model requests`);
    const begun = Date.now();
    this.#open.set(n, { asked, config, ...sizes, begun, cut: new AbortController(), answer: null, status: null });
    this.#storeRequest(n);
    return ok(n);
  }

  async #pass(n: number, request: SentModelRequest, { attempt, leftMs, models }: Asking): Promise<Result<Response>> {
    const open = this.#open.get(n);
    if (open === undefined) return refuse('attempt-over', 'the attempt is over');
    try {
      const passed = await this.#send(open, request, leftMs);
      if (!passed.ok || passed.refused !== undefined) {
        const { broken, status } = passed.ok
          ? { broken: passed.refused, status: passed.response.status }
          : { broken: passed.broken, status: null };
        open.status = status;
        open.fault = broken?.code ?? 'connection-lost';
        this.#close(n);
        if (!open.asked.isCount) await models.noteRefusal(attempt, makeModelFault(open, broken));
        return passed.ok ? ok(passed.response) : refuse('model-not-answering', passed.broken.detail);
      }
      open.answer = passed.answer;
      open.status = passed.response.status;
      void passed.ended.catch(() => undefined).then(() => this.#close(n));
      return ok(passed.response);
    } catch (error) {
      open.fault = error instanceof EndpointRests ? 'rate-limited' : 'connection-lost';
      this.#close(n);
      if (!(error instanceof EndpointRests)) throw error;
      return refuseForNow(error.message, Math.max(0, error.untilMs - Date.now()));
    }
  }

  #send(
    { asked, config, bodyBytes, cut }: OpenRequest,
    { headers: sent, query, body }: SentModelRequest,
    leftMs: number,
  ): Promise<Passed> {
    const settings = this.#settings();
    const headers = new Headers(sent);
    const [name, value] = keyHeader(asked, config);
    headers.set(name, value);
    const governor = config.governor === undefined ? null : this.#governors(config.governor);
    const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    return passModelRequest(
      {
        wire: asked.wire,
        url: modelAddress(config.baseUrl, asked, new URLSearchParams(query)),
        headers,
        body,
        apiKey: config.apiKey,
      },
      {
        fetch: makeGuardedFetch({
          admission: this.#admission,
          allowLocal: settings.ALLOW_LOCAL_SERVERS,
          ...modelAnswerBounds,
        }),
        governed: governor && { governor, role: 'agent', model: config.model, now: Date.now, sleep },
        tokens: Math.ceil(bodyBytes / 4),
        patienceMs: Math.min(leftMs, patience.ofConversationsMs),
        silenceMs: Math.max(1, Math.min(leftMs, config.timeoutMs)),
        slowReaderMs,
        signal: cut.signal,
      },
    );
  }

  /** The requests in the order of their beginning, with those that are under way as they stand. */
  listRequests(): ModelRequest[] {
    for (const n of this.#open.keys()) this.#storeRequest(n);
    return this.#store.listModelRequests();
  }

  /** Cuts off what is under way, because the attempt ends. */
  cutOffOpenRequests(): void {
    for (const [n, { cut }] of this.#open) {
      this.#close(n);
      cut.abort();
    }
  }

  /** Stores a request as it ended, once. */
  #close(n: number): void {
    if (!this.#open.has(n)) return;
    this.#storeRequest(n);
    this.#open.delete(n);
  }

  #storeRequest(n: number): void {
    const open = this.#open.get(n);
    if (open !== undefined) this.#store.storeModelRequest(n, makeModelRequest(open, Date.now()));
  }
}

/**
 * Returns a request as it stands. What the endpoint has not counted, or counted lower than can be, is estimated; a refused request
 * and a count of tokens take none.
 */
function makeModelRequest(
  { asked, config, bodyBytes, textChars, begun, answer, status, fault }: OpenRequest,
  nowMs: number,
): ModelRequest {
  const seen = answer?.see();
  const failed = fault ?? seen?.fault;
  const isRefused = status === null ? fault !== undefined : status >= 400;
  const isFree = asked.isCount || isRefused;
  const { usage = {}, chars = 0, calls = [] } = seen ?? {};
  const prompt = countUnlessTooFew(usage.prompt, textChars);
  const completion = countUnlessTooFew(usage.completion, chars);
  const isCounted = prompt !== undefined && completion !== undefined;
  const promptTokens = isFree ? 0 : (prompt ?? estimateTokensOfBytes(bodyBytes));
  const completionTokens = isFree ? 0 : (completion ?? Math.ceil(chars / 4));
  const parts = {
    cachedTokens: Math.min(usage.cached ?? 0, promptTokens),
    cacheWriteTokens: Math.min(usage.written ?? 0, promptTokens),
    reasoningTokens: Math.min(usage.reasoning ?? 0, completionTokens),
  };
  const told = Object.fromEntries(Object.entries(parts).filter(([, tokens]) => !isFree && tokens > 0));
  return {
    model: config.model,
    wire: asked.wire,
    status,
    ...(failed === undefined || asked.isCount ? {} : { fault: failed }),
    ...(failed === undefined && seen?.isWhole !== true ? { cut: true as const } : {}),
    promptTokens,
    completionTokens,
    ...told,
    ...(isFree || isCounted ? {} : { estimated: true as const }),
    costUsd: costUsdOrZero({ promptTokens, completionTokens, ...told }, config),
    latencyMs: Math.max(0, nowMs - begun),
    calls: callNamesToKeep(calls),
  };
}

const countUnlessTooFew = (tokens: number | undefined, chars: number): number | undefined =>
  tokens === undefined || !canHaveSoFewTokens(tokens, chars) ? undefined : tokens;

const estimateTokensOfBytes = (bytes: number): number => Math.min(mostTokens, Math.ceil(bytes / 4));

const refuseForNow = (detail: string, retryAfterMs: number): Result<never> => ({
  ok: false,
  problem: { code: 'too-many-requests', detail, retryAfterMs },
});

/** Returns the header that carries the key to this endpoint over this wire. */
function keyHeader({ wire }: AskedOfModel, config: ModelConfig): [string, string] {
  if (wire === 'gemini') return ['x-goog-api-key', config.apiKey];
  const { authentication } = dialectOfModel(config, { ...config.dialect, wire });
  return authentication === 'bearer'
    ? ['authorization', `Bearer ${config.apiKey || 'none'}`]
    : [authentication, config.apiKey || 'none'];
}

function makeModelFault(
  { status, fault = 'connection-lost' }: OpenRequest,
  broken: Broken | undefined,
): InfrastructureFault {
  const detail = broken?.detail ?? 'the endpoint gave no answer';
  return { where: 'model', name: 'agent', code: fault, detail, ...(status === null ? {} : { status }) };
}

/** Returns the fault of an agent's model that kept it from working: none of its requests was answered, or the last one was not and it crashed. */
export function findModelFaultOrNull(
  requests: readonly ModelRequest[],
  hasCrashed: boolean,
): InfrastructureFault | null {
  const last = requests.findLast(({ cut }) => cut === undefined);
  if (last?.fault === undefined || (!hasCrashed && requests.some(isAnswered))) return null;
  const { status, fault: code } = last;
  const detail = `its model's endpoint ${status === null || status < 400 ? 'gave no whole answer' : `answered with HTTP status ${status}`}`;
  return { where: 'model', name: 'agent', code, detail, ...(status === null || status < 400 ? {} : { status }) };
}

/** What is no text in a body, such as a picture in base64, of which a token has any number of characters. */
const encodedData = /[\w+/=-]{512,}/g;

/** Reads which model a body names, and how much text it has. Parsers differ in which of two keys counts, so a body with two could ask another model than the one that is checked. */
function parseRequestBody(
  body: Uint8Array,
): Result<{ readonly body: z.infer<typeof requestBody>; readonly textChars: number }> {
  const json = new TextDecoder().decode(body);
  const read = parseJsonWithinLimits(json);
  const parsed = read.ok ? requestBody.safeParse(read.value).data : undefined;
  if (parsed === undefined) return refuse('malformed-json', 'the body cannot be read as a JSON object');
  const twice =
    findDuplicateKey(json) ?? Object.keys(parsed).find((key) => key !== 'model' && key.toLowerCase() === 'model');
  return twice === undefined
    ? ok({ body: parsed, textChars: json.replaceAll(encodedData, '').length })
    : refuse('invalid-request', `the body has the key ${twice.slice(0, 60)} twice`);
}
