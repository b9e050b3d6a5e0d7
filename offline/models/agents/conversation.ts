import { z } from 'zod';
import { parsePromptVariables } from '../prompt.ts';
import { textOfMessage, type Message } from '../protocol.ts';

/** A call that was made and answered. */
export interface PastCall {
  readonly name: string;
  readonly arguments: string;
  readonly result: string;
  readonly failed: boolean;
}

/**
 * The messages without those of the person that are results of calls made in writing, or answers to a plan; all others
 * stay.
 */
export const messagesWithoutWrittenResults = (messages: readonly Message[]): Message[] =>
  messages.filter(
    (message) => message.role !== 'user' || (parseWrittenResult(message) === undefined && !isAnswerToPlan(message)),
  );

/** Returns the request that opened a conversation: the person's last message, fenced as a variable or not. */
export const findRequest = (messages: readonly Message[]): string => {
  const last = messagesWithoutWrittenResults(messages).findLast((message) => message.role === 'user');
  if (last === undefined) return '';
  const fenced = parsePromptVariables([last]).get('request');
  return typeof fenced === 'string' ? fenced : textOfMessage(last);
};

/** Returns the calls so far with their results, in order. */
export const pastCalls = (messages: readonly Message[]): PastCall[] => {
  const results = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'tool') results.set(message.tool_call_id, stripDataFence(textOfMessage(message)));
  }
  return messages.flatMap((message) =>
    message.role !== 'assistant'
      ? []
      : (message.tool_calls ?? []).map((call) => {
          const result = results.get(call.id) ?? '';
          return {
            name: call.function.name,
            arguments: call.function.arguments,
            result,
            failed: readsAsFailure(result),
          };
        }),
  );
};

/** Returns the calls so far of a conversation in which they are made in writing. */
export const pastCallsInWriting = (messages: readonly Message[]): PastCall[] =>
  messages.flatMap((message, at) => {
    const call = message.role === 'assistant' ? parseWrittenCall(textOfMessage(message)) : null;
    if (call === null) return [];
    const next = messages[at + 1];
    const result = (next === undefined ? undefined : parseWrittenResult(next)) ?? '';
    return [{ name: call.tool, arguments: JSON.stringify(call.arguments), result, failed: readsAsFailure(result) }];
  });

const callInWriting = z.object({
  call: z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
});

const parseWrittenCall = (text: string): z.infer<typeof callInWriting>['call'] | null => {
  try {
    return callInWriting.safeParse(JSON.parse(text)).data?.call ?? null;
  } catch {
    return null;
  }
};

const parseWrittenResult = (message: Message): string | undefined => {
  const result = message.role === 'user' ? parsePromptVariables([message]).get('result') : undefined;
  return typeof result === 'string' ? result : undefined;
};

const shownCall = z.object({
  tool: z.string(),
  arguments: z.unknown().optional(),
  result: z.string().optional(),
  summary: z.string().optional(),
  note: z.string().optional(),
});

const toPastCall = ({ tool, arguments: args, result, summary, note }: z.infer<typeof shownCall>): PastCall => {
  const text = result ?? summary ?? '';
  return {
    name: tool,
    arguments: JSON.stringify(args ?? {}),
    result: text,
    failed: readsAsFailure(text) || (note !== undefined && readsAsFailure(note)),
  };
};

/** Returns the calls so far of a conversation in which they are planned in rounds. */
export const pastCallsOfPlans = (messages: readonly Message[]): PastCall[] =>
  messages.flatMap((message) => {
    const shown = message.role === 'user' ? parsePromptVariables([message]).get('results') : undefined;
    return shown === undefined ? [] : z.array(shownCall).catch([]).parse(shown).map(toPastCall);
  });

const observedRounds = z.array(z.object({ calls: z.array(shownCall) })).catch([]);

/** Returns the calls of all rounds that a prompt lists. */
export const callsOfRounds = (rounds: unknown): PastCall[] =>
  observedRounds.parse(rounds).flatMap(({ calls }) => calls.map(toPastCall));

const isAnswerToPlan = (message: Message): boolean => {
  const variables = parsePromptVariables([message]);
  return variables.has('results') || variables.has('problem');
};

const stripDataFence = (text: string): string =>
  /^\s*<data\b[^>]*>\n?([\s\S]*?)\n?<\/data>\s*$/u.exec(text)?.[1] ?? text;

/** Returns whether a result's first words say that the call failed. */
const readsAsFailure = (result: string): boolean =>
  /^\s*(?:\W*\b(?:mcp |tool |input |internal |the call |call )?(?:error|failed|failure|invalid|exception|unknown tool|not carried out|there is no (?:function|tool)|the arguments are not)\b|\{\s*"(?:error|isError)"|❌)/iu.test(
    result.slice(0, 200),
  );
