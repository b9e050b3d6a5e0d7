import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { askedOfStub, isTestQuestion, stubAnswer, type AskedOfStub } from './stub-answers.ts';
import { readBody, closeServer, createHttpServer, listenOnFreePort, sendJson } from './stub-mcp-server.ts';

export type { AskedOfStub } from './stub-answers.ts';

/** An endpoint of models that answer immediately, or after some time. */
export interface StubModels {
  readonly url: string;
  requests(): number;
  close(): Promise<void>;
}

export interface StubModelOptions {
  /** How long an answer takes, or what says so for each. */
  readonly delayMs?: number | (() => number);
  /** Answers any client in one piece: for clients that are not ours. */
  readonly plain?: boolean;
  /** Called for each chat completion request as it arrives, with its tokens. */
  readonly onRequest?: (asked: AskedOfStub, tokens: number) => void;
  /** Whether the model gives up instead of calling the next tool. */
  readonly givesUp?: (asked: AskedOfStub) => boolean;
  /** Called for each embedding request as it arrives. */
  readonly onEmbedding?: (texts: readonly string[]) => void;
  /** The vector of a text; two numbers without it. */
  readonly vectorOf?: (text: string) => readonly number[];
}

const toEmbed = z.looseObject({ input: z.array(z.string()) });

export async function startStubModels(options: StubModelOptions = {}): Promise<StubModels> {
  const { delayMs = 0 } = options;
  let requests = 0;
  const answer = async (incoming: IncomingMessage): Promise<unknown> => {
    const { url = '' } = incoming;
    // It keeps no list of models, so every name is valid.
    if (url.endsWith('/models')) return {};
    const body = await readBody(incoming);
    const answered = url.endsWith('/embeddings')
      ? makeEmbeddingsBody(body, options)
      : options.plain === true
        ? makePlainCompletion(body)
        : completionEventStreamText(body, options);
    const waitMs = typeof delayMs === 'number' ? delayMs : delayMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    return answered;
  };
  const server = createHttpServer(async (incoming, response) => {
    requests += 1;
    const answered = await answer(incoming);
    if (typeof answered !== 'string') return sendJson(response, answered);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answered);
  });
  const port = await listenOnFreePort(server);
  return { url: `http://127.0.0.1:${port}/v1`, requests: () => requests, close: () => closeServer(server) };
}

/** Returns an answer as the text of an event stream with few events, because the cost of sending should not count for the reader. */
function completionEventStreamText(body: string, { onRequest, givesUp }: StubModelOptions): string {
  const asked = askedOfStub.parse(JSON.parse(body));
  const message = givesUp?.(asked) === true && !isTestQuestion(asked) ? { content: 'I cannot.' } : stubAnswer(asked);
  const prompt = estimateTokens(body);
  const written = estimateTokens(JSON.stringify(message));
  if (!isTestQuestion(asked)) onRequest?.(asked, prompt + written);
  const head = { id: 'stub', object: 'chat.completion.chunk', created: 0, model: 'stub', usage: null };
  const chunk = (delta: unknown, finish_reason: string | null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const numbered = 'tool_calls' in message ? message.tool_calls.map((call, index) => ({ index, ...call })) : undefined;
  const finish = numbered === undefined ? 'stop' : 'tool_calls';
  const chunks = [
    chunk({ role: 'assistant', content: message.content, tool_calls: numbered }, null),
    chunk({}, finish),
    { ...head, choices: [], usage: { prompt_tokens: prompt, completion_tokens: written, total_tokens: 0 } },
  ];
  return `${chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`;
}

function makePlainCompletion(body: string) {
  const message = stubAnswer(askedOfStub.parse({ ...toAnswer.parse(JSON.parse(body)), ...streamed }));
  const finish_reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: estimateTokens(body), completion_tokens: 1, total_tokens: 0 };
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }];
  return { id: 'stub', object: 'chat.completion', created: 0, model: 'stub', choices, usage };
}
const toAnswer = z.looseObject({});
/** What our own requests say and those of others need not. */
const streamed = { stream: true, stream_options: { include_usage: true }, seed: 0 };

const makeVectorOfTextLength = (text: string): readonly number[] => [1, text.length / 1_000];

function makeEmbeddingsBody(body: string, { onEmbedding, vectorOf = makeVectorOfTextLength }: StubModelOptions) {
  const { input } = toEmbed.parse(JSON.parse(body));
  onEmbedding?.(input);
  return {
    object: 'list',
    model: 'stub',
    data: input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })),
    usage: { prompt_tokens: estimateTokens(body), total_tokens: 0 },
  };
}

const estimateTokens = (text: string): number => Math.ceil(text.length / 4);
