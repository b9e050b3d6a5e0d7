import { ConnectionError } from '../http/errors.ts';
import { waitOrThrowIfAborted } from '../http/pause.ts';

/** How long the service may be away before the work is given up: a Worker that was killed is back before. */
const longestAwayMs = 120_000;
const betweenTriesMs = 1_000;

/** Repeats a call that can be repeated until the service answers, after the client's own retries. Throws what else it throws. */
export async function callUntilServiceAnswers<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const begun = Date.now(); ; await waitOrThrowIfAborted(betweenTriesMs, signal)) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ConnectionError) || Date.now() - begun > longestAwayMs) throw error;
    }
  }
}
