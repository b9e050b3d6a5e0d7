interface Requests {
  readonly source: string;
  readonly followUp: string;
  readonly chain: readonly string[];
}

/** Until the calibrated rule is here. */
export const decideDuplicate = (a: Requests, b: Requests, cosine: number | null): { kind: 'duplicate' | 'too-far' } =>
  a.source === b.source || (cosine ?? 0) > 0.99 ? { kind: 'duplicate' } : { kind: 'too-far' };
