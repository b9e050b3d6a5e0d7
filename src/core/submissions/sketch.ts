import { canonicalJson, sha256Hex } from '#core/canonical.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { RequestSide } from '#core/units/unit.ts';

/** How many digests a sketch holds: enough that a half of them is no chance. */
const sketchSize = 64;

/**
 * A digest of what an agent did in an attempt: calls, arguments and what came of them, without times and costs. Nor is it of what the agent
 * said, which a copy can change in one character. Null for an attempt without calls, which is the same for all who did nothing.
 */
export async function deedDigest(
  unit: string,
  side: RequestSide,
  { steps }: Pick<Trace, 'steps'>,
): Promise<string | null> {
  if (steps.length === 0) return null;
  const calls = steps.map(({ tool, arguments: args, outcome, sha256 }) => ({ tool, args, outcome, sha256 }));
  return sha256Hex(canonicalJson({ unit, side, calls }));
}

/**
 * The smallest of the digests, each once: the share that two sketches have in common estimates how many of their attempts are the same
 * (bottom-k sketch; Broder 1997). Its size does not grow with the submission.
 */
export const sketchOf = (digests: Iterable<string>): string[] => [...new Set(digests)].toSorted().slice(0, sketchSize);
