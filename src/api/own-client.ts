import type { Context } from 'hono';
import { checkAddress } from '#adapters/network/address-guard.ts';
import { documentUrlOf, type OwnClient } from '#core/catalog/consent/client-metadata.ts';
import type { ApiEnv } from './context.ts';

/** Returns how the deployment introduces itself to authorization servers: by its own document where they can fetch it. */
export function getDeploymentOAuthClient(c: Context<ApiEnv>): OwnClient {
  const origin = getPublicOrigin(c);
  const isPublic = origin.startsWith('https:') && checkAddress(origin, { allowLocal: false }).ok;
  return { origin, documentUrl: isPublic ? documentUrlOf(origin) : null };
}

/** Returns the origin by which the deployment is known outside. */
export const getPublicOrigin = (c: Context<ApiEnv>): string =>
  c.var.services.settings.PUBLIC_ORIGIN ?? new URL(c.req.url).origin;
