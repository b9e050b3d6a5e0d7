import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { answerServerRequestAsClient } from './client-side.ts';
import {
  type Answer,
  errorAnswer,
  type Id,
  type Message,
  parseMessageOrUndefined,
  parseParamsOrEmpty,
} from './messages.ts';
import type { ServerSpec } from './servers.ts';

const packageSchema = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) });
const START_TIMEOUT_MS = 30_000;
const NEWLINE = 10;

/** Nothing listens there, so a bundled server that needs the network fails at once instead of waiting for it. */
const noNetwork = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' };

const proxyVariables = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
];
/** The variables that say how this machine reaches the network: its proxies and its certificates. */
const networkVariables = [
  ...proxyVariables,
  'NODE_USE_ENV_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

interface Pending {
  readonly settle: (answer: Answer) => void;
  readonly onProgress: ((params: Record<string, unknown>) => void) | undefined;
}

/** A child's folders: its work folder (its current directory) and its home. */
export interface Folders {
  readonly work: string;
  readonly home: string;
}

/** Options of a request to a child. */
export interface CallOptions {
  /** Receives the parameters of progress notifications, without the token. */
  readonly onProgress?: (params: Record<string, unknown>) => void;
  /** Receives a function that sends a cancellation for this request. */
  readonly onCancel?: (cancel: (reason: unknown) => void) => void;
}

/** Returns the file of a package's only command. */
export function findPackageEntryFile(packageName: string): string {
  const file = findPackageJSON(packageName, import.meta.url);
  if (file === undefined) throw new Error(`The package ${packageName} is not installed`);
  const { bin } = packageSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const entry = typeof bin === 'string' ? bin : Object.values(bin)[0];
  if (entry === undefined) throw new Error(`The package ${packageName} has no command`);
  return resolve(file, '..', entry);
}

/** Returns those that are set, so that a user's server has the same network as any process here. */
function pickNetworkVariables(): Record<string, string> {
  return Object.fromEntries(
    networkVariables.flatMap((name): [string, string][] => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A server's process, connected over stdio. Requests of several clients may run at once. */
export class Child {
  /** The server's answer to initialization. */
  initializeResult: unknown = undefined;
  /** Called for every notification except progress. */
  onNotification: ((method: string) => void) | undefined = undefined;
  readonly folders: Folders;
  /** Settles when the process has ended. */
  readonly ended: Promise<void>;
  readonly #spec: ServerSpec;
  readonly #process: ChildProcess;
  readonly #pending = new Map<Id, Pending>();
  #chunks: Buffer[] = [];
  #nextId = 1;
  #alive = true;

  /** Starts the process; `performHandshake` must be the first call. */
  constructor(spec: ServerSpec, folders: Folders) {
    this.#spec = spec;
    this.folders = folders;
    const fill = (text: string): string => text.replaceAll('$work', folders.work);
    const env: Record<string, string> = {
      PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
      HOME: folders.home,
      TMPDIR: folders.home,
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      ...('command' in spec ? pickNetworkVariables() : noNetwork),
    };
    for (const [key, value] of Object.entries(spec.env ?? {})) env[key] = fill(value);
    const [program, ...before] =
      'command' in spec
        ? [spec.command]
        : [process.execPath, ...(spec.nodeArgs ?? []), findPackageEntryFile(spec.package)];
    const args = [...before, ...(spec.args ?? [])].map(fill);
    const debug = process.env['SEXTANT_OFFLINE_DEBUG'] !== undefined;
    this.#process = spawn(program, args, {
      cwd: folders.work,
      env,
      stdio: ['pipe', 'pipe', debug ? 'inherit' : 'ignore'],
    });
    this.#process.stdout?.on('data', (chunk: Buffer) => this.#readChunkAndHandleMessages(chunk));
    // A write to an ending process fails here; `exit` reports its end.
    this.#process.stdin?.on('error', () => undefined);
    this.ended = new Promise((done) => {
      const end = (): void => {
        this.#alive = false;
        for (const pending of this.#pending.values()) pending.settle(errorAnswer(-32000, 'The server process ended'));
        this.#pending.clear();
        done();
      };
      this.#process.once('error', end);
      this.#process.once('exit', end);
    });
  }

  /** Performs the protocol's handshake. Ends the process and rejects if it does not answer. */
  async performHandshake(): Promise<void> {
    const timer = setTimeout(() => this.killProcess(), START_TIMEOUT_MS);
    const answer = await this.sendRequest('initialize', {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities: this.#spec.clientCapabilities ?? {},
      clientInfo: { name: 'sextant-offline-gateway', version: '1.0.0' },
    });
    clearTimeout(timer);
    if ('error' in answer) {
      this.killProcess();
      throw new Error(`${this.#spec.name} did not start: ${answer.error.message}`);
    }
    this.initializeResult = answer.result;
    this.sendNotification('notifications/initialized');
  }

  /** The process's id, while it runs. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Whether the process runs. */
  get alive(): boolean {
    return this.#alive;
  }

  /** Requests without an answer yet. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Sends a request under the child's own id (and progress token) and returns the server's answer. Never rejects. */
  sendRequest(method: string, params: Record<string, unknown> | undefined, options: CallOptions = {}): Promise<Answer> {
    if (!this.#alive) return Promise.resolve(errorAnswer(-32000, 'The server process ended'));
    const id = this.#nextId++;
    const sent = options.onProgress === undefined ? params : paramsWithProgressToken(params, id);
    return new Promise((done) => {
      const settle = (answer: Answer): void => {
        this.#pending.delete(id);
        done(answer);
      };
      this.#pending.set(id, { settle, onProgress: options.onProgress });
      options.onCancel?.((reason) => {
        if (!this.#pending.has(id)) return;
        this.sendNotification('notifications/cancelled', {
          requestId: id,
          ...(reason === undefined ? {} : { reason }),
        });
        // A server does not answer a cancelled request.
        settle(errorAnswer(-32000, 'The request was cancelled'));
      });
      this.#write({ jsonrpc: '2.0', id, method, params: sent });
    });
  }

  /** Sends a notification. */
  sendNotification(method: string, params?: Record<string, unknown>): void {
    this.#write({ jsonrpc: '2.0', method, params });
  }

  /** Ends the process at once. */
  killProcess(): void {
    this.#process.kill('SIGKILL');
  }

  #write(message: Message): void {
    const { shownAs = this.folders.work } = this.#spec;
    const line = JSON.stringify(message).replaceAll(shownAs, this.folders.work);
    if (this.#alive) this.#process.stdin?.write(`${line}\n`);
  }

  #readChunkAndHandleMessages(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      this.#chunks.push(rest.subarray(0, at));
      const { shownAs = this.folders.work } = this.#spec;
      const line = Buffer.concat(this.#chunks).toString('utf8').replaceAll(this.folders.work, shownAs);
      this.#chunks = [];
      rest = rest.subarray(at + 1);
      // Some servers also log to stdout; anything that is not a message is ignored.
      const message = parseMessageOrUndefined(line);
      if (message !== undefined) this.#handleMessage(message);
    }
    if (rest.length > 0) this.#chunks.push(rest);
  }

  #handleMessage(message: Message): void {
    const { id, method } = message;
    if (method === undefined) {
      if (id === undefined || id === null) return;
      const answer = message.error === undefined ? { result: message.result } : { error: message.error };
      this.#pending.get(id)?.settle(answer);
    } else if (id !== undefined && id !== null) {
      const root = pathToFileURL(join(this.folders.work, '/')).href;
      this.#write({ jsonrpc: '2.0', id, ...answerServerRequestAsClient(method, this.#spec, root) });
    } else if (method === 'notifications/progress') {
      const { progressToken, ...progress } = parseParamsOrEmpty(message.params);
      if (progressToken !== undefined) this.#pending.get(progressToken)?.onProgress?.(progress);
    } else {
      this.onNotification?.(method);
    }
  }
}

function paramsWithProgressToken(params: Record<string, unknown> | undefined, token: number): Record<string, unknown> {
  return { ...params, _meta: { ...parseParamsOrEmpty(params)._meta, progressToken: token } };
}
