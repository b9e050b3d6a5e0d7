import { runInDurableObject } from 'cloudflare:test';

/** Everything that a Durable Object has stored, as text. For tests inside workerd. */
export function storedText<T extends Rpc.DurableObjectBranded>(stub: DurableObjectStub<T>): Promise<string> {
  return runInDurableObject(stub, (_object, { storage }) => {
    const tables = storage.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray();
    return tables.map(({ name }) => JSON.stringify([name, storage.sql.exec(`SELECT * FROM "${name}"`).toArray()])).join('\n');
  });
}
