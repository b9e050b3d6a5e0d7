import type { Message } from './protocol.ts';
import { textOfMessage } from './protocol.ts';

/** The variables of a prompt: what stands between `<data name="...">` and `</data>`, read as JSON. */
export const parsePromptVariables = (messages: readonly Message[]): ReadonlyMap<string, unknown> => {
  const variables = new Map<string, unknown>();
  for (const message of messages) {
    if (message.role !== 'user' && message.role !== 'system') continue;
    for (const [, name, content] of textOfMessage(message).matchAll(
      /<data name="([^"\n]+)">\n?([\s\S]*?)\n?<\/data>/gu,
    )) {
      if (name !== undefined && content !== undefined) variables.set(name, parseJsonOrText(content));
    }
  }
  return variables;
};

/**
 * The part of a request on which the model's seeded choices depend: the request in plain text, or else its data, without
 * what servers contain, which changes from day to day, the situation, and the form of the answer. The wording of a prompt and the
 * date in it change nothing.
 */
export const promptTextForSeed = (messages: readonly Message[]): string =>
  messages
    .filter((message) => message.role === 'system' || message.role === 'user')
    .map((message) => {
      const text = textOfMessage(message);
      const data = [...text.matchAll(/<data name="([^"\n]+)">[\s\S]*?<\/data>/gu)];
      if (data.length === 0) return message.role === 'user' ? text : '';
      return data.flatMap(([block, name = '']) => (changing.has(name) ? [] : [block])).join('\n');
    })
    .join('\n');

const changing: ReadonlySet<string> = new Set(['survey', 'values', 'situation', 'situations', 'form']);

const parseJsonOrText = (content: string): unknown => {
  try {
    const value: unknown = JSON.parse(content);
    return value;
  } catch {
    return content;
  }
};
