import type { ClaimedAttempt } from '#core/evaluation/claim.ts';
import { waitOrThrowIfAborted } from '../http/pause.ts';
import { CommandError } from '../../engine/usage-error.ts';
import type { Wanted } from '../resources/attempts.ts';
import { callUntilServiceAnswers } from './patience.ts';
import { makeAttemptAndRespond, type Work } from './attempt.ts';
import type { Outcome } from './outcome.ts';

/** Events while a queue is worked off. */
export type QueueEvent =
  | { readonly type: 'claimed'; readonly attempt: ClaimedAttempt }
  | { readonly type: 'ended'; readonly attempt: ClaimedAttempt; readonly durationMs: number; readonly outcome: Outcome }
  /** There is nothing to claim right now, and nothing runs; reported once until there is work again. */
  | { readonly type: 'waiting' };

export interface QueueOptions extends Work {
  /** The owner of the attempts: an agent of an evaluation, or a submission. */
  readonly wanted: Wanted;
  /** Number of parallel attempts. */
  readonly parallel: number;
  /** Whether to continue no matter how often the command fails. */
  readonly keepGoing: boolean;
  readonly onEvent: (event: QueueEvent) => void;
}

/** A command that fails this often in a row is probably broken; one that fails at once is, if it has never answered. */
const tolerableCrashes = 5;

/**
 * Claims and makes attempts until none are left. Throws if continuing would waste them, after the running attempts have
 * ended.
 */
export async function runQueueUntilNoAttemptsLeft(options: QueueOptions): Promise<void> {
  const queue = new Queue(options);
  const workers = await Promise.allSettled(
    Array.from({ length: options.parallel }, () => queue.workUntilNoAttemptsLeft()),
  );
  const failed = workers.find((worker) => worker.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** The queue as its workers share it. */
class Queue {
  readonly #options: QueueOptions;
  #stopped = false;
  #underWay = 0;
  #waiting = false;
  #crashesInARow = 0;
  #answers = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  async workUntilNoAttemptsLeft(): Promise<void> {
    try {
      while (!this.#stopped && (await this.#claimAndRunOneAttemptOrWait()));
    } catch (error) {
      this.#stopped = true;
      throw error;
    }
  }

  /** Makes the next attempt; returns false if there will be no more. */
  async #claimAndRunOneAttemptOrWait(): Promise<boolean> {
    const { client, wanted, signal, onEvent } = this.#options;
    // Nobody else could make the attempt of a submission, which can be claimed only once.
    const claimed = 'evaluation' in wanted ? ({ ...wanted, heartbeat: true } as const) : wanted;
    // The same key, so that an attempt is not lost whose claim was not answered.
    const key = crypto.randomUUID();
    const claim = await callUntilServiceAnswers(() => client.attempts.claim(claimed, key), signal);
    if (claim.status === 'finished') return false;
    if (claim.status === 'wait') {
      if (!this.#waiting && this.#underWay === 0) {
        this.#waiting = true;
        onEvent({ type: 'waiting' });
      }
      await waitOrThrowIfAborted(claim.retryAfterMs, signal);
      return true;
    }
    this.#waiting = false;
    this.#throwIfCommandKeepsFailing(await this.#makeAttemptAndReportEvents(claim.attempt));
    return true;
  }

  async #makeAttemptAndReportEvents(attempt: ClaimedAttempt): Promise<Outcome> {
    const { onEvent } = this.#options;
    onEvent({ type: 'claimed', attempt });
    const begun = Date.now();
    this.#underWay += 1;
    try {
      const outcome = await makeAttemptAndRespond(attempt, this.#options);
      onEvent({ type: 'ended', attempt, durationMs: Date.now() - begun, outcome });
      return outcome;
    } finally {
      this.#underWay -= 1;
    }
  }

  #throwIfCommandKeepsFailing(outcome: Outcome): void {
    if (outcome.kind === 'not-started') {
      const why = outcome.exitCode === 127 ? 'is not found' : 'cannot be run';
      throw new CommandError(
        `the command ${why} (exit code ${outcome.exitCode}); stopped before more attempts are wasted`,
      );
    }
    if (outcome.kind === 'answered') {
      this.#crashesInARow = 0;
      this.#answers += 1;
    }
    if (outcome.kind !== 'crashed') return;
    this.#crashesInARow += 1;
    const hasNeverAnswered = this.#answers === 0;
    if (this.#options.keepGoing || (this.#crashesInARow < tolerableCrashes && !hasNeverAnswered)) return;
    const what = hasNeverAnswered
      ? `crashed with exit code ${outcome.exitCode} before it had answered once`
      : `crashed ${this.#crashesInARow} times in a row`;
    throw new CommandError(`the command ${what}; stopped before more attempts are wasted (--keep-going continues)`);
  }
}
