import { ProtocolError, ProtocolErrorCode, Server, type CallToolResult } from '@modelcontextprotocol/server';
import { answerWithServerOfItsOwn } from './answer-http.ts';
import { implementation } from '#adapters/network/implementation.ts';
import { noValidator } from './no-validator.ts';
import { makeProgressSender } from './progress-sender.ts';
import type { CallProgress } from './server-connections.ts';

/** What a client is told about a tool that Sextant itself offers. */
export interface OfferedDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' } & Readonly<Record<string, unknown>>;
  readonly outputSchema: { readonly type: 'object' } & Readonly<Record<string, unknown>>;
  readonly annotations: OfferedHints;
}

/** What a call of a tool does; all hints of MCP, so that a client assumes none. */
export interface OfferedHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A result in words and as data that fits the output schema, or a problem in words and as data. */
export type OfferedAnswer =
  | { readonly ok: true; readonly text: string; readonly data: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly text: string; readonly problem: Readonly<Record<string, unknown>> };

export interface OfferedCallOptions {
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** Present only if the client asked for progress. */
  readonly onProgress?: (progress: CallProgress) => void;
}

/** A tool that Sextant itself offers. It never throws. */
export interface OfferedTool {
  readonly name: string;
  define(): OfferedDefinition;
  call(args: Readonly<Record<string, unknown>>, options: OfferedCallOptions): Promise<OfferedAnswer>;
}

/** Answers one HTTP request of an MCP client, in the era that it speaks, with these tools. There is no session. */
export const answerWithOfferedTools = (
  request: Request,
  tools: readonly OfferedTool[],
  instructions: string,
): Promise<Response> => answerWithServerOfItsOwn(request, () => makeOfferedServer(tools, instructions, request.signal));

function makeOfferedServer(tools: readonly OfferedTool[], instructions: string, disconnected: AbortSignal): Server {
  const server = new Server(implementation, {
    capabilities: { tools: {} },
    jsonSchemaValidator: noValidator,
    instructions,
  });
  server.setRequestHandler('tools/list', () => ({ tools: tools.map((tool) => ({ ...tool.define() })) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${params.name.slice(0, 100)}`);
    const progress = makeProgressSender(mcpReq);
    const signal = AbortSignal.any([mcpReq.signal, disconnected]);
    const answer = await tool.call(params.arguments ?? {}, { signal, ...progress.option });
    await progress.end();
    return makeCallResult(answer);
  });
  return server;
}

/**
 * Returns a result as MCP has it: first the words, then the data as JSON, for clients that show their model texts alone. A problem
 * has no `structuredContent`, because that would have to fit the output schema.
 */
const makeCallResult = (answer: OfferedAnswer): CallToolResult => {
  const content = [answer.text, JSON.stringify(answer.ok ? answer.data : answer.problem)].map((text) => ({
    type: 'text' as const,
    text,
  }));
  return answer.ok ? { content, structuredContent: { ...answer.data } } : { content, isError: true };
};
