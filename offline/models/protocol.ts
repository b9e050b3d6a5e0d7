import { z } from 'zod';

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const content = z.union([z.string(), z.array(textPart)]);

const toolCall = z.object({
  id: z.string(),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']).transform(() => 'system' as const), content }),
  z.object({ role: z.literal('user'), content }),
  z.object({
    role: z.literal('assistant'),
    content: content.nullish(),
    tool_calls: z.array(toolCall).nullish(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content }),
]);

const functionTool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().min(1),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** The part of a chat completion request that the rules look at. */
export const chatRequest = z
  .object({
    model: z.string(),
    messages: z.array(message).min(1),
    tools: z.array(functionTool).default([]),
    parallel_tool_calls: z.boolean().default(true),
    response_format: z
      .union([
        z.object({ type: z.literal('json_schema'), json_schema: z.looseObject({ name: z.string() }) }),
        z.object({ type: z.enum(['text', 'json_object']) }),
      ])
      .optional(),
    seed: z.number().nullish(),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  })
  .refine(({ stream, stream_options: options }) => stream === true || options === null || options === undefined, {
    path: ['stream_options'],
    error: 'is only allowed when `stream` is true',
  });

/** An embeddings request. */
export const embeddingsRequest = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string()).min(1).max(2_048)]),
  encoding_format: z.enum(['float', 'base64']).default('float'),
});

export type ChatRequest = z.infer<typeof chatRequest>;
export type Message = z.infer<typeof message>;
export type FunctionTool = z.infer<typeof functionTool>['function'];

/** One call that a model asks for. */
interface CallRequest {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a rule answers: text, or calls. */
export type Reply = { readonly text: string } | { readonly calls: readonly CallRequest[] };

/** A message's text, its parts joined. */
export const textOfMessage = (one: Message): string => {
  if (one.content === null || one.content === undefined) return '';
  return typeof one.content === 'string' ? one.content : one.content.map((part) => part.text).join('');
};
