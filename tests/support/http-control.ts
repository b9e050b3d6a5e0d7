import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * A handler gets the path's parts and the body as JSON; its return value is sent as JSON, unless it has answered
 * itself.
 */
export type Handler = (asked: {
  readonly method: string;
  readonly path: readonly string[];
  readonly body: unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}) => Promise<unknown>;

/** Returned by a handler that has answered by itself. */
export const answered = Symbol('answered');

/** A small HTTP server on loopback. */
export async function listen(handler: Handler): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    serve(handler, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(handler: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const path = (request.url ?? '/').split('?')[0]?.split('/').slice(1) ?? [];
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const answer = await handler({ method: request.method ?? '', path, body, request, response });
  if (answer === answered) return;
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? null));
}
