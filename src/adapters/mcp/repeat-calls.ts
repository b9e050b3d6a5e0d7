import { z } from 'zod';
import type { RedactionRules } from '#core/catalog/redaction/rules.ts';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import type { Answer } from '#core/reports/check/probes/answer.ts';
import { isJsonObject } from '#core/values/json-schema/json-object.ts';
import { makeServerRedaction } from '#core/traces/redaction/redaction.ts';
import { ok, type Result } from '#core/values/result.ts';
import { CallUser } from './call-user.ts';
import { recentTokensAsHeaderValues } from './oauth/tokens.ts';
import { openServer, type OpenServerOptions } from './open-server.ts';
import { callToolAndRedact } from './redacted-call.ts';
import { makeTraceContextMaker } from './trace-context.ts';

/** Makes one call, the tool by its name on the server. */
export type RepeatCall = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Answer>;

export interface RepeatOptions extends OpenServerOptions {
  readonly redact: RedactionRules;
  readonly callTimeoutMs: number;
}

/**
 * Opens a session with a server, has calls made over it one after the other, and ends it; or says why there was none. What the owner keeps out is
 * not in the answers. Rejects only with PlatformErrors and with what `use` rejects with.
 */
export async function repeatCalls<T>(
  options: RepeatOptions,
  use: (call: RepeatCall) => Promise<T>,
): Promise<Result<T, string>> {
  const opened = await openServer(options);
  if (!opened.ok) return opened;
  const { client, end } = opened.value;
  const { admission, gate, signal, maxBytes, callTimeoutMs: timeoutMs } = options;
  const made = makeServerRedaction(options.redact, options.headers);
  const redaction = () => made.hiding(recentTokensAsHeaderValues(options.auth));
  const traceContext = makeTraceContextMaker(crypto.randomUUID());
  try {
    return ok(
      await use(async (name, args) => {
        const begunMs = Date.now();
        const params = { name, arguments: { ...args }, _meta: await traceContext(undefined) };
        const calling = { admission, gate, signal, maxBytes, timeoutMs, user: new CallUser(null, redaction) };
        const called = await callToolAndRedact(client, params, calling, redaction);
        const ms = Math.max(0, Date.now() - begunMs - called.queuedMs);
        return called.ok ? answerOfReply(called.reply, ms) : { kind: 'gone', detail: called.problem.detail, ms };
      }),
    );
  } finally {
    await admission.runHoldingPlace(() => end(1_000));
  }
}

const toolResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false),
});

function answerOfReply(reply: ServerReply, ms: number): Answer {
  if (reply.kind === 'error') return { kind: 'error', code: reply.error.code, text: reply.error.message, ms };
  const { content, structuredContent, isError } = toolResult.parse(reply.result);
  const text = content.flatMap((part) => part.text ?? []).join('\n');
  const structured = isJsonObject(structuredContent) ? structuredContent : undefined;
  return { kind: 'result', isError, text, structured, ms };
}
