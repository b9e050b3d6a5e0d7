import type { Message } from './protocol.ts';
import { textOf } from './protocol.ts';

/** The variables of a prompt: what stands between `<data name="...">` and `</data>`, read as JSON. */
export const variablesOf = (messages: readonly Message[]): ReadonlyMap<string, unknown> => {
  const variables = new Map<string, unknown>();
  for (const message of messages) {
    if (message.role !== 'user' && message.role !== 'system') continue;
    for (const [, name, content] of textOf(message).matchAll(/<data name="([^"\n]+)">\n?([\s\S]*?)\n?<\/data>/gu)) {
      if (name !== undefined && content !== undefined) variables.set(name, parseJsonOrText(content));
    }
  }
  return variables;
};

/**
 * The text of a request, on which the model's seeded choices depend: without what servers contain, which changes from day
 * to day, and without the form of the answer, which the rules know.
 */
export const readStablePromptText = (messages: readonly Message[]): string =>
  messages
    .filter((message) => message.role === 'system' || message.role === 'user')
    .map((message) =>
      textOf(message).replace(
        /<data name="(?:survey|values)">[\s\S]*?<\/data>|\n\n[^\n]*\n<data name="form">[\s\S]*?<\/data>/gu,
        '',
      ),
    )
    .join('\n');

const parseJsonOrText = (content: string): unknown => {
  try {
    const value: unknown = JSON.parse(content);
    return value;
  } catch {
    return content;
  }
};
