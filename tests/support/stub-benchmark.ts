import { makeStubBenchmarkFile } from '../../bench/stubs/stub-benchmark-file.ts';
import type { StubServers } from '../../bench/stubs/stub-mcp-server.ts';
import type { Client } from '../../client/client.ts';

/**
 * Registers stub servers and imports a benchmark on their tools, for evaluations without an exploration. No floor is
 * measured, so that no evaluation runs but those that a test starts.
 */
export async function stubBenchmark(
  client: Client,
  stubs: StubServers,
  { servers, units, calls }: { readonly servers: number; readonly units: number; readonly calls: number },
): Promise<string> {
  const ids = await stubServerIds(client, stubs, servers);
  const { id } = await client.catalogs.create(ids);
  const { tools } = await client.catalogs.get(id);
  return (await client.benchmarks.importFile(await makeStubBenchmarkFile(id, tools, units, calls), { floor: false }))
    .id;
}

export async function stubServerIds(client: Client, stubs: StubServers, servers: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < servers; n += 1) {
    ids.push(
      (await client.servers.add({ name: `s${n}`, domain: `d${n % 2}`, url: stubs.urlOf(n), allows: 'destroys' })).id,
    );
  }
  return ids;
}
