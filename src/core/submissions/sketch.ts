import { canonicalJson, sha256Hex } from '#core/canonical.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { RequestName } from '#core/evaluation/case-requests.ts';

/** Number of digests in a sketch: enough that sharing half of them is no coincidence. */
const sketchSize = 64;

/**
 * Returns a digest of what an agent did in an attempt: calls, arguments and outcomes, without times and costs. It
 * ignores the agent's texts, which a copy can change by one character. Null for an attempt without calls: all such
 * attempts are alike, so they prove nothing.
 */
export async function attemptDigest(
  unit: string,
  side: RequestName,
  { steps }: Pick<Trace, 'steps'>,
): Promise<string | null> {
  if (steps.length === 0) return null;
  const calls = steps.map(({ tool, arguments: args, outcome, sha256 }) => ({ tool, args, outcome, sha256 }));
  return sha256Hex(canonicalJson({ unit, side, calls }));
}

/**
 * Returns the smallest digests, each once: the share that two sketches have in common estimates how many of their
 * attempts are the same (bottom-k sketch; Broder 1997). Its size does not grow with the submission.
 */
export const makeAttemptSketch = (digests: Iterable<string>): string[] =>
  [...new Set(digests)].toSorted().slice(0, sketchSize);
