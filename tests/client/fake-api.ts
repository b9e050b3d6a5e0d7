import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What a test's API does with one request. */
export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>;

export interface FakeApi extends AsyncDisposable {
  readonly url: string;
  /** The requests so far: `METHOD path?query`. */
  readonly requests: readonly {
    readonly line: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[];
}

/** A server on this machine that answers its requests with these handlers in order; the last one is repeated. */
export async function fakeApi(...handlers: readonly Handler[]): Promise<FakeApi> {
  const requests: FakeApi['requests'][number][] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
      requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      await handlers[Math.min(requests.length, handlers.length) - 1]?.(request, response, body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with JSON. */
export const json =
  (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };

/** Answers with a problem of the API. */
export const problem = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Handler =>
  json(
    {
      type: `/docs/errors#${code}`,
      title: `Title of ${code}`,
      status,
      code,
      detail: `detail of ${code}`,
      retryable: false,
      requestId: 'req_1',
    },
    status,
    headers,
  );
