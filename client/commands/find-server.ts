import type { Client } from '../client.ts';

/** Returns the id of the server with this name; otherwise the text as it was given, unchecked. */
export async function findServerIdByNameElseKeepId(client: Client, nameOrId: string): Promise<string> {
  const registered = await Array.fromAsync(client.servers.list());
  return registered.find(({ name }) => name === nameOrId)?.id ?? nameOrId;
}
