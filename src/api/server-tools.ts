import { discoverTools, type DiscoveryFailure } from '#adapters/mcp/list-tools.ts';
import type { Admission } from '#adapters/network/admission.ts';
import type { Settings } from '#adapters/settings.ts';
import { deriveCategory } from '#core/catalog/category.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { type ErrorCode, refuse } from '#core/errors.ts';
import { ok, type Result } from '#core/result.ts';

const codes: Record<DiscoveryFailure['reason'], ErrorCode> = {
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
};

export interface ServerAddress {
  readonly name: string;
  readonly domain: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Lists a server's tools in our form, with MCP's fields unchanged and the categories that rules give them. */
export async function listRuleCategorizedTools(
  server: ServerAddress,
  settings: Pick<Settings, 'ALLOW_LOCAL_SERVERS' | 'SERVER_TIMEOUT_MS'>,
  admission: Admission,
): Promise<Result<Tool[]>> {
  const { ALLOW_LOCAL_SERVERS: allowLocal, SERVER_TIMEOUT_MS: timeoutMs } = settings;
  const found = await discoverTools({
    admission,
    url: server.url,
    headers: server.headers,
    allowLocal,
    timeoutMs,
  });
  if (!found.ok) return refuse(codes[found.problem.reason], found.problem.detail);
  return ok(
    found.value.map((each) => ({
      name: `${server.name}/${each.name}`,
      server: server.name,
      domain: server.domain,
      category: deriveCategory(each),
      ...(each.title === undefined ? {} : { title: each.title }),
      ...(each.description === undefined ? {} : { description: each.description }),
      inputSchema: each.inputSchema,
      ...(each.outputSchema === undefined ? {} : { outputSchema: each.outputSchema }),
      ...(each.annotations === undefined ? {} : { annotations: each.annotations }),
    })),
  );
}
