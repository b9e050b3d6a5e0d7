import {
  type ProtocolEra,
  ProtocolErrorCode,
  type RequestId,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { makeFunctionNames } from '#core/catalog/function-names.ts';
import type { ShownInstructions } from '#core/catalog/shown-instructions.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import { answerWithServerOfItsOwn } from './answer-http.ts';
import { implementation } from '#adapters/network/implementation.ts';
import { noValidator } from './no-validator.ts';
import { makeProgressSender } from './progress-sender.ts';
import type { CallProgress } from './server-connections.ts';
import { schemaWithoutHeaderKeywords } from '#core/catalog/param-headers.ts';

const pageTools = 200;

interface ListedTools {
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor?: string;
}

/** Returns a page of tools/list; undefined for an unknown cursor. Everything except the names is the servers' own, and no argument is wanted in a header: the gateway writes those itself. */
function toolsPageIfCursorValid(
  tools: readonly Tool[],
  names: ReadonlyMap<string, string>,
  cursor: string | undefined,
): ListedTools | undefined {
  const from = cursor === undefined ? 0 : parseCursorOrUndefined(cursor, tools.length);
  if (from === undefined) return undefined;
  const end = from + pageTools;
  const page = tools.slice(from, end).map((tool) => makeListedTool(tool, names.get(tool.name) ?? tool.name));
  return end < tools.length ? { tools: page, nextCursor: String(end) } : { tools: page };
}

/** A cursor is the index of a page's first tool. */
function parseCursorOrUndefined(cursor: string, count: number): number | undefined {
  const place = /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN;
  return place > 0 && place < count && place % pageTools === 0 ? place : undefined;
}

const makeListedTool = (tool: Tool, name: string): Readonly<Record<string, unknown>> => {
  const { title, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    title,
    description,
    inputSchema: schemaWithoutHeaderKeywords(inputSchema),
    outputSchema,
    annotations,
  };
};

export interface GatewayCallOptions {
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** Present only if the client asked for progress. */
  readonly onProgress?: (progress: CallProgress) => void;
  /** What the client sent as `traceparent`, valid or not. */
  readonly traceparent?: string;
}

/** What an external agent may work with in one attempt. */
export interface GatewayAttempt {
  /** The mounted tools, in a stable order while a client may still be paging. */
  readonly tools: readonly Tool[];
  /** What their servers say about their use. */
  readonly instructions?: readonly ShownInstructions[];
  /**
   * Calls `server/tool` or, if no such tool is mounted, the name as the client wrote it, which is empty if there was
   * none. The arguments are null if the call has the wrong form.
   */
  call(tool: string, args: Readonly<Record<string, unknown>> | null, options: GatewayCallOptions): Promise<ServerReply>;
  /**
   * The running calls, by the client's ids. A cancellation arrives in a separate request: it finds its call if both
   * requests get the same map, in the same process. Without a map, only a disconnect aborts a call.
   */
  readonly underWay?: Map<RequestId, AbortController>;
}

/**
 * Answers one HTTP request of an MCP client over Streamable HTTP, in the era of the protocol that the client speaks, whatever the
 * servers behind it speak. There is no session: all state belongs to the attempt. The servers' tools get names that MCP
 * allows (`server__tool`), and their answers are returned unchanged.
 */
export const answerMcpRequest = (request: Request, attempt: GatewayAttempt): Promise<Response> =>
  answerWithServerOfItsOwn(request, (era) => makeGatewayServer(attempt, era));

/** Returns what a client is told about the use of the tools; nothing if their servers say nothing. */
const instructionsOption = (said: readonly ShownInstructions[] = []): { readonly instructions?: string } =>
  said.length === 0
    ? {}
    : { instructions: said.map(({ server, instructions }) => `${server}:\n${instructions}`).join('\n\n') };

function makeGatewayServer(attempt: GatewayAttempt, era: ProtocolEra): Server {
  const underWay = attempt.underWay ?? new Map<RequestId, AbortController>();
  const names = makeFunctionNames(attempt.tools.map(({ name }) => name));
  const toolsByName = new Map([...names].map(([tool, name]) => [name, tool]));
  const server = new UncheckedServer(implementation, {
    capabilities: { tools: {} },
    jsonSchemaValidator: noValidator,
    ...instructionsOption(attempt.instructions),
  });

  function answerList(params: Params): Result {
    const cursor = listParams.safeParse(params);
    const page = cursor.success ? toolsPageIfCursorValid(attempt.tools, names, cursor.data?.cursor) : undefined;
    if (page === undefined) throw new ReplyError({ code: ProtocolErrorCode.InvalidParams, message: 'no such cursor' });
    return { ...page };
  }

  async function answerCall(params: Params, { mcpReq }: ServerContext): Promise<Result> {
    const parsed = callParams.safeParse(params);
    const name = parsed.data?.name ?? calledName.safeParse(params).data?.name ?? '';
    const args = parsed.data?.arguments ?? null;
    const cancelled = new AbortController();
    underWay.set(mcpReq.id, cancelled);
    const signal = AbortSignal.any([mcpReq.signal, cancelled.signal]);
    const progress = makeProgressSender(mcpReq);
    const { traceparent } = traced.safeParse(mcpReq._meta).data ?? {};
    const tracing = traceparent === undefined ? {} : { traceparent };
    let reply: ServerReply;
    try {
      reply = await attempt.call(toolsByName.get(name) ?? name, args, { signal, ...tracing, ...progress.option });
    } finally {
      // A client may have used the id again for a later call.
      if (underWay.get(mcpReq.id) === cancelled) underWay.delete(mcpReq.id);
    }
    await progress.end();
    if (reply.kind === 'error') throw new ReplyError(reply.error);
    // Later revisions demand a list of content.
    return era === 'modern' ? { content: [], ...reply.result } : reply.result;
  }

  server.setRequestHandler('tools/list', { params: anyParams }, answerList);
  server.setRequestHandler('tools/call', { params: anyParams }, answerCall);
  server.setNotificationHandler('notifications/cancelled', ({ params }) => {
    if (params.requestId !== undefined) underWay.get(params.requestId)?.abort();
  });
  return server;
}

/** Passes on what servers answer as it is; the SDK's own would check it, and drop what it does not know. */
class UncheckedServer extends Server {
  protected override _wrapHandler(_method: string, handler: Handler): Handler {
    return handler;
  }
}

type Handler = Parameters<Server['_wrapHandler']>[1];
type Result = Record<string, unknown>;
type Params = Readonly<Record<string, unknown>>;

const anyParams = z.record(z.string(), z.unknown());

const listParams = z.looseObject({ cursor: z.string().optional() }).optional();
const callParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

const traced = z.looseObject({ traceparent: z.string().optional() });

/** The name in a call of the wrong form, if it has one. */
const calledName = z.looseObject({ name: z.string() });

/** Becomes a JSON-RPC error unchanged; the SDK's own error would write its code into the message. */
class ReplyError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(error: Extract<ServerReply, { readonly kind: 'error' }>['error']) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}
