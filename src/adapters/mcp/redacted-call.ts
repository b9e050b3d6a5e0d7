import type { Redaction } from '#core/traces/redaction/redaction.ts';
import { redactReply } from '#core/traces/redaction/reply.ts';
import { callTool } from './call-tool.ts';

type CallOptions = Parameters<typeof callTool>[2];

/**
 * Makes one tools/call and returns the answer without what the server's owner keeps out. All calls of tools come here: nothing that
 * is stored, shown to an agent or sent to a model has seen more. `redaction` is asked when an answer has come, because tokens that the
 * server may repeat change.
 */
export async function callToolAndRedact(
  client: Parameters<typeof callTool>[0],
  params: Parameters<typeof callTool>[1],
  options: CallOptions,
  redaction: () => Redaction,
): ReturnType<typeof callTool> {
  const called = await callTool(client, params, optionsWithRedactedProgress(options, redaction));
  return called.ok ? { ...called, reply: redactReply(called.reply, redaction()) } : called;
}

function optionsWithRedactedProgress(options: CallOptions, redaction: () => Redaction): CallOptions {
  const { onProgress } = options;
  if (onProgress === undefined) return options;
  return {
    ...options,
    onProgress: ({ message, ...progress }) =>
      onProgress(message === undefined ? progress : { ...progress, message: redaction().text(message) }),
  };
}
