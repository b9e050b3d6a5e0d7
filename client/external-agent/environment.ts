import type { ClaimedAttempt } from '#core/evaluation/claim.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a command finds in its environment: ours, and its attempt. */
export function environmentOf({ id, request, mcp, deadline }: ClaimedAttempt, ours: Environment): Environment {
  const authorization = mcp.headers.Authorization;
  // The key of the API reads the expected chains: the agent is not to have it.
  const { SEXTANT_KEY: _, ...rest } = ours;
  return {
    ...rest,
    SEXTANT_ATTEMPT: id,
    // No environment can hold NUL.
    SEXTANT_REQUEST: request.replaceAll('\0', ''),
    SEXTANT_MCP_URL: mcp.url,
    SEXTANT_MCP_AUTHORIZATION: authorization,
    SEXTANT_MCP_TOKEN: authorization.replace(/^Bearer +/i, ''),
    SEXTANT_DEADLINE: deadline,
  };
}
