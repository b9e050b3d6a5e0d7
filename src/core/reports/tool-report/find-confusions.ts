import type { ObservedAttempt } from './observed-attempt.ts';

/** An expected tool that was not called, and the unexpected one that was called in its place. */
export interface Confusion {
  readonly expected: string;
  readonly called: string;
}

/**
 * Returns which tools were taken for which in an attempt. An expected tool that was never called is paired with the first
 * unexpected tool that was called where it belongs: after the last call of an expected tool before it, and before the
 * first call of one behind it. A tool takes the place of one other at most.
 */
export function listToolConfusionsOfAttempt({
  expected,
  calls,
}: Pick<ObservedAttempt, 'expected' | 'calls'>): Confusion[] {
  const wanted = new Set(expected);
  const walked = calls.map(({ tool }) => tool);
  const placed = new Set<string>();
  const found: Confusion[] = [];
  for (const [at, tool] of expected.entries()) {
    if (walked.includes(tool) || expected.indexOf(tool) < at) continue;
    const start = Math.max(-1, ...expected.slice(0, at).map((each) => walked.indexOf(each)));
    const ends = expected.slice(at + 1).map((each) => walked.indexOf(each, start + 1));
    const end = Math.min(walked.length, ...ends.filter((each) => each >= 0));
    const called = walked.slice(start + 1, end).find((each) => !wanted.has(each) && !placed.has(each));
    if (called === undefined) continue;
    placed.add(called);
    found.push({ expected: tool, called });
  }
  return found;
}
