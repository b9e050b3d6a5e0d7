import { documented } from '#api/documented.ts';
import { isModernVersion } from '#core/catalog/protocol-version.ts';
import {
  findIsolationProblem,
  ownersIsolation,
  webhookEncryptionContext,
  type Isolation,
  type OwnersIsolation,
} from '#core/catalog/isolation/isolation.ts';
import { checkAddress } from '#adapters/network/address-guard.ts';
import type { Settings } from '#adapters/settings.ts';
import { refusal } from './problem.ts';
import { encryptOrRefuse } from './secrets.ts';

/** What the owner of a server says about the state that attempts change on it. */
export const isolationSchema = documented(ownersIsolation, 'Isolation', {
  description:
    'How the state that attempts change on the server is kept apart. `none`: nobody does; attempts see what others did, and results say so. `session`: the server keeps it per session. `reset`: the server is reset before or after each attempt, by a call of one of its tools (`{attempt}` in its arguments becomes the id of the attempt), or by a webhook, a POST signed by the rules of Standard Webhooks. Attempts that may write use a server one at a time, unless it keeps state per session.',
});

interface ListedServer {
  readonly protocolVersion: string | null;
  readonly keepsSessions: boolean;
  readonly tools: readonly { readonly name: string }[];
}

/** Returns what is stored of an owner's word; refuses what does not fit the listed server. */
export async function makeStoredIsolationOrRefuse(
  settings: Settings,
  said: OwnersIsolation,
  listed: ListedServer,
): Promise<Isolation> {
  throwIfIsolationUnfit(said, listed);
  if (said.kind !== 'reset' || 'tool' in said.by) return { ...said };
  const { webhook, secret } = said.by;
  const address = checkAddress(webhook, { allowLocal: settings.ALLOW_LOCAL_SERVERS });
  if (!address.ok) throw refusal('address-forbidden', `isolation: ${address.problem.detail}`);
  const sealed = await encryptOrRefuse(settings, secret, webhookEncryptionContext(webhook));
  return { ...said, by: { webhook, secret: sealed } };
}

/** Returns what is stored after a new listing: what its owner says now, or else what was said before if it still fits. */
export async function keepOrMakeStoredIsolation(
  settings: Settings,
  said: OwnersIsolation | undefined,
  before: Isolation,
  listed: ListedServer,
): Promise<Isolation> {
  if (said !== undefined) return makeStoredIsolationOrRefuse(settings, said, listed);
  throwIfIsolationUnfit(before, listed);
  return before;
}

/** Refuses what is said of a server that does not fit it. */
function throwIfIsolationUnfit(
  said: OwnersIsolation | Isolation,
  { protocolVersion, keepsSessions, tools }: ListedServer,
): void {
  const isModernServer = protocolVersion !== null && isModernVersion(protocolVersion);
  const problem = findIsolationProblem(said, { isModern: isModernServer, keepsSessions, tools });
  if (problem !== null) throw refusal('invalid-request', problem);
}
