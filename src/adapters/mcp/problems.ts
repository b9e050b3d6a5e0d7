import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { modernVersion } from '#core/catalog/protocol-version.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import type { FaultCode } from '#core/models/faults.ts';
import { findGuardError, type FetchGuardCode } from '#adapters/network/guarded-fetch.ts';
import type { Challenge } from './oauth/challenge.ts';
import { findOAuthRefusal, type OAuthRefusal } from './oauth/refusal.ts';
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
      /** What a server that wants OAuth asks for. */
      readonly challenge?: Challenge;
    };

const guardFaults: Record<Exclude<FetchGuardCode, 'body-too-large'>, FaultCode> = {
  'address-forbidden': 'address-forbidden',
  'not-proven': 'not-proven',
  'too-many-redirects': 'http-status',
  timeout: 'timeout',
  unreachable: 'unreachable',
  'connection-lost': 'connection-lost',
};

/**
 * Maps an error of the SDK by class and code; a server's error texts are never parsed or passed on. Rethrows
 * PlatformErrors, which are no problem of the server.
 */
export function toMcpProblemOrRethrowPlatformError(thrown: unknown): McpProblem {
  const error = causeOfVersionFailureOrSameError(thrown);
  const stopped = findPlatformError(error instanceof ProtocolError ? error.data : error);
  if (stopped !== undefined) throw stopped;
  const refused = findGuardError(error);
  if (refused?.code === 'body-too-large') return { kind: 'too-large' };
  if (refused !== undefined) return { kind: 'fault', code: guardFaults[refused.code], detail: refused.message };
  const unauthorized = findOAuthRefusal(error);
  if (unauthorized !== undefined) return problemOfOAuthRefusal(unauthorized);
  if (error instanceof BusyServer) return problemOfBusyServer(error);
  if (error instanceof OAuthServer) return makeOAuthWantedProblem(error);
  if (error instanceof ProtocolError) return convertProtocolError(error);
  if (error instanceof SdkHttpError) return httpProblem(error.status);
  return error instanceof SdkError ? convertSdkError(error) : notMcp;
}

const notMcp = { kind: 'fault', code: 'malformed-protocol', detail: 'the answer is not MCP' } as const;

const withCause = z.looseObject({ cause: z.unknown() });

/** Returns why a question about the protocol's version failed, or the error itself. */
function causeOfVersionFailureOrSameError(error: unknown): unknown {
  if (!(error instanceof SdkError) || error.code !== SdkErrorCode.EraNegotiationFailed) return error;
  return withCause.safeParse(error.data).data?.cause ?? error.cause ?? error;
}

/** The server's own error, or one that our transport made because the connection broke. */
function convertProtocolError({ code, data }: ProtocolError): McpProblem {
  if (data instanceof ServerAnswer) return { kind: 'answer', ...data.error };
  if (code === ProtocolErrorCode.UnsupportedProtocolVersion) return unknownVersionProblem(data);
  if (!(data instanceof BrokenConnection)) return notMcp;
  if (data.code === 'body-too-large') return { kind: 'too-large' };
  const lost = data.code === 'connection-lost';
  return { kind: 'fault', code: data.code, detail: lost ? 'the stream ended unanswered' : 'the answer is not MCP' };
}

function convertSdkError({ code, data }: SdkError): McpProblem {
  switch (code) {
    case SdkErrorCode.RequestTimeout:
      return { kind: 'fault', code: 'timeout', detail: 'no answer in time' };
    case SdkErrorCode.ConnectionClosed:
      return { kind: 'fault', code: 'connection-lost', detail: 'the connection was closed' };
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return makeContentTypeProblem(data);
    case SdkErrorCode.InvalidResult:
      return { ...notMcp, detail: 'the result lacks what its revision of MCP demands' };
    case SdkErrorCode.UnsupportedResultType:
    case SdkErrorCode.InputRequiredRoundsExceeded:
      return { ...notMcp, detail: 'the result is of a kind that Sextant does not know' };
    default:
      return notMcp;
  }
}

const versions = z.object({ supported: z.array(z.string()) });

/** Says which versions of the protocol a server speaks, as far as they look like versions. */
export function unknownVersionProblem(data: unknown): McpProblem {
  const named = versions.safeParse(data).data?.supported.filter((version) => /^[\w.-]{1,20}$/.test(version)) ?? [];
  const spoken = named.length === 0 ? 'other versions' : named.slice(0, 5).join(', ');
  const known = [modernVersion, ...SUPPORTED_PROTOCOL_VERSIONS].join(', ');
  return { ...notMcp, detail: `the server speaks ${spoken} of MCP, Sextant ${known}` };
}

export const wantsOAuth = 'HTTP status 401: the server wants OAuth';

const makeOAuthWantedProblem = ({ challenge }: OAuthServer): McpProblem => ({
  kind: 'fault',
  code: 'http-status',
  status: 401,
  detail: wantsOAuth,
  challenge,
});

const problemOfOAuthRefusal = ({ code, message, status }: OAuthRefusal): McpProblem => ({
  kind: 'fault',
  code,
  detail: message,
  ...(status === undefined ? {} : { status }),
});

function problemOfBusyServer({ status, retryAfterMs }: BusyServer): McpProblem {
  const problem = httpProblem(status);
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const detail = `${problem.detail}: the server asks to wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return { ...problem, detail, retryAfterMs };
}

function httpProblem(status: number): Extract<McpProblem, { readonly kind: 'fault' }> {
  const code = status === 429 ? 'rate-limited' : 'http-status';
  return { kind: 'fault', code, detail: `HTTP status ${status}`, status };
}

const content = z.looseObject({ contentType: z.string().regex(/^[\w.+-]{1,40}\/[\w.+-]{1,60}/) });

/** Names the type of an answer that is no message, such as that of a page for people. */
function makeContentTypeProblem(data: unknown): McpProblem {
  const type = content.safeParse(data).data?.contentType.split(';')[0];
  const what = type === undefined ? 'the answer' : `the answer is ${type}, which`;
  return { ...notMcp, detail: `${what} is neither JSON nor an event stream` };
}
