/** In how many steered, accepted units a transition occurred; a unit counts once. */
export interface TransitionCount {
  /** Units in which the base agent made it: what the richness estimates rest on. */
  readonly executed: number;
  /** Units whose chain expects it. */
  readonly expected: number;
  /** Units in which a value passed along with it; at most `executed`. */
  readonly valuePassed: number;
}

export const neverSeen: TransitionCount = { executed: 0, expected: 0, valuePassed: 0 };
