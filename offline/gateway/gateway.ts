import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpEndpoints, sendJson } from './http.ts';
import { Limiter } from './limiter.ts';
import type { Yard } from './pool.ts';
import { ServedServer } from './served.ts';
import { Authorization } from './authorization.ts';
import type { OAuthClient } from './oauth-forms.ts';
import { SERVERS, type ServerSpec } from './servers.ts';

const PREFIX = 'sextant-gateway-';
const IDLE_MS = 60_000;
const SWEEP_MS = 5_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Options of a gateway. Port 0 takes any free port. */
export interface GatewayOptions {
  readonly port: number;
  readonly host?: string;
  /** What to serve; the bundled servers by default. */
  readonly servers?: readonly ServerSpec[];
  /** How many sessions one stateful server can serve at once; further ones wait. */
  readonly maxChildren?: number;
}

/** The client that Sextant is to servers behind OAuth. It guards nothing: the gateway listens on this machine alone, and says it. */
const demoAuth = { type: 'client-credentials', clientId: 'sextant', clientSecret: 'on-this-machine-alone' } as const;
const demoClient: OAuthClient = { id: demoAuth.clientId, secret: demoAuth.clientSecret, scopes: ['tools'] };

const demoAuthorization = {
  clients: [demoClient],
  tokenSeconds: 60,
  scope: 'tools',
  people: { registers: true },
} as const;

/** A server as `GET /servers` lists it. */
export interface ListedServer {
  readonly name: string;
  readonly domain: string;
  readonly url: string;
  readonly stateful: boolean;
  /** How attempts are kept apart on it. */
  readonly isolation: { readonly kind: 'none' | 'session' };
  /** What calls do, by tool, where a server without sessions says nothing. */
  readonly effects?: Readonly<Record<string, 'reads'>>;
  /** How a client gets tokens for it, if it takes no requests without. */
  readonly auth?: typeof demoAuth;
}

/** A running gateway. */
export interface Gateway {
  readonly url: string;
  readonly servers: readonly ListedServer[];
  /** Returns a token for a server, for the one who runs the gateway. */
  grantToken(server: string): string;
  /** Settles when every server has a child and has listed its tools; names those that have not. */
  readonly warm: Promise<readonly string[]>;
  /** The ids of the running processes. */
  processes(): readonly number[];
  /** Ends every child and removes the temporary folders. */
  close(): Promise<void>;
}

/** Serves every server at `/<name>/mcp`. Listens at once; the servers themselves start in the background. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { port, host = '127.0.0.1', servers = SERVERS, maxChildren = 12 } = options;
  removeLeftoverFolders();
  const root = realpathSync(mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`)));
  const starts = new Limiter(Math.max(2, availableParallelism()));
  const yard: Yard = { root, children: new Set(), starts, maxChildren, closed: false };
  const served = new Map(servers.map((spec) => [spec.name, new ServedServer(spec, yard)]));
  const endpoints = new McpEndpoints(served);
  let listed: readonly ListedServer[] = [];
  let authorization: Authorization | undefined;

  const http = createServer((request, response) => {
    const [, name, mcp, more] = (request.url ?? '').split('?', 1)[0]?.split('/') ?? [];
    const answer = async (): Promise<void> => {
      if (!isLocalOrMissingOrigin(request.headers.origin)) sendJson(response, 403, { error: 'Not from this origin' });
      else if (name === 'servers' && mcp === undefined) sendJson(response, 200, listed);
      else if ((await authorization?.answerIfOAuthRequest(request, response)) === true) return;
      else if (name === undefined || mcp !== 'mcp' || more !== undefined)
        sendJson(response, 404, { error: 'Not found' });
      else if (
        served.get(name)?.spec.oauth !== true ||
        authorization?.admitOrAnswer401Or403(request, response) === true
      )
        await endpoints.answerRequest(name, request, response);
    };
    answer().catch((error: unknown) => sendServerError(response, error));
  });
  const url = await listenAndReturnUrl(http, host, port);
  const gate = new Authorization({ ...demoAuthorization, origin: url });
  authorization = gate;
  listed = servers.map((spec) => describeServer(spec, url));

  const sweep = setInterval(() => endpoints.endIdleSessions(IDLE_MS), SWEEP_MS);
  const kill = (): void => {
    yard.closed = true;
    for (const child of yard.children) child.killProcess();
  };
  const forgetExit = cleanUpAtExit(() => {
    kill();
    rmSync(root, { recursive: true, force: true });
  });

  return {
    url,
    servers: listed,
    grantToken: (name) => gate.grantTokenForResource(`${url}/${name}/mcp`),
    warm: warmUpAndNameFailures([...served.values()]),
    processes: () => [...yard.children].map((child) => child.pid).filter((pid) => pid !== undefined),
    close: async () => {
      clearInterval(sweep);
      forgetExit();
      const children = [...yard.children];
      kill();
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
      await Promise.all(children.map((child) => child.ended));
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Cleans up when this process exits or is told to; returns what undoes that. */
function cleanUpAtExit(cleanUp: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    cleanUp();
    // Without another listener, the signal has its usual effect.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.once('exit', cleanUp).once('SIGINT', onSignal).once('SIGTERM', onSignal);
  return () => void process.off('exit', cleanUp).off('SIGINT', onSignal).off('SIGTERM', onSignal);
}

const sendServerError = (response: ServerResponse, error: unknown): void =>
  sendJson(response, 500, { error: error instanceof Error ? error.message : String(error) });

const describeServer = (
  { name, domain, reset, oauth, modern, effects }: ServerSpec,
  gateway: string,
): ListedServer => ({
  name,
  domain,
  url: `${gateway}/${name}/mcp`,
  stateful: reset !== undefined,
  isolation: { kind: modern === true ? 'none' : 'session' },
  ...(effects === undefined ? {} : { effects }),
  ...(oauth === true ? { auth: demoAuth } : {}),
});

/** Listens, and returns the address. */
async function listenAndReturnUrl(http: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, resolve);
  });
  const address = http.address();
  return `http://${host}:${typeof address === 'object' && address !== null ? address.port : port}`;
}

/** Lets every server list its tools, and returns the names of those that cannot. */
async function warmUpAndNameFailures(servers: readonly ServedServer[]): Promise<string[]> {
  const names = await Promise.all(
    servers.map((server) =>
      server.learnDescriptionAndToolsOnce().then(
        () => undefined,
        () => server.spec.name,
      ),
    ),
  );
  return names.filter((name) => name !== undefined);
}

/** Removes the folders of gateways that could not do it themselves. */
function removeLeftoverFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && !isProcessRunning(Number(owner)))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user is running too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Pages of other sites must not reach the servers through a visitor's browser. */
function isLocalOrMissingOrigin(origin: string | undefined): boolean {
  return origin === undefined || (URL.canParse(origin) && LOOPBACK.has(new URL(origin).hostname));
}
