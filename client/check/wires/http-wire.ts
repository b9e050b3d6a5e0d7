import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { z } from 'zod';
import { modernVersion } from '#core/catalog/protocol-version.ts';
import type { Reply } from '#core/reports/check/protocol/exchange.ts';
import type { HttpEntry } from '../../serve/server-file.ts';
import { answeredId, isAnswer, lineOf, messageOf, type Wire, type WireRequest } from './wire.ts';

const sendMs = 5_000;
const refusedCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']);
const sessionHeader = z.string().optional().catch(undefined);
const failedFetch = z.object({ cause: z.object({ code: z.string() }) });

/** A wire to an HTTP address. */
export interface HttpWire extends Wire {
  /** The session that the server opened; null without one. */
  readonly session: string | null;
  /** Sends the version that was agreed on with each request from now on. */
  agreeOn(version: string): void;
  /** Sends the requests from now on in a session. */
  useSession(id: string): void;
  /** Ends the session. */
  close(): Promise<void>;
}

const plainHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** What headers repeat of a request from 2026-07-28 on. */
type Named = Pick<WireRequest, 'method' | 'params'>;

function namesInHeaders({ method, params }: Named): Record<string, string> {
  const name = params?.['name'];
  return { 'mcp-method': method, ...(typeof name === 'string' ? { 'mcp-name': name } : {}) };
}

/** Opens a wire to an HTTP address; nothing is sent yet. */
export function openHttpWire({ url, headers }: HttpEntry): HttpWire {
  let session: string | null = null;
  let version: string | null = null;
  const post = async (body: string, named: Named, signal: AbortSignal): Promise<Response> => {
    const response = await fetch(url, { method: 'POST', body, signal, headers: headersOf(named) });
    session ??= response.headers.get('mcp-session-id');
    return response;
  };
  const headersOf = (named: Named): Record<string, string> => ({
    ...plainHeaders,
    ...(session === null ? {} : { 'mcp-session-id': session }),
    ...(version === null ? {} : { 'mcp-protocol-version': version }),
    ...(version === modernVersion ? namesInHeaders(named) : {}),
    ...headers,
  });
  return {
    get session() {
      return session;
    },
    async request(request) {
      const sent = lineOf(request);
      const signal = AbortSignal.timeout(request.timeoutMs);
      try {
        const response = await post(sent, request, signal);
        return { sent, id: request.id, reply: await readReply(response, request) };
      } catch (cause) {
        return { sent, id: request.id, reply: replyOfFailure(cause, { url, request, signal }) };
      }
    },
    async send(text) {
      const method = messageOf(text)?.['method'];
      try {
        const response = await post(
          text,
          { method: typeof method === 'string' ? method : '' },
          AbortSignal.timeout(sendMs),
        );
        await response.body?.cancel();
      } catch {
        // The next request shows whether the server still answers.
      }
    },
    settle: (exchange) => exchange,
    agreeOn(agreed) {
      version = agreed;
    },
    useSession(id) {
      session = id;
    },
    async close() {
      if (session === null) return;
      const signal = AbortSignal.timeout(sendMs);
      const response = await fetch(url, { method: 'DELETE', headers: headersOf({ method: '' }), signal }).catch(
        () => null,
      );
      await response?.body?.cancel();
    },
  };
}

/** A failure of the network between here and a server elsewhere is none of the server. */
function replyOfFailure(
  cause: unknown,
  { url, request, signal }: { url: string; request: WireRequest; signal: AbortSignal },
): Reply {
  if (signal.aborted) return { kind: 'silence', ms: request.timeoutMs, instead: null };
  const failed = failedFetch.safeParse(cause);
  return failed.success && refusedCodes.has(failed.data.cause.code) && isLoopback(url)
    ? { kind: 'ended' }
    : { kind: 'status', status: 599 };
}

/** Reads the message that answers a request, of a body of JSON or of a stream of events. */
async function readReply(response: Response, request: WireRequest): Promise<Reply> {
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
  const lines = isStream ? eventsOf(response) : wholeOf(response);
  for await (const line of lines) {
    const message = messageOf(line);
    // On HTTP a request has its answer for itself: one without an id is no other one's.
    if (message !== null && isAnswer(message) && [String(request.id), null].includes(answeredId(message)))
      return { kind: 'message', line, message };
  }
  return { kind: 'status', status: response.status };
}

async function* wholeOf(response: Response): AsyncGenerator<string> {
  yield await response.text();
}

async function* eventsOf(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  let rest = '';
  // To leave the loop cancels the stream.
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split(/\r?\n\r?\n/);
    rest = events.pop() ?? '';
    for (const event of events) yield dataOf(event);
  }
  yield dataOf(rest);
}

const dataOf = (event: string): string =>
  event
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trimStart()] : []))
    .join('\n');

/** Whether an address is of this machine. */
export const isLoopback = (url: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

const foreignHost = 'evil.example';

/**
 * Sends a request as the browser of a deceived user does, whose page of another site leads to this machine: both `Host` and
 * `Origin` are foreign. Returns the status; null without an answer.
 */
export async function statusOfForeignOrigin(
  entry: HttpEntry,
  request: WireRequest,
  version: string,
): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<{ status: number | null; session?: string | undefined }>();
  const send = entry.url.startsWith('https:') ? requestHttps : requestHttp;
  const sent = send(entry.url, {
    method: 'POST',
    timeout: request.timeoutMs,
    headers: {
      ...plainHeaders,
      ...(version === modernVersion ? { 'mcp-protocol-version': version, ...namesInHeaders(request) } : {}),
      ...entry.headers,
      host: foreignHost,
      origin: `http://${foreignHost}`,
    },
  });
  sent.on('response', ({ statusCode, headers }) => {
    resolve({ status: statusCode ?? null, session: sessionHeader.parse(headers['mcp-session-id']) });
    sent.destroy();
  });
  sent.on('timeout', () => sent.destroy());
  sent.on('error', () => resolve({ status: null }));
  sent.on('close', () => resolve({ status: null }));
  sent.end(lineOf(request));
  const { status, session } = await promise;
  if (session !== undefined) {
    const wire = openHttpWire(entry);
    wire.useSession(session);
    await wire.close();
  }
  return status;
}
