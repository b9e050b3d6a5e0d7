import type { Context } from 'hono';
import type { ApiEnv } from '../../context.ts';
import { ownedObject } from '../../owned.ts';
import type { ExplorationService } from '../../services.ts';

/** The exploration with this id in the caller's workspace. */
export const findExploration = async (c: Context<ApiEnv>, id: string): Promise<ExplorationService> =>
  c.var.services.exploration(await ownedObject(c, 'exploration', id));
