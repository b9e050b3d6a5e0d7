import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Authorization, type AuthorizationOptions } from '../../offline/gateway/authorization.ts';

export interface ProtectedServer {
  readonly url: string;
  readonly issuer: string;
  readonly authorization: Authorization;
  /** Leaves requests for tokens without an answer from now on, or no longer. */
  stallTokens(isStalled: boolean): void;
  close(): Promise<void>;
}

/** Starts an authorization server, and behind it, with tokens alone, another server. */
export async function protect(
  upstream: string,
  options: Omit<AuthorizationOptions, 'origin'>,
): Promise<ProtectedServer> {
  let authorization: Authorization | undefined;
  let isStalled = false;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isStalled && request.url?.endsWith('/token') === true) return;
    if (authorization === undefined || (await authorization.answerIfOAuthRequest(request, response))) return;
    if (authorization.admitOrAnswer401Or403(request, response)) await forward(upstream, request, response);
  };
  const http = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  authorization = new Authorization({ origin, ...options });
  return {
    url: `${origin}/mcp`,
    issuer: authorization.issuer,
    authorization,
    stallTokens: (stalled) => {
      isStalled = stalled;
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

const hopByHop = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

async function forward(upstream: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (!hopByHop.has(name) && value !== undefined) headers.set(name, String(value));
  const body = await buffer(request);
  const { method = 'GET' } = request;
  const answer = await fetch(upstream, {
    method,
    headers,
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
  response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => !hopByHop.has(name))));
  response.end(Buffer.from(await answer.arrayBuffer()));
}
