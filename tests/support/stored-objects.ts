import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { z } from 'zod';

/**
 * Restores what a release stored into objects. For tests inside workerd; `scripts/storage-fixture.ts` wrote the files.
 */

const blob = z.object({ base64: z.base64() }).transform(({ base64 }) => Uint8Array.fromBase64(base64).buffer);
const column = z.union([z.string(), z.number(), z.null(), blob]);
const storedObject = z.object({
  kind: z.string(),
  /** Null for a benchmark, whose file does not contain it. */
  name: z.string().nullable(),
  schema: z.array(z.string()),
  tables: z.record(z.string(), z.array(z.record(z.string(), column))),
});
export type StoredObject = z.infer<typeof storedObject>;

export const storedObjects = (file: string): StoredObject[] =>
  file
    .trimEnd()
    .split('\n')
    .map((line) => storedObject.parse(JSON.parse(line)));

/** Replaces an object's storage, and restarts the object from it. */
export async function restore<T extends Rpc.DurableObjectBranded>(
  stub: DurableObjectStub<T>,
  { schema, tables }: StoredObject,
): Promise<void> {
  await runInDurableObject(stub, async (_object, { storage }) => {
    await storage.deleteAll();
    for (const statement of schema) storage.sql.exec(statement);
    for (const [table, rows] of Object.entries(tables)) {
      for (const row of rows) {
        const columns = Object.keys(row);
        storage.sql.exec(
          `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
          ...Object.values(row),
        );
      }
    }
  });
  await evictDurableObject(stub);
}
