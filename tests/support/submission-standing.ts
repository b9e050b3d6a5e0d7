import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { z } from 'zod';

const row = z.object({ json: z.string() });

/** Changes what a submission remembers of how it stands, as a crash at some point would have left it. For tests inside workerd. */
export async function amendStanding(
  id: string,
  change: (standing: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  const stub = env.SUBMISSION.getByName(id);
  await runInDurableObject(stub, (_object, state) => {
    const { sql } = state.storage;
    const { json } = row.parse(sql.exec("SELECT json FROM facts WHERE key = 'standing'").one());
    const standing = z.record(z.string(), z.unknown()).parse(JSON.parse(json));
    sql.exec("UPDATE facts SET json = ? WHERE key = 'standing'", JSON.stringify(change(standing)));
  });
  await evictDurableObject(stub);
}
