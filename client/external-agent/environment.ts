import type { ClaimedAttempt } from '#core/evaluation/claim.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Builds a command's environment: ours, and its attempt. */
export function buildAttemptEnvironmentWithoutApiKey(
  { id, request, mcp, deadline }: ClaimedAttempt,
  ours: Environment,
): Environment {
  const authorization = mcp.headers.Authorization;
  // The API key can read the expected chains, so the agent must not have it.
  const { SEXTANT_KEY: _, ...rest } = ours;
  return {
    ...rest,
    SEXTANT_ATTEMPT: id,
    // An environment cannot contain NUL.
    SEXTANT_REQUEST: request.replaceAll('\0', ''),
    SEXTANT_MCP_URL: mcp.url,
    SEXTANT_MCP_AUTHORIZATION: authorization,
    SEXTANT_MCP_TOKEN: authorization.replace(/^Bearer +/i, ''),
    SEXTANT_DEADLINE: deadline,
  };
}
