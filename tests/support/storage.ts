import { runInDurableObject } from 'cloudflare:test';
import { z } from 'zod';

/** Returns everything that a Durable Object has stored, as text. For tests inside workerd. */
export function storedText<T extends Rpc.DurableObjectBranded>(stub: DurableObjectStub<T>): Promise<string> {
  return runInDurableObject(stub, (_object, { storage }) => {
    const tables = storage.sql
      .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .toArray();
    const rows = (table: string) => storage.sql.exec(`SELECT * FROM "${table}"`).toArray();
    return tables.map(({ name }) => JSON.stringify([name, rows(z.string().parse(name))])).join('\n');
  });
}
