import { variablesOf } from '../prompt.ts';
import { textOf, type Message } from '../protocol.ts';

/** A call that was made and answered. */
export interface PastCall {
  readonly name: string;
  readonly arguments: string;
  readonly result: string;
  readonly failed: boolean;
}

/** The request that opened a conversation: the last thing that the person said, fenced as a variable or not. */
export const requestIn = (messages: readonly Message[]): string => {
  const last = messages.findLast((message) => message.role === 'user');
  if (last === undefined) return '';
  const fenced = variablesOf([last]).get('request');
  return typeof fenced === 'string' ? fenced : textOf(last);
};

/** The calls so far with their results, in the order in which they were made. */
export const pastCalls = (messages: readonly Message[]): PastCall[] => {
  const results = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'tool') results.set(message.tool_call_id, unfenced(textOf(message)));
  }
  return messages.flatMap((message) =>
    message.role !== 'assistant'
      ? []
      : (message.tool_calls ?? []).map((call) => {
          const result = results.get(call.id) ?? '';
          return { name: call.function.name, arguments: call.function.arguments, result, failed: soundsFailed(result) };
        }),
  );
};

const unfenced = (text: string): string => /^\s*<data\b[^>]*>\n?([\s\S]*?)\n?<\/data>\s*$/u.exec(text)?.[1] ?? text;

/** Whether a result's first words say that the call failed. */
const soundsFailed = (result: string): boolean =>
  /^\s*(?:\W*\b(?:mcp |tool |input |internal |the call |call )?(?:error|failed|failure|invalid|exception|unknown tool|not carried out|there is no function|the arguments are not)\b|\{\s*"(?:error|isError)"|❌)/iu.test(
    result.slice(0, 200),
  );
