import { z } from 'zod';
import { attack } from '#core/benchmarks/protocols/attack.ts';
import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { disturbanceKey } from '#core/traces/disturbances/disturbances.ts';
import { payloadFile } from '#core/traces/disturbances/payload.ts';

/** How attempts are disturbed under the protocols `resilience` and `attack`; without it by all kinds, with the shipped payloads. */
export const disturbing = z.strictObject({
  /** The kinds, each once. */
  kinds: z
    .array(disturbanceKey)
    .min(1)
    .refine((kinds) => new Set(kinds).size === kinds.length, 'each kind once')
    .optional(),
  /** The texts that attacks plant, in place of the shipped ones. */
  payloads: payloadFile.optional(),
});
export type Disturbing = z.infer<typeof disturbing>;

/** Returns what of a choice its protocol has no use for; null if it fits. */
export function findUnfitDisturbing({ kinds = [], payloads }: Disturbing, protocol: ProtocolKey): string | null {
  const own: readonly string[] = getProtocol(protocol).requests.task;
  const unfit = kinds.filter((kind) => !own.includes(kind));
  if (unfit.length > 0) return `the protocol ${protocol} has no ${unfit.join(', ')}`;
  return payloads !== undefined && protocol !== attack.key ? `payloads are for the protocol ${attack.key}` : null;
}
