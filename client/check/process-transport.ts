import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { StdioEntry } from '../serve/server-file.ts';
import { spawnServer } from './spawn-server.ts';

/** Characters of standard error that are kept, to say why a server ended. */
const keptChars = 2_000;
/** How long a process may take to end by itself, and then by a signal. */
const graceMs = 500;

const message = z.custom<JSONRPCMessage>(
  (value) => z.looseObject({ jsonrpc: z.literal('2.0') }).safeParse(value).success,
);

/** The process of a local server, as a transport of its client. */
export interface ProcessTransport extends Transport {
  readonly pid: () => number | null;
  /** The end of what it wrote to standard error. */
  readonly errors: () => string;
}

/**
 * Returns the transport of a local server; the process starts with `start()`. The SDK's own transport passes over lines of standard output that
 * are no messages, which `onNoise` gets here, and waits seconds for processes that do not end.
 */
export function makeProcessTransport(entry: StdioEntry, onNoise: (line: string) => void): ProcessTransport {
  let child: ChildProcessWithoutNullStreams | null = null;
  let errors = '';
  const hasEnded = (): boolean => child === null || child.exitCode !== null || child.signalCode !== null;
  const transport: ProcessTransport = {
    pid: () => child?.pid ?? null,
    errors: () => errors,
    start: () =>
      new Promise((resolve, reject) => {
        const started = spawnServer(entry);
        child = started;
        started.once('spawn', resolve);
        started.once('error', reject);
        started.once('close', () => transport.onclose?.());
        // Who writes to a process that has ended learns it from its end.
        started.stdin.on('error', () => undefined);
        started.stderr.on('data', (chunk: Buffer) => {
          errors = (errors + chunk.toString('utf8')).slice(-keptChars);
        });
        createInterface({ input: started.stdout }).on('line', (line) => {
          if (line.trim() === '') return;
          const read = readMessageOrNull(line);
          if (read === null) onNoise(line);
          else transport.onmessage?.(read);
        });
      }),
    send: (given) =>
      new Promise((resolve, reject) => {
        if (child === null || hasEnded()) reject(new Error('the process has ended'));
        else child.stdin.write(`${JSON.stringify(given)}\n`, () => resolve());
      }),
    async close() {
      const closing = child;
      if (closing === null || hasEnded()) return;
      const ended = new Promise<void>((resolve) => closing.once('close', () => resolve()));
      const wait = (): Promise<unknown> =>
        Promise.race([ended, new Promise((resolve) => setTimeout(resolve, graceMs))]);
      closing.stdin.end();
      await wait();
      if (!hasEnded()) closing.kill('SIGTERM');
      await wait();
      if (!hasEnded()) closing.kill('SIGKILL');
      // A program that it has started may hold its output open.
      closing.stdout.destroy();
      closing.stderr.destroy();
    },
  };
  return transport;
}

function readMessageOrNull(line: string): JSONRPCMessage | null {
  try {
    const parsed = message.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    // A line that is no JSON is no message.
    return null;
  }
}
