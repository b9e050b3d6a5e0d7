import { discoverTools, type DiscoveryFailure, type ListedServer, type ListedTool } from '#adapters/mcp/list-tools.ts';
import type { ServerAuth } from '#adapters/mcp/oauth/tokens.ts';
import type { Admission } from '#adapters/network/admission.ts';
import type { Settings } from '#adapters/settings.ts';
import { deriveCategory } from '#core/catalog/category.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { ErrorCode } from '#core/values/errors.ts';
import { err, ok, type Result } from '#core/values/result.ts';

/** The code of each reason for which a list of tools is refused. */
export const listingProblemCodes: Record<DiscoveryFailure['reason'], ErrorCode> = {
  'address-forbidden': 'address-forbidden',
  unreachable: 'server-unreachable',
  timeout: 'server-timeout',
  unauthorized: 'server-unauthorized',
  'not-mcp': 'not-an-mcp-server',
  'no-tools': 'no-tools',
  'duplicate-tool': 'duplicate-tool',
  'broken-schema': 'broken-tool-schema',
  'too-many-tools': 'too-many-tools',
  'too-large': 'tools-too-large',
  'rate-limited': 'server-rate-limited',
  'not-proven': 'host-not-proven',
};

export interface ServerAddress {
  readonly name: string;
  readonly domain: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth?: ServerAuth | undefined;
  /** Counts requests to it; rejects if its host gets no more. */
  readonly admit?: ((url: URL) => Promise<void>) | undefined;
}

/** Lists a server's tools with the categories that rules give them, and what the server says about itself. */
export async function listRuleCategorizedTools(
  server: ServerAddress,
  settings: Pick<Settings, 'ALLOW_LOCAL_SERVERS' | 'SERVER_TIMEOUT_MS'>,
  admission: Admission,
): Promise<Result<Omit<ListedServer, 'tools'> & { readonly tools: readonly Tool[] }>> {
  const { ALLOW_LOCAL_SERVERS: allowLocal, SERVER_TIMEOUT_MS: timeoutMs } = settings;
  const found = await discoverTools({
    admission,
    url: server.url,
    headers: server.headers,
    auth: server.auth,
    admit: server.admit,
    allowLocal,
    timeoutMs,
  });
  if (!found.ok) {
    const { reason, detail, retryAfterMs } = found.problem;
    return err({ code: listingProblemCodes[reason], detail, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  }
  return ok({ ...found.value, tools: makeRuleCategorizedTools(server, found.value.tools) });
}

/** Returns listed tools in our form, with MCP's fields unchanged and the categories that rules give them. */
export const makeRuleCategorizedTools = (
  { name: server, domain }: Pick<ServerAddress, 'name' | 'domain'>,
  listed: readonly ListedTool[],
): Tool[] =>
  listed.map((each) => ({
    name: `${server}/${each.name}`,
    server,
    domain,
    category: deriveCategory(each),
    ...(each.title === undefined ? {} : { title: each.title }),
    ...(each.description === undefined ? {} : { description: each.description }),
    inputSchema: each.inputSchema,
    ...(each.outputSchema === undefined ? {} : { outputSchema: each.outputSchema }),
    ...(each.annotations === undefined ? {} : { annotations: each.annotations }),
    ...(each.execution?.taskSupport === 'required' ? { taskSupport: each.execution.taskSupport } : {}),
  }));
