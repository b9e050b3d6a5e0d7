import type { Context } from 'hono';
import type { ApiEnv } from '../../context.ts';
import type { AttemptService } from '../../services.ts';

const attemptId = /^att_[a-z0-9]{10,60}$/;

/** The attempt with this id, if it can be one; the attempt itself knows whose it is. */
export const attemptNamed = (c: Context<ApiEnv>, id: string): AttemptService | null =>
  attemptId.test(id) ? c.var.services.attempt(id) : null;
