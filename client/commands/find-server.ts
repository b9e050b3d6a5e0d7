import type { Client } from '../client.ts';

/** Returns the id of a server that is given by its name or its id. */
export async function findServerIdByNameElseKeepId(client: Client, nameOrId: string): Promise<string> {
  const registered = await Array.fromAsync(client.servers.list());
  return registered.find(({ name }) => name === nameOrId)?.id ?? nameOrId;
}
