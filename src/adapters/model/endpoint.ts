import { type Dialect, type StructuredOutput, dialectOfModel } from '#core/models/dialect.ts';
import { estimateTokens } from '#core/models/estimate-tokens.ts';
import type { Embedder } from '#core/ports.ts';
import type { ModelRole } from '#core/models/model-call.ts';
import { completeAdaptingToRefusals, getCachedOrPublishedDialect } from './adapt-request.ts';
import { makeSdkClients } from './clients.ts';
import type { Completion } from './completion.ts';
import type { Question } from './compose-request.ts';
import { patience } from './governed-requests.ts';
import { type EndpointAnswer, makeRetryingExchange } from './exchange.ts';
import type { EndpointOptions, ModelConfig } from './model-config.ts';
import { z } from 'zod';

/** The fields that we read from an answer with embeddings; zod accepts only finite numbers. */
const embeddings = z.looseObject({
  data: z.array(z.looseObject({ embedding: z.array(z.number()).min(1), index: z.int().min(0).nullish() })).min(1),
  usage: z.looseObject({ prompt_tokens: z.int().min(0) }).nullish(),
});

interface Vectors {
  /** In the order of the texts, all of one length. */
  readonly vectors: readonly (readonly number[])[];
  readonly promptTokens: number | undefined;
}

/** Reads an endpoint's answer to a number of texts; undefined unless it has one vector for each, all of one length. */
function parseVectors(body: unknown, texts: number): Vectors | undefined {
  const { data: answer } = embeddings.safeParse(body);
  if (answer === undefined || answer.data.length !== texts) return undefined;
  // Endpoints that do not number the vectors return them in order.
  const byIndex = new Map(answer.data.map(({ embedding, index }, i) => [index ?? i, embedding]));
  const vectors = answer.data.flatMap((_, i) => {
    const vector = byIndex.get(i);
    return vector === undefined ? [] : [vector];
  });
  const sameLength = vectors.every(({ length }) => length === vectors[0]?.length);
  if (vectors.length !== texts || !sameLength) return undefined;
  return { vectors, promptTokens: answer.usage?.prompt_tokens };
}

/** One role's endpoint: repeats what may pass (429, 5xx, no connection), records tokens and cost of what was answered. */
export interface Endpoint {
  /** Where it is and which model it asks; the same for each role that asks it. */
  readonly address: string;
  /** The strictest structured output that it is said to take. */
  readonly structuredOutput: StructuredOutput;
  /** The strictest that it took when the run was created. */
  readonly structuredOutputTaken: StructuredOutput;
  /** Returns the dialect that is published or set, and the one that it comes to with what was learnt. */
  readonly dialect: () => { readonly published: Dialect; readonly known: Dialect };
  /**
   * Asks for one answer. An endpoint that refuses an optional field of the request, or more completion tokens than it has
   * room for, is asked again without, and the call says so.
   */
  complete(request: {
    readonly prompt: string;
    readonly question: Question;
    readonly timeoutMs?: number;
  }): Promise<EndpointAnswer<Completion>>;
  embed(
    ...asked: Parameters<Embedder['embed']>
  ): Promise<Awaited<ReturnType<Embedder['embed']>> & Pick<Extract<EndpointAnswer<never>, { ok: false }>, 'said'>>;
}

export function makeEndpoint(role: ModelRole, config: ModelConfig, options: EndpointOptions): Endpoint {
  const { model, baseUrl, maxCompletionTokens, temperature, dialect: set = {}, learnt = {} } = config;
  const published = dialectOfModel(config, set);
  const clients = makeSdkClients(config, published, options);
  const exchange = makeRetryingExchange(role, config, options);
  const address = `${baseUrl} ${model}`;
  const settings = { address, model, maxCompletionTokens, temperature };
  const adapted = { clients, exchange, settings, role, published, set, learnt };
  return {
    address,
    structuredOutput: published.structuredOutput,
    structuredOutputTaken: learnt.structuredOutput ?? published.structuredOutput,
    dialect: () => ({ published, known: getCachedOrPublishedDialect(adapted) }),

    async complete({ prompt, question, timeoutMs = Number.POSITIVE_INFINITY }) {
      const { mostFunctions } = getCachedOrPublishedDialect(adapted);
      const offered = question.functions?.length ?? 0;
      if (mostFunctions === null || offered <= mostFunctions)
        return completeAdaptingToRefusals(adapted, { prompt, question, timeoutMs });
      const detail = `the endpoint takes at most ${mostFunctions} functions in one request, and there are ${offered}`;
      const fault = { where: 'model', name: role, code: 'http-status', detail } as const;
      return { ok: false, fault, tooManyFunctions: true, queuedMs: 0 };
    },

    async embed(texts, timeoutMs = Number.POSITIVE_INFINITY) {
      // Without a format the sdk asks for base64, which not every endpoint knows.
      const request = { input: [...texts], model, encoding_format: 'float' as const };
      const { answer } = await exchange({
        prompt: 'none',
        timeoutMs,
        tokens: estimateTokens(texts.join('')),
        patienceMs: Number.isFinite(timeoutMs) ? patience.ofConversationsMs : patience.ofQuestionsMs,
        start: (sending) => clients.openAi.embeddings.create(request, sending),
        read: (body) => parseVectors(body, texts.length),
        expected: 'list of vectors, one a text',
        countTokens: ({ promptTokens }) => ({ prompt: promptTokens ?? estimateTokens(texts.join('')), completion: 0 }),
      });
      const { queuedMs } = answer;
      return answer.ok ? { ok: true, vectors: answer.value.vectors, call: answer.call, queuedMs } : answer;
    },
  };
}
