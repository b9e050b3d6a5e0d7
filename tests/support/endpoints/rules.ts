import type { ChatRequest, Message, Refused, Rule } from './profile.ts';

export const refused = (message: string, param?: string, code?: string, status = 400): Refused => ({
  status,
  message,
  ...(param === undefined ? {} : { param }),
  ...(code === undefined ? {} : { code }),
});

/** Takes these fields only, and refuses the first other one in these words. */
export const takesOnly =
  (names: readonly string[], refuse: (name: string) => Refused): Rule =>
  ({ fields }) => {
    const other = fields.find((name) => !names.includes(name));
    return other === undefined ? null : refuse(other);
  };

export const wantsKey =
  (header: string, value: RegExp): Rule =>
  ({ headers }) =>
    value.test(headers.get(header) ?? '')
      ? null
      : refused('Incorrect API key provided.', undefined, 'invalid_api_key', 401);

/** OpenAI's code for a list that is too long: "Expected an array with maximum length 128". */
export const takesFunctionsUpTo =
  (most: number): Rule =>
  ({ body: { tools } }) =>
    tools.length <= most
      ? null
      : refused(
          `Invalid 'tools': array too long. Expected an array with maximum length ${most}, but got an array with length ${tools.length} instead.`,
          'tools',
          'array_above_max_length',
        );

export const namesFunctionsWithin =
  (form: RegExp): Rule =>
  ({ body: { tools, messages } }) => {
    const said = messages.flatMap((each) => each.tool_calls ?? []).map((call) => call.function.name);
    const wrong = [...tools.map((tool) => tool.function.name), ...said].find((name) => !form.test(name));
    return wrong === undefined
      ? null
      : refused(
          `Invalid function name: string does not match pattern. Expected '${form.source}'.`,
          'tools[0].function.name',
          'invalid_value',
        );
  };

/** Every call is answered by one message of a tool, at once, and no tool speaks unasked. */
export const ordersToolMessages: Rule = ({ body: { messages } }) => {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id ?? ''))
        return refused(
          "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
          'messages',
        );
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0)
      return refused(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
        'messages',
      );
    open = (message.tool_calls ?? []).map(({ id }) => id);
  }
  return null;
};

/** Templates of open models parse the arguments of earlier calls. */
export const wantsArgumentsAsJson =
  (words: string): Rule =>
  ({ body: { messages } }) =>
    messages.flatMap((each) => each.tool_calls ?? []).every((call) => isJsonObject(call.function.arguments))
      ? null
      : refused(words);

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Roughly the tokens of a request. */
export const countTokens = ({ body: { messages, tools } }: ChatRequest): number =>
  Math.ceil(JSON.stringify([messages, tools]).length / 4);

export const assistantCalls = (messages: readonly Message[]): Message[] =>
  messages.filter(({ role, tool_calls: calls }) => role === 'assistant' && (calls ?? []).length > 0);

/** Returns each part of a value that is an object, with its path. */
export function* objectsIn(value: unknown, path = ''): Generator<readonly [Record<string, unknown>, string]> {
  if (Array.isArray(value)) for (const [at, each] of value.entries()) yield* objectsIn(each, `${path}[${at}]`);
  else if (typeof value === 'object' && value !== null) {
    const object = Object.fromEntries(Object.entries(value));
    yield [object, path];
    for (const [key, each] of Object.entries(object)) yield* objectsIn(each, path === '' ? key : `${path}.${key}`);
  }
}
