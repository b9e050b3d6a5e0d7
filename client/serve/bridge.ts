import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { startBridgedSession, type BridgedSession } from './bridged-session.ts';
import type { StdioEntry } from './server-file.ts';

const host = '127.0.0.1';
const mostBodyBytes = 16 * 1024 * 1024;
/** A client that is gone without a word leaves its process behind for so long. */
const idleMs = 5 * 60_000;
const sweepEveryMs = 10_000;

/** A server as `GET /servers` of a bridge lists it. */
export const bridgedServer = z.object({ name: z.string(), url: z.string() });
export type BridgedServer = z.infer<typeof bridgedServer>;

/** What a bridge serves, and how. Port 0 takes any free port. */
export interface BridgeOptions {
  readonly entries: readonly StdioEntry[];
  readonly port: number;
  /** How many processes a server may have at once; further sessions are refused with 503 and a time. */
  readonly mostProcesses: number;
  /** Gets each line that a server writes to its standard error, and each end of a process. */
  readonly log: (server: string, line: string) => void;
}

/** A running bridge. */
export interface Bridge {
  readonly url: string;
  readonly servers: readonly BridgedServer[];
  /** Ends all processes and stops listening. */
  close(): Promise<void>;
}

/**
 * Serves programs that speak MCP on stdio as Streamable HTTP at `/<name>/mcp`, for this machine alone: each session has a
 * process of its own. Rejects if it cannot listen on the port.
 */
export async function startStdioToHttpBridge({ entries, port, mostProcesses, log }: BridgeOptions): Promise<Bridge> {
  const rooms = new Map(
    entries.map((entry): [string, Room] => [entry.name, { entry, sessions: new Map(), starting: 0 }]),
  );
  const app = new Hono();
  app.use(async ({ req: { raw } }, next) => {
    // Pages of other sites must not reach the servers through a visitor's browser.
    const refusal =
      hostHeaderValidationResponse(raw, localhostAllowedHostnames()) ??
      originValidationResponse(raw, localhostAllowedOrigins());
    return refusal ?? next();
  });
  app.get('/servers', (c) => c.json(servers));
  app.all('/:name/mcp', bodyLimit({ maxSize: mostBodyBytes }), async (c) => {
    const room = rooms.get(c.req.param('name'));
    if (room === undefined)
      return c.json({ error: `there is no such server; there are: ${[...rooms.keys()].join(', ')}` }, 404);
    return answerForServer(c, room, { mostProcesses, log: (line) => log(room.entry.name, line) });
  });

  const http = await listenOnPort(app, port);
  const url = `http://${host}:${http.port}`;
  const servers = entries.map(({ name }) => ({ name, url: `${url}/${name}/mcp` }));
  const allSessions = (): BridgedSession[] => [...rooms.values()].flatMap(({ sessions }) => [...sessions.values()]);
  const sweep = setInterval(() => {
    for (const session of allSessions()) if (session.idleMs() > idleMs) void session.close();
  }, sweepEveryMs);

  return {
    url,
    servers,
    close: async () => {
      clearInterval(sweep);
      await Promise.all(allSessions().map((session) => session.close()));
      await http.close();
    },
  };
}

interface Room {
  readonly entry: StdioEntry;
  readonly sessions: Map<string, BridgedSession>;
  /** Processes that start and have no session yet. */
  starting: number;
}

interface RoomOptions {
  readonly mostProcesses: number;
  readonly log: (line: string) => void;
}

async function answerForServer(c: Context, room: Room, options: RoomOptions): Promise<Response> {
  const { raw } = c.req;
  const { entry, sessions } = room;
  const named = raw.headers.get('mcp-session-id');
  if (named !== null) {
    const session = sessions.get(named);
    if (session === undefined)
      return jsonRpcErrorResponse(c, 404, -32_001, 'Session not found: its process has ended; initialize again');
    return session.answer(raw, await readPostJsonOrUndefined(raw));
  }
  const body = await readPostJsonOrUndefined(raw);
  const initialize = isInitialize.safeParse(body);
  if (!initialize.success)
    return jsonRpcErrorResponse(c, 400, -32_000, 'Bad Request: this server has sessions; send "initialize" first');
  if (sessions.size + room.starting >= options.mostProcesses) {
    c.header('retry-after', '1');
    return jsonRpcErrorResponse(c, 503, -32_000, `all ${options.mostProcesses} processes of ${entry.name} are taken`);
  }
  return answerWithNewProcess(c, { body, id: initialize.data.id }, room, options);
}

/** Starts a process and gives it the client's first request. A program that cannot be started is an error of that request. */
async function answerWithNewProcess(
  c: Context,
  { body, id }: { readonly body: unknown; readonly id: string | number },
  room: Room,
  { log }: RoomOptions,
): Promise<Response> {
  const { entry, sessions } = room;
  const sessionId = randomUUID();
  room.starting += 1;
  try {
    const session = await startBridgedSession(entry, sessionId, { log, onEnd: () => sessions.delete(sessionId) });
    sessions.set(sessionId, session);
    return await session.answer(c.req.raw, body);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    log(`could not be started: ${why}`);
    return c.json({
      jsonrpc: '2.0',
      id,
      error: { code: -32_000, message: `${entry.name} could not be started: ${why}` },
    });
  } finally {
    room.starting -= 1;
  }
}

const isInitialize = z.object({ method: z.literal('initialize'), id: z.union([z.string(), z.number()]) });

async function readPostJsonOrUndefined(request: Request): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  try {
    return await request.clone().json();
  } catch {
    // The transport refuses it in the protocol's words.
    return undefined;
  }
}

const jsonRpcErrorResponse = (c: Context, status: 400 | 404 | 503, code: number, message: string): Response =>
  c.json({ jsonrpc: '2.0', id: null, error: { code, message } }, status);

async function listenOnPort(app: Hono, port: number): Promise<{ readonly port: number; close(): Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: host }, (info) =>
      resolve({
        port: info.port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      }),
    );
    server.once('error', reject);
  });
}
