import { err, ok, type Result } from '#core/values/result.ts';
import { z } from 'zod';
import type { Answer, ChatMessage, ChatModel, Embedder, Questioner, RenderedPrompt } from '#core/ports.ts';
import { escapeWhatMayEndFence } from '#core/values/fenced-text.ts';
import type { ModelCall, ModelRole } from '#core/models/model-call.ts';
import { dialectOfModel } from '#core/models/dialect.ts';
import { renderPromptMessagesOrThrow, type PromptTemplate } from '#adapters/prompts/template.ts';
import { getOrMakeStrictJsonSchema } from './answer-schema.ts';
import type { Completion } from './completion.ts';
import { completeInStrictestAcceptedFormat } from './complete-in-format.ts';
import { hasRivalOfAnswer, parseJsonOrLastObjectInText } from './find-json.ts';
import { makeEndpoint, type Endpoint } from './endpoint.ts';
import type { EndpointOptions, ModelConfig } from './model-config.ts';

export type { EndpointOptions, ModelConfig } from './model-config.ts';

/** Limits of a model's answer. A token of a stream takes some 300 bytes, so the same text takes more. */
export const modelAnswerBounds = { maxBytes: 4 * 1024 * 1024, maxStreamBytes: 16 * 1024 * 1024 };

/** Characters of an unusable answer that the model is shown again. */
const shownAnswerChars = 20_000;
const shownProblemChars = 2_000;

export interface OpenAiOptions extends EndpointOptions, FormPrompts {}

/** What a question says about the JSON schema of its answer. */
interface FormPrompts {
  /** Ends each question: an endpoint may ignore or refuse the response format, and its model has to know the form. */
  readonly answerForm: PromptTemplate<'form'>;
  /** Asks for a repair of an unusable answer. */
  readonly repair: PromptTemplate<'problem' | 'form'>;
}

/** Models behind OpenAI-compatible endpoints, one for each role. Questions to an unconfigured role are faults. */
export function makeOpenAiModels(
  config: Readonly<Partial<Record<ModelRole, ModelConfig>>>,
  options: OpenAiOptions,
): Questioner & ChatModel & Embedder {
  const endpoints = new Map<ModelRole, Endpoint>();
  function getEndpoint(role: ModelRole): Endpoint {
    const known = endpoints.get(role);
    if (known !== undefined) return known;
    const settings = config[role];
    // The SDK replaces an empty endpoint with OpenAI's, which must not get the key.
    const usable = settings !== undefined && URL.canParse(settings.baseUrl);
    const made = usable ? makeEndpoint(role, settings, options) : makeUnconfiguredEndpoint(role);
    endpoints.set(role, made);
    return made;
  }
  return {
    askForJson: (question) => askEndpointForAnswerInForm(getEndpoint(question.role), question, options),

    async completeTurn(request) {
      const { prompt, messages, functions, parallelCalls, seed, timeoutMs } = request;
      const question = { messages, functions, parallelCalls, seed };
      const endpoint = getEndpoint(request.role);
      const answer = await endpoint.complete({ prompt, question, timeoutMs });
      if (!answer.ok) return failureWithoutProviderWords(answer);
      const { content, toolCalls, finish, refusal, overflowed, own } = answer.value;
      const { call, queuedMs } = answer;
      const cut = overflowed === undefined ? {} : { overflowed };
      const returned = own === undefined ? {} : { own: { address: endpoint.address, ...own } };
      return { ok: true, content: content || refusal, toolCalls, ...returned, finish, ...cut, call, queuedMs };
    },

    async embed(texts) {
      const answer = await getEndpoint('embedder').embed(texts);
      return answer.ok ? answer : failureWithoutProviderWords(answer);
    },
  };
}

/** Returns a failure without what the endpoint wrote, which may hold anything. */
function failureWithoutProviderWords<Failure extends { readonly said?: string }>(
  answer: Failure,
): Omit<Failure, 'said'> {
  const { said: _, ...failure } = answer;
  return failure;
}

type Question<T> = Omit<Parameters<Questioner['askForJson']>[0], 'schema'> & { readonly schema: z.ZodType<T> };

async function askEndpointForAnswerInForm<T>(
  to: Endpoint,
  { prompt, form: name, schema, seed }: Question<T>,
  { answerForm, repair }: FormPrompts,
): Promise<Answer<T>> {
  const calls: ModelCall[] = [];
  const form = getOrMakeStrictJsonSchema(schema);
  const question = messagesWithTextsAddedToLast(
    prompt.messages,
    renderPromptMessagesOrThrow(answerForm, { form }).messages,
  );
  let messages: readonly ChatMessage[] = question;
  let asked: RenderedPrompt = prompt;
  let [repaired, room] = [false, 1];
  for (;;) {
    const answer = await completeInStrictestAcceptedFormat(to, { prompt: asked.id, messages, seed, room, name, form });
    if (answer.call !== undefined) calls.push(answer.call);
    if (!answer.ok) return { ok: false, reason: 'fault', fault: answer.fault, calls };
    const read = parseAnswerInForm(answer.value, schema);
    if (read.ok) return { ok: true, value: read.value, calls };
    const { cause, detail } = read.problem;
    if (wasCutAtLimit(answer.value) && room === 1) {
      room = moreRoom;
      continue;
    }
    if (cause !== 'unparsed' || repaired) return { ok: false, reason: 'unusable', cause, detail, calls };
    repaired = true;
    asked = renderPromptMessagesOrThrow(repair, { problem: detail, form });
    // It may quote outside text, which then stands outside of any fence.
    const shown = escapeWhatMayEndFence(answer.value.content.slice(0, shownAnswerChars));
    messages = [...question, { role: 'assistant', content: shown, toolCalls: [] }, ...asked.messages];
  }
}

/** How many times the most completion tokens an answer may have that was cut at what its form needs. */
const moreRoom = 2;

/** Returns whether the model wrote as many tokens as it was allowed; a conversation without room for them, or a model that never stops, gains nothing by more. */
const wasCutAtLimit = ({ finish, overflowed, endless }: Completion): boolean =>
  finish === 'length' && overflowed === undefined && endless === undefined;

/** Returns the messages with the texts of others at the end of the last one: not every endpoint takes two of one role in a row. */
const messagesWithTextsAddedToLast = (
  messages: RenderedPrompt['messages'],
  others: RenderedPrompt['messages'],
): RenderedPrompt['messages'] =>
  messages.map((message, index) =>
    index < messages.length - 1
      ? message
      : { ...message, content: [message, ...others].map(({ content }) => content).join('\n\n') },
  );

interface Unusable {
  readonly cause: 'unparsed' | 'refused' | 'truncated';
  readonly detail: string;
}

function parseAnswerInForm<T>(completion: Completion, schema: z.ZodType<T>): Result<T, Unusable> {
  const { content, finish, refusal } = completion;
  if (finish === 'refused') return unusableAnswer('refused', refusal || 'the endpoint filtered the answer');
  if (finish === 'length') return unusableAnswer('truncated', 'the answer is longer than allowed');
  const json = parseJsonOrLastObjectInText(content);
  if (!json.ok) return unusableAnswer('unparsed', 'It is not JSON.');
  if (hasRivalOfAnswer(content, json.value))
    return unusableAnswer('unparsed', 'It has two different answers. Give one, and quote none.');
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  return unusableAnswer('unparsed', z.prettifyError(parsed.error));
}

const unusableAnswer = (cause: Unusable['cause'], detail: string) =>
  err({ cause, detail: detail.slice(0, shownProblemChars) });

function makeUnconfiguredEndpoint(role: ModelRole): Endpoint {
  const detail = 'no model is configured for this role';
  const fault = { where: 'model', name: role, code: 'unreachable', detail } as const;
  const fail = async () => ({ ok: false, fault, queuedMs: 0 }) as const;
  const published = dialectOfModel({ baseUrl: '', model: '' });
  return {
    address: '',
    structuredOutput: 'schema',
    structuredOutputTaken: 'schema',
    dialect: () => ({ published, known: published }),
    complete: fail,
    embed: fail,
  };
}
