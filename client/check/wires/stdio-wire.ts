import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Reply } from '#core/reports/check/protocol/exchange.ts';
import type { JsonObject } from '#core/values/json-schema/json-object.ts';
import type { StdioEntry } from '../../serve/server-file.ts';
import { listProcessTree } from '../process-tree.ts';
import { spawnServer } from '../spawn-server.ts';
import { answeredId, isAnswer, lineOf, messageOf, type Wire, type WireRequest } from './wire.ts';

/** Characters of standard output without the end of a line that are kept. */
const longestLine = 32 * 1024 * 1024;
/** How long the output of a process that has ended is still read. */
const lastLinesMs = 200;
const methodNotFound = -32_601;

/** A wire to a process of its own. */
export interface StdioWire extends Wire {
  /** Closes standard input, and returns whether the process ends within some milliseconds. */
  end(timeoutMs: number): Promise<boolean>;
  /** Ends the process, and all that it started. */
  kill(): Promise<void>;
}

/** Starts the process of a server. One that cannot be started is a wire that has ended. */
export function startStdioWire(entry: StdioEntry): StdioWire {
  const child = spawnServer(entry);
  child.stderr.resume();
  const mail = new Mail();
  const ended = endOf(child);
  void ended.then(() => mail.end());
  const write = (text: string): void => void (mail.isOver || child.stdin.write(`${text}\n`));
  child.stdin.on('error', () => undefined);
  readLines(child.stdout, (line) => {
    const message = messageOf(line);
    if (message === null) return;
    if ('method' in message && 'id' in message) write(answerTo(message));
    else mail.take(line, message);
  });
  return {
    async request(request) {
      const sent = lineOf(request);
      if (mail.isOver) return { sent, id: request.id, reply: { kind: 'ended' } };
      const reply = mail.replyTo(request);
      write(sent);
      return { sent, id: request.id, reply: await reply };
    },
    send: async (text) => write(text),
    settle(exchange) {
      const late = exchange.reply.kind === 'silence' ? mail.answerTo(exchange.id) : null;
      return late === null ? exchange : { ...exchange, reply: late };
    },
    async end(timeoutMs) {
      child.stdin.end();
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeoutMs);
      await Promise.race([ended, over]);
      clearTimeout(timer);
      return mail.isOver;
    },
    async kill() {
      if (!mail.isOver && child.pid !== undefined)
        for (const { pid } of (await listProcessTree(child.pid)) ?? [{ pid: child.pid }]) endProcess(pid);
      child.stdin.destroy();
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
    },
  };
}

/** Resolves when a process has ended, or could not be started. */
function endOf(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // What it wrote last is read before its output closes; a process that it started may keep that open.
  child.once('close', () => resolve());
  child.once('exit', () => setTimeout(resolve, lastLinesMs));
  child.once('error', () => resolve());
  return promise;
}

/** Answers, by the ids of their requests as texts, and those who wait for them. */
class Mail {
  private readonly answers = new Map<string, Reply>();
  private readonly waiting = new Map<string, (reply: Reply) => void>();
  private stray: string | null = null;
  private over = false;

  get isOver(): boolean {
    return this.over;
  }

  take(line: string, message: JsonObject): void {
    const id = answeredId(message);
    if (id !== null && !this.answers.has(id)) {
      const reply = { kind: 'message', line, message } as const;
      this.answers.set(id, reply);
      this.waiting.get(id)?.(reply);
    }
    if (isAnswer(message) && (id === null || !this.waiting.has(id))) this.stray = line;
  }

  answerTo(id: string | number): Reply | null {
    return this.answers.get(String(id)) ?? null;
  }

  async replyTo({ id, timeoutMs }: WireRequest): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.stray = null;
    this.waiting.set(String(id), resolve);
    const timer = setTimeout(() => resolve({ kind: 'silence', ms: timeoutMs, instead: this.stray }), timeoutMs);
    const reply = await promise;
    clearTimeout(timer);
    this.waiting.delete(String(id));
    return reply;
  }

  end(): void {
    this.over = true;
    for (const done of this.waiting.values()) done({ kind: 'ended' });
  }
}

/** Answers a request of the server: a client that declared no capabilities knows only `ping`. */
const answerTo = ({ id, method }: JsonObject): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    ...(method === 'ping' ? { result: {} } : { error: { code: methodNotFound, message: 'Method not found' } }),
  });

function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) rest = '';
    for (const line of lines) if (line.trim() !== '') onLine(line.trim());
  });
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
