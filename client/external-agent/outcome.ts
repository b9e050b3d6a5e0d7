import type { AttemptEnd } from '#core/evaluation/claim.ts';

/** What came of an attempt that was claimed. */
export type Outcome =
  /** The response is what the command printed; `cut` where that was too long. */
  | ({ readonly kind: 'answered'; readonly chars: number; readonly cut: boolean } & AttemptEnd)
  /** The command failed: an agent that crashed gave no answer, so the response is empty. */
  | ({ readonly kind: 'crashed'; readonly exitCode: number } & AttemptEnd)
  /** The command was ended at the deadline; the claim runs out by itself. */
  | { readonly kind: 'too-late' }
  /** The service takes no response to it any more. */
  | { readonly kind: 'over'; readonly detail: string }
  /** The command could not be started; the claim runs out by itself. */
  | { readonly kind: 'not-started'; readonly exitCode: number }
  /** We were told to stop; the claim runs out by itself. */
  | { readonly kind: 'interrupted' };
