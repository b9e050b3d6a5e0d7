import { z } from 'zod';
import { cards } from '../../offline/cards/index.ts';
import { findModelOfForm, replyToChatOrThrow } from '../../offline/models/answering.ts';
import { chatRequest } from '../../offline/models/protocol.ts';
import type { Answerer, Asked } from '../../tests/support/endpoints/profile.ts';

/** Forms by their JSON schema: where a request does not name the form, its last message still shows the schema. */
const formsBySchema = new Map<string, string>();

/** Lets the offline models answer what a stand-in was asked. */
export const answerWithOfflineModels: Answerer = (asked) => {
  const form = findFormName(asked);
  const model = form === undefined ? 'offline-steady' : (findModelOfForm(form) ?? 'offline-writer');
  const reply = replyToChatOrThrow(
    chatRequest.parse({
      model,
      messages: asked.messages.map(({ role, content, tool_calls, tool_call_id }) => ({
        role,
        content: textWithoutThoughts(content),
        ...(tool_calls === undefined ? {} : { tool_calls }),
        ...(tool_call_id === undefined ? {} : { tool_call_id }),
      })),
      tools: asked.tools,
      ...(form === undefined ? {} : { response_format: { type: 'json_schema', json_schema: { name: form } } }),
    }),
    cards,
  );
  if ('text' in reply) return { content: reply.text, calls: [] };
  return { content: '', calls: reply.calls.map((call) => ({ ...call, arguments: JSON.stringify(call.arguments) })) };
};

const parts = z.array(z.looseObject({ type: z.string(), text: z.unknown() }));

/** What a model thought aloud is no part of the conversation for the offline models. */
function textWithoutThoughts(content: unknown): string {
  const read = parts.safeParse(content).data;
  const texts = read?.map((part) => (part.type === 'text' ? String(part.text) : '')) ?? [
    typeof content === 'string' ? content : '',
  ];
  return texts.join('').replace(/^<think>[^]*<\/think>\s*/, '');
}

const shown = /<data name="form">\s*([^]*?)\s*<\/data>/;

function findFormName({ messages, form }: Asked): string | undefined {
  const question = messages.findLast(({ role }) => role === 'user');
  const schema = shown.exec(textWithoutThoughts(question?.content ?? ''))?.[1];
  if (schema === undefined) return form;
  if (form !== undefined) formsBySchema.set(schema, form);
  return form ?? formsBySchema.get(schema);
}
