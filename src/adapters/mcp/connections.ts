import { nameOnServer, serverOf, type Tool } from '#core/catalog/tool.ts';
import type { InfrastructureFault, ToolConnections, ToolOutcome } from '#core/ports.ts';
import { checkAddress } from './address-guard.ts';
import { guardedFetch, type FetchLike } from './guarded-fetch.ts';
import { problemOf, type McpProblem } from './problems.ts';
import { answered, outcomeOf, toolResult } from './results.ts';
import { openSession, type OpenedSession } from './session.ts';

/** How to reach a server; the headers are secret. */
export interface ServerAccess {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ConnectionOptions {
  readonly servers: readonly ServerAccess[];
  /** The tools of the catalog: their output schemas are what results are held against. */
  readonly tools: readonly Pick<Tool, 'name' | 'outputSchema'>[];
  readonly allowLocal: boolean;
  /** Bound of one answer, in bytes on the wire after decompression. */
  readonly maxResultBytes?: number;
  readonly connectTimeoutMs?: number;
  /** Bound of the time that ending the sessions may take. */
  readonly closeTimeoutMs?: number;
  /** The fetch below the guard, for tests. */
  readonly fetch?: FetchLike;
}

/**
 * Connections of one attempt: a session a server, opened by the first call (calls that come meanwhile wait for the same
 * one) and ended by `close`. A server that could not be reached is tried again by the next call. No method rejects.
 */
export function openConnections(options: ConnectionOptions): ToolConnections {
  const maxBytes = options.maxResultBytes ?? 4 * 1024 * 1024;
  const { fetch } = options;
  const guarded = guardedFetch({ allowLocal: options.allowLocal, maxBytes, ...(fetch === undefined ? {} : { fetch }) });
  const access = new Map(options.servers.map((server) => [server.name, server]));
  const outputSchemas = new Map(options.tools.map((tool) => [tool.name, tool.outputSchema]));
  const sessions = new Map<string, Promise<OpenedSession>>();
  let closed = false;

  async function open(server: ServerAccess): Promise<OpenedSession> {
    const address = checkAddress(server.url, options);
    if (!address.ok) {
      return { ok: false, problem: { kind: 'fault', code: 'address-forbidden', detail: address.detail } };
    }
    const { headers } = server;
    return openSession({ url: address.url, headers, fetch: guarded, timeoutMs: options.connectTimeoutMs ?? 15_000 });
  }

  function session(server: ServerAccess): Promise<OpenedSession> {
    const existing = sessions.get(server.name);
    if (existing !== undefined) return existing;
    const opening = open(server).then((opened) => {
      if (!opened.ok) sessions.delete(server.name);
      return opened;
    });
    sessions.set(server.name, opening);
    return opening;
  }

  return {
    async call(tool, args, timeoutMs) {
      const name = serverOf(tool);
      const server = access.get(name);
      if (closed || server === undefined) {
        const detail = closed ? 'the attempt has ended' : 'the attempt has no such server';
        return fault(name, { code: closed ? 'connection-lost' : 'unreachable', detail });
      }
      const opened = await session(server);
      if (!opened.ok)
        return opened.problem.kind === 'fault' ? fault(name, opened.problem) : unopened(name, opened.problem);
      const params = { name: nameOnServer(tool), arguments: { ...args } };
      try {
        const request = { method: 'tools/call' as const, params };
        const result = await opened.session.client.request(request, toolResult, { timeout: timeoutMs });
        return await outcomeOf(result, outputSchemas.get(tool));
      } catch (error) {
        return failed(name, problemOf(error), maxBytes);
      }
    },

    async close() {
      closed = true;
      const all = [...sessions.values()];
      sessions.clear();
      await Promise.all(
        all.map(async (opening) => {
          const opened = await opening;
          if (opened.ok) await opened.session.end(options.closeTimeoutMs ?? 2_000);
        }),
      );
    },
  };
}

function failed(server: string, problem: McpProblem, maxBytes: number): ToolOutcome | Promise<ToolOutcome> {
  if (problem.kind === 'answer') return answered('error', problem.message, problem.code);
  // A tool that answers with more than anyone can take in has failed; its server is all right.
  if (problem.kind === 'too-large') return answered('error', `result larger than ${maxBytes} bytes`);
  return fault(server, problem);
}

/** A server that refuses or drowns the handshake cannot be used: whatever it said, no tool was called. */
const unopened = (server: string, problem: McpProblem): ToolOutcome =>
  fault(server, {
    code: 'malformed-protocol',
    detail: problem.kind === 'answer' ? `initialize was refused (${problem.code})` : 'initialize answered too much',
  });

const fault = (server: string, problem: Pick<InfrastructureFault, 'code' | 'detail'>): ToolOutcome => ({
  kind: 'fault',
  fault: { where: 'server', name: server, code: problem.code, detail: problem.detail },
});
