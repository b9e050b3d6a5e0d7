import type { Context } from 'hono';
import { openStore, type OpenedStore } from '#adapters/vector/stores.ts';
import type { KnowledgeConnection } from '#core/knowledge/record.ts';
import type { ApiEnv } from '../../context.ts';
import { unwrapReached } from '../../index-fault.ts';
import { ownedObject } from '../../owned.ts';
import { unwrap } from '../../problem.ts';
import type { KnowledgeService } from '../../services.ts';

/** The knowledge index with this id in the caller's workspace. */
export const findKnowledge = async (c: Context<ApiEnv>, id: string): Promise<KnowledgeService> =>
  c.var.services.knowledge(await ownedObject(c, 'knowledge', id));

/** The same, with its store opened. */
export async function openKnowledge(
  c: Context<ApiEnv>,
  id: string,
): Promise<{ index: KnowledgeService; connection: KnowledgeConnection; opened: OpenedStore }> {
  const index = await findKnowledge(c, id);
  const connection = unwrap(await index.connection());
  const opened = unwrapReached(await openStore(connection, c.var.services.settings, index, c.var.admission));
  return { index, connection, opened };
}

/** How to reach an index, for a run that searches it. */
export async function connectionOf(c: Context<ApiEnv>, id: string): Promise<KnowledgeConnection> {
  return unwrap(await (await findKnowledge(c, id)).connection());
}
