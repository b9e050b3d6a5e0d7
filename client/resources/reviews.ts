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
import { items, type ListOptions } from '../http/pages.ts';
import { path, type Transport } from '../http/transport.ts';

/** Which reviews are listed. */
export interface ReviewListOptions extends ListOptions {
  /** `open` ones wait for a decision, which holds without it; `decided` ones have had one. */
  readonly state?: 'open' | 'decided' | undefined;
  readonly origin?: UnitOrigin | undefined;
  /** Only units whose chain holds this tool (`server/tool`). */
  readonly tool?: string | undefined;
}

/** Units of the middle tier, on which a person decides. */
export const reviewsOf = (transport: Transport) => {
  // The same decision by the same key changes nothing, so it may be sent again.
  const decide = (exploration: string, unit: string, verdict: Verdict): Promise<ReviewDetail> =>
    transport.json(reviewDetail, {
      method: 'POST',
      path: path`/v1/reviews/${exploration}/${unit}/decision`,
      json: verdict,
      repeatable: true,
    });

  return {
    list: (
      exploration: string,
      { state, origin, tool, ...options }: ReviewListOptions = {},
    ): AsyncGenerator<UnitSummary, void, undefined> =>
      items(transport, unitSummary, '/v1/reviews', { exploration, state, origin, tool }, options),

    /** All that a reviewer needs to decide on a unit. */
    get: (exploration: string, unit: string): Promise<ReviewDetail> =>
      transport.json(reviewDetail, {
        method: 'GET',
        path: path`/v1/reviews/${exploration}/${unit}`,
        repeatable: true,
      }),

    approve: (exploration: string, unit: string): Promise<ReviewDetail> =>
      decide(exploration, unit, { decision: 'approve' }),

    /** New wording, which is audited again. The chain stays; without `arguments` their sources stay too. */
    edit: (exploration: string, unit: string, edit: Edit): Promise<ReviewDetail> =>
      decide(exploration, unit, { decision: 'edit', edit }),

    reject: (exploration: string, unit: string, reason: string): Promise<ReviewDetail> =>
      decide(exploration, unit, { decision: 'reject', reason }),

    /** How far reviewers and the critic agree. */
    agreement: (exploration: string): Promise<Agreement> =>
      transport.json(agreement, {
        method: 'GET',
        path: '/v1/reviews/agreement',
        query: { exploration },
        repeatable: true,
      }),
  };
};
