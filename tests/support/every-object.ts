import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { storedText } from './storage.ts';

/** All objects of the deployment, whatever their kind. For tests inside workerd. */

const isNamespace = (binding: unknown): binding is DurableObjectNamespace<Rpc.DurableObjectBranded & DurableObject> =>
  typeof binding === 'object' && binding?.constructor.name === 'DurableObjectNamespace';

const namespaces = Object.entries(env).flatMap(([name, binding]) => (isNamespace(binding) ? [{ name, binding }] : []));

/** The ids of all objects, with the names of their kinds. */
export async function listObjects(): Promise<Set<string>> {
  const lists = namespaces.map(async ({ name, binding }) =>
    (await listDurableObjectIds(binding)).map((id) => `${name} ${id.toString()}`),
  );
  return new Set((await Promise.all(lists)).flat());
}

/** Everything that objects have stored which were not there before: tables and single values, by the object. */
export async function storedSince(before: ReadonlySet<string>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { name, binding } of namespaces)
    for (const id of await listDurableObjectIds(binding)) {
      const key = `${name} ${id.toString()}`;
      if (before.has(key)) continue;
      const stub = binding.get(id);
      const values = await runInDurableObject(stub, async (_, { storage }) =>
        JSON.stringify([...(await storage.list())]),
      );
      found.set(key, `${await storedText(stub)}\n${values}`);
    }
  return found;
}
