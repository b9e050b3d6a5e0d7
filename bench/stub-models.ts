import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { askedOfStub, stubAnswer, type AskedOfStub } from './stub-answers.ts';
import { bodyOf, close, listen, sendJson } from './stub-mcp-server.ts';

export type { AskedOfStub } from './stub-answers.ts';

/** An endpoint of models that answer at once, or all after the same time, and well. */
export interface StubModels {
  readonly url: string;
  requests(): number;
  close(): Promise<void>;
}

export interface StubModelOptions {
  /** How long an answer takes. */
  readonly delayMs?: number;
  /** Is told of each request for a chat completion as it arrives. */
  readonly onRequest?: (asked: AskedOfStub) => void;
}

const toEmbed = z.looseObject({ input: z.array(z.string()) });

export async function startStubModels({ delayMs = 0, onRequest }: StubModelOptions = {}): Promise<StubModels> {
  let requests = 0;
  const answer = async (incoming: IncomingMessage): Promise<unknown> => {
    const { url = '' } = incoming;
    if (url.endsWith('/models')) return { data: [{ id: 'stub' }] };
    const body = await bodyOf(incoming);
    const answered = url.endsWith('/embeddings') ? embeddings(body) : completion(body, onRequest);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    return answered;
  };
  const server = createServer((incoming, response) => {
    requests += 1;
    void answer(incoming).then((answered) => sendJson(response, answered));
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}/v1`, requests: () => requests, close: () => close(server) };
}

function completion(body: string, onRequest: StubModelOptions['onRequest']) {
  const asked = askedOfStub.parse(JSON.parse(body));
  onRequest?.(asked);
  const message = stubAnswer(asked);
  return {
    id: 'stub',
    object: 'chat.completion',
    created: 0,
    model: 'stub',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', ...message },
        finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop',
      },
    ],
    usage: {
      prompt_tokens: Math.ceil(body.length / 4),
      completion_tokens: Math.ceil(JSON.stringify(message).length / 4),
      total_tokens: 0,
    },
  };
}

function embeddings(body: string) {
  const { input } = toEmbed.parse(JSON.parse(body));
  return {
    object: 'list',
    model: 'stub',
    data: input.map((text, index) => ({ object: 'embedding', index, embedding: [1, text.length / 1_000] })),
    usage: { prompt_tokens: Math.ceil(body.length / 4), total_tokens: 0 },
  };
}
