/** A completion as an endpoint would send it at once. */
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
 * The events of a streamed completion, as OpenAI sends them: the role first, then the content or refusal piece by piece, each call
 * with its name and then its arguments piece by piece, the finish reason, and, where it is asked for, the usage without choices.
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

/** At most so many pieces, however long the text is. */
const mostPieces = 12;

function pieces(text: string): string[] {
  const size = Math.max(4, Math.ceil(text.length / mostPieces));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
}
