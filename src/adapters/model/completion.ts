import { z } from 'zod';
import type { OwnFields, ToolCallRequest } from '#core/ports.ts';
import { parseUsage, type CountedTokens } from './usage.ts';
import { splitOffThoughts } from './find-json.ts';

const toolCall = z.looseObject({
  id: z.string().nullish().catch(null),
  function: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }),
});
type ReadCall = z.infer<typeof toolCall>;

/** A part of a content: a text, or something else, such as Mistral's `thinking`. */
const contentPart = z.looseObject({ type: z.string().optional().catch(undefined), text: z.unknown().optional() });

/**
 * The fields that we read from a chat completion. Endpoints differ in the rest, and some omit even more than OpenAI
 * does.
 */
const completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({
          content: z.union([z.string(), z.array(contentPart)]).nullish(),
          refusal: z.string().nullish().catch(null),
          tool_calls: z.array(toolCall).nullish(),
        }),
        finish_reason: z.string().nullish().catch(null),
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
});
type Message = z.infer<typeof completion>['choices'][number]['message'];

/** One answer of a model, in our terms. */
export interface Completion {
  /** The text of the answer, without what the model thought. */
  readonly content: string;
  readonly toolCalls: readonly ToolCallRequest[];
  /** What the endpoint wrote beside these; absent if nothing, or too much to keep. */
  readonly own?: Omit<OwnFields, 'address'> | undefined;
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'refused';
  /** Set if the endpoint refused the conversation because it is too long for the model. */
  readonly overflowed?: true;
  /** Set if the answer was broken off at our own bound. */
  readonly endless?: true;
  /** The model's text when it refused. */
  readonly refusal: string;
  readonly usage: Partial<CountedTokens>;
}

/** Reads an endpoint's answer; undefined if it is not a chat completion. */
export function parseCompletion(body: unknown): Completion | undefined {
  const parsed = completion.safeParse(body);
  const choice = parsed.data?.choices[0];
  if (parsed.data === undefined || choice === undefined) return undefined;
  const { message, finish_reason: reason } = choice;
  const calls = message.tool_calls ?? [];
  const toolCalls = calls.map((call, i) => ({
    id: call.id || `call-${i + 1}`,
    name: call.function.name,
    argumentsText: argumentsText(call.function.arguments),
  }));
  const refusal = message.refusal ?? '';
  return {
    content: splitOffThoughts(joinTexts(message.content)).answer,
    toolCalls,
    own: pickFieldsToReturnToEndpoint(message, calls),
    finish: toFinishReason(reason, refusal, toolCalls.length),
    refusal,
    usage: parseUsage(parsed.data.usage),
  };
}

const joinTexts = (content: Message['content']): string =>
  typeof content === 'string'
    ? content
    : (content ?? [])
        .map(({ type = 'text', text }) => (type.endsWith('text') && typeof text === 'string' ? text : ''))
        .join('');

/** Some endpoints write arguments as an object instead of its JSON. */
function argumentsText(args: unknown): string {
  if (args === null || args === undefined) return '';
  return typeof args === 'string' ? args : JSON.stringify(args);
}

/** OpenAI's, Mistral's and Anthropic's words for an answer that reached its limit, or the end of the model's window. */
const reasonsOfLength: ReadonlySet<string | null | undefined> = new Set([
  'length',
  'model_length',
  'model_context_window_exceeded',
]);

function toFinishReason(reason: string | null | undefined, refusal: string, calls: number): Completion['finish'] {
  if (refusal !== '' || reason === 'content_filter') return 'refused';
  if (reasonsOfLength.has(reason)) return 'length';
  return calls > 0 ? 'tool-calls' : 'stop';
}

/** Characters of JSON that are kept of what an endpoint wrote beside an answer. */
const mostOwnChars = 400_000;
/** Fields that we write ourselves, and those that endpoints write into answers but refuse in requests. */
const writtenByUs: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls']);
const onlyInAnswers: ReadonlySet<string> = new Set(['refusal', 'annotations', 'audio', 'function_call', 'index']);
const writtenInCalls: ReadonlySet<string> = new Set(['id', 'type', 'function', 'index']);

function pickFieldsToReturnToEndpoint(message: Message, calls: readonly ReadCall[]): Completion['own'] {
  const others = pickNonNullFields(message, (key) => !writtenByUs.has(key) && !onlyInAnswers.has(key));
  // Parts of a content, such as thoughts with their signatures, go back as they came.
  const parts = Array.isArray(message.content) ? { content: message.content } : {};
  const own = {
    message: { ...others, ...parts },
    calls: calls.map((call) => pickNonNullFields(call, (key) => !writtenInCalls.has(key))),
  };
  const isEmpty = [own.message, ...own.calls].every((each) => Object.keys(each).length === 0);
  return isEmpty || JSON.stringify(own).length > mostOwnChars ? undefined : own;
}

const pickNonNullFields = (object: Readonly<Record<string, unknown>>, isOther: (key: string) => boolean) =>
  Object.fromEntries(
    Object.entries(object).filter(([key, value]) => isOther(key) && value !== null && value !== undefined),
  );
