import { z } from 'zod';
import type { ToolCallRequest } from '#core/ports.ts';
import { mostTokens } from '#core/models/prices.ts';

const toolCall = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string().nullish() }),
});

const tokenCount = z.int().min(0).max(mostTokens);

/**
 * The fields that we read from a chat completion. Endpoints differ in the rest, and some omit even more than OpenAI
 * does.
 */
const completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(toolCall).nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.looseObject({ prompt_tokens: tokenCount, completion_tokens: tokenCount }).nullish(),
});

/** One answer of a model, in our terms. */
export interface Completion {
  readonly content: string;
  readonly toolCalls: readonly ToolCallRequest[];
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'refused';
  /** Set if the endpoint refused the conversation because it is too long for the model. */
  readonly overflowed?: true;
  /** The model's text when it refused. */
  readonly refusal: string;
  readonly usage: { readonly prompt: number; readonly completion: number } | undefined;
}

/** Reads an endpoint's answer; undefined if it is not a chat completion. */
export function readCompletion(body: unknown): Completion | undefined {
  const parsed = completion.safeParse(body);
  const choice = parsed.data?.choices[0];
  if (parsed.data === undefined || choice === undefined) return undefined;
  const { message, finish_reason: reason } = choice;
  const toolCalls = (message.tool_calls ?? []).map((call, i) => ({
    id: call.id || `call-${i + 1}`,
    name: call.function.name,
    argumentsText: call.function.arguments ?? '',
  }));
  const refusal = message.refusal ?? '';
  const { usage } = parsed.data;
  return {
    content: message.content ?? '',
    toolCalls,
    finish: finishReason(reason, refusal, toolCalls.length),
    refusal,
    usage: usage ? { prompt: usage.prompt_tokens, completion: usage.completion_tokens } : undefined,
  };
}

function finishReason(reason: string | null | undefined, refusal: string, calls: number): Completion['finish'] {
  if (refusal !== '' || reason === 'content_filter') return 'refused';
  if (reason === 'length') return 'length';
  return calls > 0 ? 'tool-calls' : 'stop';
}
