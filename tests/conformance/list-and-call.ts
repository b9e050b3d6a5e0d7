import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { discoverTools } from '#adapters/mcp/list-tools.ts';
import type { ServerAuth } from '#adapters/mcp/oauth/tokens.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { toolsNamed, unlimited } from '../support/unlimited.ts';

/** Lists the tools of a server and calls one, as registering it and an attempt do. Throws if one of the two fails. */
export async function listAndCall(url: string, auth: ServerAuth, admission: Admission): Promise<void> {
  const found = await discoverTools({ admission, url, headers: {}, allowLocal: true, auth });
  if (!found.ok) throw new Error(found.problem.detail);
  const { tools, protocolVersion } = found.value;
  const connections = makeLazyConnections({
    admission,
    servers: [{ ...unlimited, name: 'test', url, headers: {}, auth, protocolVersion }],
    tools: toolsNamed(...tools.map(({ name }) => `test/${name}`)),
    allowLocal: true,
  });
  const outcome = await connections.call(`test/${tools[0]?.name ?? ''}`, {}, 5_000);
  await connections.close();
  if (outcome.kind === 'fault') throw new Error(outcome.fault.detail);
}
