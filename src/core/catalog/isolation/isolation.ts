import { z } from 'zod';
import { isEffectWithinLimit, type AllowedEffect, type OwnersEffects } from '../effect.ts';
import { effectOfCall, type CalledTool } from '../effect-of-call.ts';
import { isJsonObject } from '#core/values/json-schema/json-object.ts';
import { toolNameWithoutServer, serverNameOfToolName } from '../tool.ts';

/** How the state that attempts change on a server is kept apart, in one word. */
export const isolationKind = z.enum(['none', 'session', 'reset']);

/** When a server is reset: before the first call of an attempt that uses it, or after the attempt. */
const when = z.enum(['before', 'after']).default('before');

/** Arguments of the call that resets a server. `{attempt}` in their texts becomes the attempt's id. */
const toolReset = z.strictObject({
  tool: z.string().min(1).max(128),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

const webhookUrl = z.string().min(1).max(2_000);

/** 24 to 64 bytes in base64 after `whsec_`, as Standard Webhooks has it. */
const webhookSecret = z
  .string()
  .regex(
    /^whsec_(?=.{32,88}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    '`whsec_` and 24 to 64 random bytes in base64, as libraries of Standard Webhooks make them',
  );

const webhookReset = z.strictObject({ webhook: webhookUrl });
const ownersWebhookReset = webhookReset.extend({ secret: webhookSecret });
const storedWebhookReset = webhookReset.extend({
  /** The secret, encrypted under `webhookEncryptionContext(webhook)`. */
  secret: z.string(),
});

const unreset = [z.strictObject({ kind: z.literal('none') }), z.strictObject({ kind: z.literal('session') })] as const;
const reset = z.strictObject({ kind: z.literal('reset'), when });

/** What the owner of a server says about the state that attempts change on it. */
export const ownersIsolation = z.discriminatedUnion('kind', [
  ...unreset,
  reset.extend({ by: z.union([toolReset, ownersWebhookReset]) }),
]);
export type OwnersIsolation = z.infer<typeof ownersIsolation>;

/** The same as it is shown: without the webhook's secret. */
export const shownIsolation = z.discriminatedUnion('kind', [
  ...unreset,
  reset.extend({ by: z.union([toolReset, webhookReset]) }),
]);
export type ShownIsolation = z.infer<typeof shownIsolation>;

/** The same as it is stored. */
export const isolation = z.discriminatedUnion('kind', [
  ...unreset,
  reset.extend({ by: z.union([toolReset, storedWebhookReset]) }),
]);
export type Isolation = z.infer<typeof isolation>;
export type Reset = Extract<Isolation, { readonly kind: 'reset' }>;

/** Nobody says how attempts are kept apart, as with servers of earlier releases. */
export const noIsolation = { kind: 'none' } satisfies Isolation;

/** Binds the encrypted secret of a webhook to its address. */
export const webhookEncryptionContext = (url: string): string => `reset-webhook:${url}`;

/** Returns what clients see. */
export function makeShownIsolation(stored: Isolation): ShownIsolation {
  if (stored.kind !== 'reset' || 'tool' in stored.by) return { ...stored };
  return { ...stored, by: { webhook: stored.by.webhook } };
}

/** A server as far as attempts may disturb each other on it. */
export interface SharedServer {
  readonly name: string;
  readonly isolation: Isolation;
  readonly allows: AllowedEffect;
  readonly effects: OwnersEffects;
}

/**
 * Returns whether attempts with these tools may see on the server what others did: it keeps no state per session, and a call
 * that is allowed does more than read. Such attempts use the server one at a time.
 */
export const mustAttemptsTakeTurns = (server: SharedServer, tools: readonly CalledTool[]): boolean =>
  server.isolation.kind !== 'session' &&
  tools.some((tool) => {
    if (serverNameOfToolName(tool.name) !== server.name) return false;
    const effect = effectOfCall(tool, server.effects);
    return effect !== 'reads' && isEffectWithinLimit(effect, server.allows);
  });

/** Returns the servers with an address that attempts with these tools share. */
export const listServersWithTurns = <T extends SharedServer & { readonly url: string | null }>(
  servers: readonly T[],
  tools: readonly CalledTool[],
): (T & { readonly url: string })[] =>
  servers.filter(
    (server): server is T & { readonly url: string } => server.url !== null && mustAttemptsTakeTurns(server, tools),
  );

/** Returns why a server cannot be kept apart as its owner says; null if it can. */
export function findIsolationProblem(
  said: OwnersIsolation | Isolation,
  { isModern, keepsSessions, tools }: ListedFacts,
): string | null {
  if (said.kind === 'session' && isModern)
    return 'isolation: the server speaks a version of MCP that has no sessions; say "reset" with a tool or a webhook, or "none"';
  if (said.kind === 'session' && !keepsSessions)
    return 'isolation: the server gave no session id, so its attempts share one state; say "reset" with a tool or a webhook, or "none"';
  if (said.kind !== 'reset' || !('tool' in said.by)) return null;
  const { tool } = said.by;
  return tools.some(({ name }) => toolNameWithoutServer(name) === tool)
    ? null
    : `isolation: the server lists no tool ${tool}`;
}

/** What the listing of a server found. */
interface ListedFacts {
  readonly isModern: boolean;
  readonly keepsSessions: boolean;
  readonly tools: readonly { readonly name: string }[];
}

/** Returns the arguments of the call that resets a server for an attempt. */
export const valueWithAttemptIdFilledIn = (value: unknown, attempt: string): unknown => {
  if (typeof value === 'string') return value.replaceAll('{attempt}', attempt);
  if (Array.isArray(value)) return value.map((each) => valueWithAttemptIdFilledIn(each, attempt));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, valueWithAttemptIdFilledIn(each, attempt)]),
  );
};
