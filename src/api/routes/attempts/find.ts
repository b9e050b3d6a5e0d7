import type { Context } from 'hono';
import { attemptToken, isAttemptId } from '#adapters/secrets/attempt-tokens.ts';
import { constantTimeEqual } from '#adapters/secrets/keys.ts';
import type { ApiEnv } from '../../context.ts';
import type { AttemptService } from '../../services.ts';

const attemptPattern = /^att_[a-z0-9]{10,60}$/;

/**
 * The attempt with this id, if the id is one that was issued; the attempt itself knows whose it is. No other object is asked, because
 * it would be made by being asked. Ids of version 0.2.0 have no tag: they count as issued with the attempt's own token.
 */
export async function attemptNamed(c: Context<ApiEnv>, id: string, token?: string): Promise<AttemptService | null> {
  const { services } = c.var;
  const { ENCRYPTION_KEY: key } = services.settings;
  if (!attemptPattern.test(id)) return null;
  const hasToken = token !== undefined && constantTimeEqual(await attemptToken(key, id), token);
  return hasToken || (await isAttemptId(key, id)) ? services.attempt(id) : null;
}
