import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { z } from 'zod';
import { cards as allCards } from '../cards/index.ts';
import { replyToChatOrThrow, embedderName, modelNames } from './answering.ts';
import { makeChatCompletionChunks, makeChatCompletion, estimateTokens } from './completion.ts';
import { makeLazyEmbedder, type Embedder } from '../embedder/embedder.ts';
import { RequestError } from '../request-error.ts';
import { chatRequest, embeddingsRequest } from './protocol.ts';
import type { Cards } from './tools.ts';
import { toBase64Floats } from '../embedder/vectors.ts';

/** A running endpoint. */
export interface ModelsEndpoint {
  /** The base URL, with `/v1`. */
  readonly url: string;
  close(): Promise<void>;
}

const largestBodyBytes = 32 * 1024 * 1024;

/**
 * OpenAI's limit for one text. The encoder needs a limit too, because its time grows with the square of a text's
 * length.
 */
const largestInputTokens = 8_192;

/** Serves the rule-based models and the embedder with OpenAI's API. Port 0 takes any free one. */
export const startModelsEndpoint = async ({
  port,
  host = '127.0.0.1',
  cards = allCards,
  embedder = makeLazyEmbedder(),
}: {
  readonly port: number;
  readonly host?: string;
  readonly cards?: Cards;
  /** Closed with the endpoint. */
  readonly embedder?: Embedder;
}): Promise<ModelsEndpoint> => {
  const server = createServer((request, response) => {
    answerHttpRequest(request, response, cards, embedder).catch((error: unknown) => sendError(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/v1`,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await Promise.all([closed, embedder.close()]);
    },
  };
};

const answerHttpRequest = async (
  request: IncomingMessage,
  response: ServerResponse,
  cards: Cards,
  embedder: Embedder,
): Promise<void> => {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const route = `${request.method ?? 'GET'} ${path}`;
  if (route === 'GET /v1/models') {
    sendJson(response, 200, {
      object: 'list',
      data: modelNames.map((id) => ({ id, object: 'model', created: 0, owned_by: 'offline' })),
    });
  } else if (route === 'POST /v1/chat/completions') {
    answerChat(response, parseOrThrow400(chatRequest, await readJsonBodyOrThrow(request)), cards);
  } else if (route === 'POST /v1/embeddings') {
    await answerEmbeddings(response, parseOrThrow400(embeddingsRequest, await readJsonBodyOrThrow(request)), embedder);
  } else {
    throw new RequestError(404, `There is no ${route}.`);
  }
};

const answerChat = (response: ServerResponse, request: z.infer<typeof chatRequest>, cards: Cards): void => {
  const reply = replyToChatOrThrow(request, cards);
  if (request.stream !== true) {
    sendJson(response, 200, makeChatCompletion(request, reply));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const chunk of makeChatCompletionChunks(request, reply)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end('data: [DONE]\n\n');
};

const answerEmbeddings = async (
  response: ServerResponse,
  request: z.infer<typeof embeddingsRequest>,
  embedder: Embedder,
): Promise<void> => {
  if (request.model !== embedderName)
    throw new RequestError(404, `The model \`${request.model}\` does not embed.`, 'model_not_found');
  const texts = typeof request.input === 'string' ? [request.input] : request.input;
  for (const text of texts) {
    if (text === '') throw new RequestError(400, 'input: cannot be an empty string');
    if (estimateTokens(text) > largestInputTokens)
      throw new RequestError(400, `input: a text has more than ${largestInputTokens} tokens`);
  }
  const vectors = await embedder.embed(texts);
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  sendJson(response, 200, {
    object: 'list',
    model: request.model,
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: request.encoding_format === 'base64' ? toBase64Floats(vector) : Array.from(vector),
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
};

const readJsonBodyOrThrow = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > largestBodyBytes) throw new RequestError(413, 'The request is too large.');
    chunks.push(bytes);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return body;
  } catch {
    throw new RequestError(400, 'The body is not valid JSON.');
  }
};

const parseOrThrow400 = <T>(schema: z.ZodType<T>, body: unknown): T => {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RequestError(400, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is not as expected'}`);
};

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const sendError = (response: ServerResponse, error: unknown): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // A defect of ours, which the answer does not show.
  if (!(error instanceof RequestError)) console.error('the offline models failed:', error);
  const known = error instanceof RequestError ? error : new RequestError(500, 'The rules failed on this request.');
  const type = known.status < 500 ? 'invalid_request_error' : 'server_error';
  sendJson(response, known.status, { error: { message: known.message, type, param: null, code: known.code } });
};
