import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { implementation } from '#adapters/network/implementation.ts';
import { noValidator } from '#adapters/mcp/no-validator.ts';
import type { Answer, Arguments } from '#core/reports/check/probes/answer.ts';
import type { HttpEntry, ServerEntry } from '../serve/server-file.ts';
import { makeProcessTransport } from './process-transport.ts';

/** The first start of a program may load a package. */
const connectMs = 60_000;
const pagesAtMost = 50;

/** A session with a server that is checked. Each local one is a process of its own. */
export interface CheckSession {
  readonly instructions: string | undefined;
  /** Lists all tools as the server sends them; `loops` if a cursor comes back. */
  list(): Promise<{ readonly tools: readonly unknown[]; readonly loops: boolean }>;
  /** Never rejects. */
  call(tool: string, given: Arguments, timeoutMs: number): Promise<Answer>;
  /** Whether the process or the connection has ended, or does not answer any more. */
  isOver(): boolean;
  /** The process of a local server; null for others. */
  readonly pid: number | null;
  close(): Promise<void>;
}

interface SessionOptions {
  /** Gets each line of standard output that is no message of the protocol. */
  readonly onNoise: (line: string) => void;
  readonly signal: AbortSignal;
}

const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const callResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
const rpcError = z.object({ code: z.number(), message: z.string() });

/** Opens a session with a server. Rejects if it does not start or does not speak MCP, with the end of what it wrote to standard error. */
export async function openCheckSession(entry: ServerEntry, { onNoise, signal }: SessionOptions): Promise<CheckSession> {
  const opened =
    entry.kind === 'stdio'
      ? ({ kind: 'process', transport: makeProcessTransport(entry, onNoise) } as const)
      : ({ kind: 'http', transport: makeHttpTransport(entry) } as const);
  const client = new Client(implementation, {
    jsonSchemaValidator: noValidator,
    ...(entry.kind === 'stdio' ? {} : { versionNegotiation: { mode: 'auto' } as const }),
  });
  let over = false;
  client.onclose = () => {
    over = true;
  };
  const lastError = (): string => {
    const said = lastLine(opened.kind === 'process' ? opened.transport.errors() : '');
    return said === '' ? '' : `; its last words: ${said}`;
  };
  try {
    await client.connect(opened.transport, { timeout: connectMs, signal });
  } catch (cause) {
    await client.close();
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)}${lastError()}`, { cause });
  }
  return {
    instructions: client.getInstructions(),
    list: () => listAllTools(client, signal),
    async call(tool, given, timeoutMs) {
      if (over) return { kind: 'gone', detail: 'the server ended', ms: 0 };
      const started = performance.now();
      const params = { name: tool, arguments: { ...given } };
      try {
        const result = await client.request({ method: 'tools/call', params }, callResult, {
          timeout: timeoutMs,
          signal,
        });
        return answerOf(result, performance.now() - started);
      } catch (cause) {
        const ms = performance.now() - started;
        if (over) return { kind: 'gone', detail: `the server ended before it answered${lastError()}`, ms };
        if (ms < timeoutMs - 50) return errorOf(cause, ms);
        over = true;
        return { kind: 'silence', ms };
      }
    },
    isOver: () => over,
    pid: opened.kind === 'process' ? opened.transport.pid() : null,
    close: () => client.close().catch(() => undefined),
  };
}

async function listAllTools(client: Client, signal: AbortSignal): ReturnType<CheckSession['list']> {
  const tools: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let at = 0; at < pagesAtMost; at += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await client.request({ method: 'tools/list', params }, page, { timeout: connectMs, signal });
    tools.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined || cursor === '') return { tools, loops: false };
    if (seen.has(cursor)) return { tools, loops: true };
    seen.add(cursor);
  }
  return { tools, loops: true };
}

function answerOf({ content, structuredContent, isError }: z.infer<typeof callResult>, ms: number): Answer {
  const texts = content.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []));
  return { kind: 'result', isError: isError === true, text: texts.join('\n'), structured: structuredContent, ms };
}

function errorOf(cause: unknown, ms: number): Answer {
  const parsed = rpcError.safeParse(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  return {
    kind: 'error',
    code: parsed.success ? parsed.data.code : 0,
    text: parsed.success ? parsed.data.message : message,
    ms,
  };
}

const makeHttpTransport = ({ url, headers }: HttpEntry): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });

/** The last line that says something, of a trace the error itself. */
function lastLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const said = lines.findLast((line) => /\b\w*(?:Error|Exception)\b:?/.test(line) && !line.startsWith('at '));
  return (said ?? lines.findLast((line) => line !== '') ?? '').slice(0, 200);
}
