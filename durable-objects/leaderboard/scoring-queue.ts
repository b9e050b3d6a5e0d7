import { countFreeScoringPlaces, maxScoredOfWorkspace, mayScoreAnotherSubmission } from '#core/leaderboards/limits.ts';
import type { BoardSubmission } from '#core/leaderboards/record.ts';
import type { LeaderboardStore } from './leaderboard-store.ts';

/** The submissions of a leaderboard in the order of their turns. Only so many are scored at once. */
export class ScoringQueue {
  readonly #store: LeaderboardStore;
  /** Notifies a submission of its turn. */
  readonly #call: (id: string) => Promise<unknown>;

  constructor(store: LeaderboardStore, call: (id: string) => Promise<unknown>) {
    this.#store = store;
    this.#call = call;
  }

  /** Updates a submission on the moderators' list. Returns the next ones that are scored, if a place is free. */
  recordStateAndReserveNext(submission: BoardSubmission & { readonly workspace: string }): string[] {
    this.#store.storeSubmissionState(submission);
    if (submission.state === 'queued' || submission.state === 'validating' || submission.state === 'scoring') return [];
    const free = countFreeScoringPlaces(this.#store.countOtherSubmissionsInScoring('').all);
    const next = this.#store.listNextSubmissionsToScore(free, maxScoredOfWorkspace);
    // Reserves their places now, so that nobody is called twice.
    for (const id of next) this.#store.recordScoringStarted(id);
    return next;
  }

  /** Returns whether a submission may be scored now. If so, it keeps its place until it is settled. */
  admitToScoringIfFree(id: string): boolean {
    if (!mayScoreAnotherSubmission(this.#store.countOtherSubmissionsInScoring(id))) return false;
    this.#store.recordScoringStarted(id);
    return true;
  }

  /** Notifies a submission of its turn. The sweep finds one that does not hear of it. */
  async notifyTurn(id: string): Promise<void> {
    try {
      await this.#call(id);
    } catch (error) {
      console.error(JSON.stringify({ submission: id, notCalledOn: String(error) }));
    }
  }
}
