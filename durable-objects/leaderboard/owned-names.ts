import { z } from 'zod';
import { nameSkeletons } from '#core/leaderboards/submissions/name-skeleton.ts';
import { normalizeName } from '#core/leaderboards/submissions/record.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';

/** A name of entries and the workspace that owns it. */
export const ownedName = z.object({ workspace: z.string(), name: z.string() });
export type OwnedName = z.infer<typeof ownedName>;

/** Gives a name to a workspace, unless another one owns it or one that looks like it; then returns that one. */
export function claimNameOrFindOwner(sql: SqlStorage, { workspace, name }: OwnedName): OwnedName | null {
  const taken = sql.exec(
    `SELECT workspace, name FROM names WHERE key = ?1 AND workspace <> ?2
     UNION ALL SELECT workspace, name FROM name_skeletons
     WHERE workspace <> ?2 AND skeleton IN (SELECT value FROM json_each(?3)) LIMIT 1`,
    normalizeName(name),
    workspace,
    JSON.stringify(nameSkeletons(name)),
  );
  const [other] = parseRows(ownedName, taken);
  if (other !== undefined) return other;
  sql.exec('INSERT OR IGNORE INTO names (key, workspace, name) VALUES (?, ?, ?)', normalizeName(name), workspace, name);
  storeNameLookalikes(sql, { workspace, name });
  return null;
}

/** Records what an owned name looks like. */
export function storeNameLookalikes(sql: SqlStorage, { workspace, name }: OwnedName): void {
  for (const skeleton of nameSkeletons(name))
    sql.exec(
      'INSERT OR IGNORE INTO name_skeletons (skeleton, workspace, name) VALUES (?, ?, ?)',
      skeleton,
      workspace,
      name,
    );
}
