import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallOptions } from './child.ts';
import {
  type Answer,
  errorAnswer,
  type Id,
  type Message,
  parseMessageOrUndefined,
  parseParamsOrEmpty,
} from './messages.ts';
import { BusyError } from './pool.ts';
import { type ServedServer, unavailableAnswer } from './served.ts';
import { NO_SESSION, Session } from './session.ts';
import { type EndpointWithoutSessions, makeEndpointWithoutSessions } from './without-sessions.ts';

const MAX_BODY = 16 * 1024 * 1024;

/**
 * The Streamable HTTP side: one endpoint for each server, sessions, JSON answers, and SSE if progress was requested.
 */
export class McpEndpoints {
  readonly #servers: ReadonlyMap<string, ServedServer>;
  readonly #sessions = new Map<string, Session>();
  readonly #withoutSessions: ReadonlyMap<string, EndpointWithoutSessions>;

  constructor(servers: ReadonlyMap<string, ServedServer>) {
    this.#servers = servers;
    const modern = [...servers].filter(([, { spec }]) => spec.modern === true);
    this.#withoutSessions = new Map(modern.map(([name, server]) => [name, makeEndpointWithoutSessions(server)]));
  }

  /** Handles a request to `/<name>/mcp`. */
  async answerRequest(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const server = this.#servers.get(name);
    if (server === undefined) return sendJson(response, 404, { error: 'There is no such server' });
    const withoutSessions = this.#withoutSessions.get(name);
    if (withoutSessions !== undefined) return withoutSessions(request, response);
    if (request.method === 'POST') return this.#answerPost(server, request, response);
    if (request.method === 'DELETE') {
      const session = this.#findSessionOfRequest(server, request);
      session?.endAndReturnChild();
      return session === undefined ? sendAnswer(response, 404, null, NO_SESSION) : sendJson(response, 200, {});
    }
    response.setHeader('allow', 'POST, DELETE');
    return sendJson(response, 405, { error: 'Method not allowed' });
  }

  /** Ends sessions that have been idle for this long. */
  endIdleSessions(olderThanMs: number): void {
    for (const session of this.#sessions.values()) if (session.idleMs > olderThanMs) session.endAndReturnChild();
  }

  async #answerPost(server: ServedServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBodyUnlessTooLarge(request);
    if (body === undefined) return sendAnswer(response, 413, null, errorAnswer(-32600, 'The body is too large'));
    const message = parseMessageOrUndefined(body);
    if (message === undefined) return sendAnswer(response, 400, null, errorAnswer(-32700, 'Not a JSON-RPC message'));
    const { id, method } = message;
    if (method === 'initialize' && id !== undefined && id !== null) return this.#startSession(server, id, response);
    const session = this.#findSessionOfRequest(server, request);
    if (session === undefined) {
      const missing = request.headers['mcp-session-id'] === undefined;
      return sendAnswer(
        response,
        missing ? 400 : 404,
        id,
        missing ? errorAnswer(-32000, 'No Mcp-Session-Id') : NO_SESSION,
      );
    }
    if (method === undefined || id === undefined || id === null) {
      if (method !== undefined) session.cancelIfCancelNotification(method, message.params);
      response.writeHead(202).end();
      return;
    }
    return this.#answerInSession(session, id, method, message, response);
  }

  async #startSession(server: ServedServer, id: Id, response: ServerResponse): Promise<void> {
    try {
      const result = await server.getInitializeResult();
      const session = new Session(server, (ended) => this.#sessions.delete(ended.id));
      this.#sessions.set(session.id, session);
      response.setHeader('mcp-session-id', session.id);
      sendAnswer(response, 200, id, { result });
    } catch (error) {
      sendAnswer(response, 503, id, unavailableAnswer(error));
    }
  }

  async #answerInSession(
    session: Session,
    id: Id,
    method: string,
    { params }: Message,
    response: ServerResponse,
  ): Promise<void> {
    try {
      await session.borrowChildIfNeeded(method);
    } catch (error) {
      return sendAnswer(response, error instanceof BusyError ? 503 : 502, id, unavailableAnswer(error));
    }
    const token = parseParamsOrEmpty(params)._meta?.progressToken;
    if (token === undefined)
      return sendAnswer(response, 200, id, await session.answerFromCacheOrForward(id, method, params, {}));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const send = (message: object): void => {
      response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    };
    const options: CallOptions = {
      onProgress: (progress) =>
        send({ method: 'notifications/progress', params: { ...progress, progressToken: token } }),
    };
    send({ id, ...(await session.answerFromCacheOrForward(id, method, params, options)) });
    response.end();
  }

  #findSessionOfRequest(server: ServedServer, request: IncomingMessage): Session | undefined {
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    return session?.server === server ? session : undefined;
  }
}

/** Sends a JSON body. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  const text = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
}

function sendAnswer(response: ServerResponse, status: number, id: Id | null | undefined, answer: Answer): void {
  sendJson(response, status, { jsonrpc: '2.0', id: id ?? null, ...answer });
}

async function readBodyUnlessTooLarge(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size <= MAX_BODY) chunks.push(chunk);
  }
  return size > MAX_BODY ? undefined : Buffer.concat(chunks).toString('utf8');
}
