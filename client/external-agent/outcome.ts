import type { AttemptEnd } from '#core/evaluation/claim.ts';

/** The outcome of a claimed attempt. */
export type Outcome =
  /** The response is the command's output; `cut` if that was too long. */
  | ({ readonly kind: 'answered'; readonly chars: number; readonly cut: boolean } & AttemptEnd)
  /** The command failed: a crashed agent gave no answer. */
  | ({ readonly kind: 'crashed'; readonly exitCode: number } & AttemptEnd)
  /** The command was ended at the deadline; the claim expires. */
  | { readonly kind: 'too-late' }
  /** The service no longer accepts a response to it. */
  | { readonly kind: 'over'; readonly detail: string }
  /** The command could not be started. */
  | ({ readonly kind: 'not-started'; readonly exitCode: number } & NotMade)
  /** The user interrupted. */
  | ({ readonly kind: 'interrupted' } & NotMade);

/** An attempt that was given back. */
export interface NotMade {
  /** Whether it can be claimed again; null if it could not be given back, so that its claim runs out by itself. */
  readonly again: boolean | null;
}
