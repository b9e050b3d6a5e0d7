import {
  agreement,
  reviewDetail,
  unitSummary,
  type Agreement,
  type ReviewDetail,
  type UnitSummary,
} from '#core/exploration/record.ts';
import type { Edit, Verdict } from '#core/units/review.ts';
import type { UnitOrigin } from '#core/units/unit.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { escapedPath, type Transport } from '../http/transport.ts';

/** Which reviews to list. */
export interface ReviewListOptions extends ListOptions {
  /** `open` (the default): waiting for a decision. `decided`: with a decision. */
  readonly state?: 'open' | 'decided' | undefined;
  readonly origin?: UnitOrigin | undefined;
  /** Only units whose chain holds this tool (`server/tool`). */
  readonly tool?: string | undefined;
}

/** Units of the middle tier, on which a person decides. */
export const makeReviewsClient = (transport: Transport) => {
  // Repeating the same decision with the same key changes nothing.
  const decide = (exploration: string, unit: string, verdict: Verdict): Promise<ReviewDetail> =>
    transport.requestJson(reviewDetail, {
      method: 'POST',
      path: escapedPath`/v1/reviews/${exploration}/${unit}/decision`,
      json: verdict,
      repeatable: true,
    });

  return {
    list: (
      exploration: string,
      { state, origin, tool, ...options }: ReviewListOptions = {},
    ): AsyncGenerator<UnitSummary, void, undefined> =>
      yieldItemsOfAllPages(transport, unitSummary, '/v1/reviews', { exploration, state, origin, tool }, options),

    /** Everything that a reviewer needs to decide on a unit. */
    get: (exploration: string, unit: string): Promise<ReviewDetail> =>
      transport.requestJson(reviewDetail, {
        method: 'GET',
        path: escapedPath`/v1/reviews/${exploration}/${unit}`,
        repeatable: true,
      }),

    approve: (exploration: string, unit: string): Promise<ReviewDetail> =>
      decide(exploration, unit, { decision: 'approve' }),

    /** Submits new wording, which is audited again. The chain stays; without `arguments` their sources stay too. */
    edit: (exploration: string, unit: string, edit: Edit): Promise<ReviewDetail> =>
      decide(exploration, unit, { decision: 'edit', edit }),

    reject: (exploration: string, unit: string, reason: string): Promise<ReviewDetail> =>
      decide(exploration, unit, { decision: 'reject', reason }),

    /** The agreement of reviewers and the critic. */
    agreement: (exploration: string): Promise<Agreement> =>
      transport.requestJson(agreement, {
        method: 'GET',
        path: '/v1/reviews/agreement',
        query: { exploration },
        repeatable: true,
      }),
  };
};
