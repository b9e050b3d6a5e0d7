import type { ServerReply } from '#core/catalog/server-reply.ts';
import type { RefusedCall } from '#agents/refused-call.ts';
import { makeUnsentStep } from '#agents/steps.ts';
import type { ServerConnections } from '#adapters/mcp/server-connections.ts';
import type { Step } from '#core/traces/trace.ts';

const malformedCall = { source: 'rule', class: 'syntactic-malformation', rule: 'malformed-call' } as const;

/** What a call was refused with: JSON-RPC's code for wrong parameters. */
export const invalidParams = -32602;

/** Returns the step of a call that was not sent, as a trace keeps it. One of the wrong form may name no tool, by which the rules would judge it. */
export const makeRefusedStep = (
  { text, arguments: args }: RefusedCall,
  { tool, turn, wasMalformed }: { readonly tool: string; readonly turn: number; readonly wasMalformed: boolean },
  { redactArguments }: Pick<ServerConnections, 'redactArguments'>,
): Step =>
  makeUnsentStep({
    tool,
    arguments: args === null ? null : redactArguments(tool, args),
    text,
    code: invalidParams,
    turn,
    turnTokens: null,
    ...(wasMalformed ? { failure: malformedCall } : {}),
  });

/** Returns whether the call of a step was refused, and so never made; it may name a tool that the agent knows by another name. */
export const isRefusedStep = ({ code, sha256, fault }: Step): boolean =>
  code === invalidParams && sha256 === null && fault === null;
export const errorReply = (code: number, message: string): ServerReply => ({ kind: 'error', error: { code, message } });
