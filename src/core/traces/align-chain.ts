/** A step of the expected chain and the call that is counted for it; either may be missing. */
export interface AlignedStep {
  readonly expected: string | null;
  /** The place of the call among all of the attempt; null if none was made. */
  readonly call: number | null;
}

/**
 * Puts the calls of an attempt beside the tools that were expected, so that as many as possible match in order (their longest
 * common subsequence).
 */
export function alignCallsWithChain(expected: readonly string[], called: readonly string[]): AlignedStep[] {
  const longest = computeLcsLengths(expected, called);
  const at = (e: number, c: number): number => longest[e]?.[c] ?? 0;
  const aligned: AlignedStep[] = [];
  let [e, c] = [0, 0];
  while (e < expected.length || c < called.length) {
    const step = expected[e] ?? null;
    if (step !== null && step === called[c] && at(e, c) === at(e + 1, c + 1) + 1) {
      aligned.push({ expected: step, call: c });
      [e, c] = [e + 1, c + 1];
    } else if (step !== null && (c >= called.length || at(e + 1, c) >= at(e, c + 1))) {
      aligned.push({ expected: step, call: null });
      e += 1;
    } else {
      aligned.push({ expected: null, call: c });
      c += 1;
    }
  }
  return aligned;
}

/** The length of the longest common subsequence of the rests of both, by where the rests begin. */
function computeLcsLengths(expected: readonly string[], called: readonly string[]): number[][] {
  const lengths = Array.from({ length: expected.length + 1 }, () => called.map(() => 0).concat(0));
  for (let e = expected.length - 1; e >= 0; e -= 1) {
    const [row, below] = [lengths[e], lengths[e + 1]];
    if (row === undefined || below === undefined) continue;
    for (let c = called.length - 1; c >= 0; c -= 1)
      row[c] = expected[e] === called[c] ? (below[c + 1] ?? 0) + 1 : Math.max(below[c] ?? 0, row[c + 1] ?? 0);
  }
  return lengths;
}
