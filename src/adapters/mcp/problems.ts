import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import type { FaultCode } from '#core/faults.ts';
import { findGuardError, type FetchGuardCode } from '#adapters/network/guarded-fetch.ts';
import { BrokenConnection, BusyServer, OAuthServer, ServerAnswer } from './transport.ts';

/** Why a request to an MCP server gave no result. */
export type McpProblem =
  /** The server answered with a JSON-RPC error. */
  | { readonly kind: 'answer'; readonly code: number; readonly message: string; readonly data?: unknown }
  /** The answer was longer than allowed and was cut off. */
  | { readonly kind: 'too-large' }
  /** The connection to the server broke. `status` is the HTTP status, if there was one. */
  | {
      readonly kind: 'fault';
      readonly code: FaultCode;
      readonly detail: string;
      readonly status?: number;
      /** How long the server asks to wait before the request is repeated. */
      readonly retryAfterMs?: number;
    };

const guardFaults: Record<Exclude<FetchGuardCode, 'body-too-large'>, FaultCode> = {
  'address-forbidden': 'address-forbidden',
  'too-many-redirects': 'http-status',
  timeout: 'timeout',
  unreachable: 'unreachable',
  'connection-lost': 'connection-lost',
};

/**
 * Maps an error of the SDK by class and code; a server's error texts are never parsed or passed on. Rethrows
 * PlatformErrors, which are no problem of the server.
 */
export function toProblemUnlessPlatformError(error: unknown): McpProblem {
  const stopped = findPlatformError(error instanceof McpError ? error.data : error);
  if (stopped !== undefined) throw stopped;
  const refused = findGuardError(error);
  if (refused?.code === 'body-too-large') return { kind: 'too-large' };
  if (refused !== undefined) return { kind: 'fault', code: guardFaults[refused.code], detail: refused.message };
  if (error instanceof BusyServer) return busyProblem(error);
  if (error instanceof OAuthServer) return oauthProblem;
  if (error instanceof McpError) return convertMcpError(error);
  if (error instanceof StreamableHTTPError) return httpProblem(error.code);
  return { kind: 'fault', code: 'malformed-protocol', detail: 'the answer is not MCP' };
}

function convertMcpError(error: McpError): McpProblem {
  const { data } = error;
  if (data instanceof ServerAnswer) return { kind: 'answer', ...data.error };
  if (data instanceof BrokenConnection) {
    if (data.code === 'body-too-large') return { kind: 'too-large' };
    const lost = data.code === 'connection-lost';
    return { kind: 'fault', code: data.code, detail: lost ? 'the stream ended unanswered' : 'the answer is not MCP' };
  }
  if (error.code === ErrorCode.RequestTimeout) return { kind: 'fault', code: 'timeout', detail: 'no answer in time' };
  if (error.code === ErrorCode.ConnectionClosed) {
    return { kind: 'fault', code: 'connection-lost', detail: 'the connection was closed' };
  }
  return { kind: 'fault', code: 'malformed-protocol', detail: 'the answer is not MCP' };
}

const oauthProblem: McpProblem = {
  kind: 'fault',
  code: 'http-status',
  status: 401,
  detail:
    'HTTP status 401: the server wants OAuth, which Sextant does not speak yet; give a token as a header: "Authorization: Bearer ..."',
};

function busyProblem({ status, retryAfterMs }: BusyServer): McpProblem {
  const problem = httpProblem(status);
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const detail = `${problem.detail}: the server asks to wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return { ...problem, detail, retryAfterMs };
}

function httpProblem(status: number | undefined): Extract<McpProblem, { readonly kind: 'fault' }> {
  // The SDK gives -1 to a content type that is neither JSON nor an event stream.
  if (status === undefined || status < 100) {
    return { kind: 'fault', code: 'malformed-protocol', detail: 'the answer is neither JSON nor an event stream' };
  }
  const code = status === 429 ? 'rate-limited' : 'http-status';
  return { kind: 'fault', code, detail: `HTTP status ${status}`, status };
}
