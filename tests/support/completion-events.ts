/** A completion as an endpoint would send it unstreamed. */
export interface WholeCompletion {
  readonly message: {
    readonly content: string | null;
    readonly refusal?: string;
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly type: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  };
  readonly finish: string;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number };
}

/**
 * Returns the events of a streamed completion in OpenAI's order: the role, then the content or refusal in pieces, each
 * call with its name and then its arguments in pieces, the finish reason, and, if requested, the usage without choices.
 */
export function eventsOf({ message, finish, usage }: WholeCompletion, includeUsage: boolean): string[] {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'scripted' };
  const counted = includeUsage ? { usage: null } : {};
  const chunk = (delta: unknown, finish_reason: string | null = null): unknown => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
    ...counted,
  });
  const { content, refusal = '', tool_calls: calls = [] } = message;
  const chunks = [
    chunk({ role: 'assistant', content: content === null ? null : '' }),
    ...pieces(content ?? '').map((piece) => chunk({ content: piece })),
    ...pieces(refusal).map((piece) => chunk({ refusal: piece })),
    ...calls.flatMap(({ id, type, function: { name, arguments: args } }, index) => [
      chunk({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
      ...pieces(args).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, finish),
    ...(includeUsage ? [{ ...head, choices: [], usage }] : []),
  ];
  return [...chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`), 'data: [DONE]\n\n'];
}

/** Maximum number of pieces, for any length of text. */
const mostPieces = 12;

function pieces(text: string): string[] {
  const size = Math.max(4, Math.ceil(text.length / mostPieces));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
}
