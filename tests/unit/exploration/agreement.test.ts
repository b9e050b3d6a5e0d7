import { describe, expect, it } from 'vitest';
import { computeReviewAgreement } from '#core/exploration/agreement.ts';
import type { Verdict } from '#core/units/review.ts';

const tiers = { passScore: 80, acceptScore: 90 };
const approve: Verdict = { decision: 'approve' };
const reject: Verdict = { decision: 'reject', reason: 'no' };
const edit: Verdict = { decision: 'edit', edit: { source: 'a', followUp: 'b' } };
const given = (verdict: Verdict, score: number) => ({ verdict, score });

describe('the agreement of reviewers and the critic', () => {
  it('is unknown before the first decision', () => {
    expect(computeReviewAgreement([], 4, tiers)).toEqual({
      open: 4,
      decided: 0,
      approved: 0,
      edited: 0,
      rejected: 0,
      accuracy: null,
      kappa: null,
    });
  });

  it('is complete if reviewers approve exactly the upper half of the middle tier', () => {
    const decisions = [given(approve, 88), given(approve, 85), given(reject, 84.9), given(reject, 80)];
    expect(computeReviewAgreement(decisions, 0, tiers)).toMatchObject({
      decided: 4,
      approved: 2,
      rejected: 2,
      accuracy: 1,
      kappa: 1,
    });
  });

  it('counts an edit as disagreement with the unit as it was', () => {
    expect(computeReviewAgreement([given(edit, 89), given(edit, 81), given(approve, 89)], 1, tiers)).toMatchObject({
      open: 1,
      edited: 2,
      approved: 1,
      accuracy: 2 / 3,
    });
  });

  it('counts each disagreement by its direction', () => {
    const lenient = computeReviewAgreement(
      [given(approve, 81), given(approve, 82), given(approve, 88), given(reject, 81)],
      0,
      tiers,
    );
    expect(lenient).toMatchObject({ accuracy: 0.5 });
    expect(lenient.kappa).toBeCloseTo(0.2, 10);
  });

  it("uses the run's own tiers, and is unknown if all votes are the same", () => {
    expect(computeReviewAgreement([given(approve, 62)], 0, { passScore: 60, acceptScore: 64 })).toMatchObject({
      accuracy: 1,
      kappa: null,
    });
    expect(computeReviewAgreement([given(approve, 61.9)], 0, { passScore: 60, acceptScore: 64 })).toMatchObject({
      accuracy: 0,
      kappa: 0,
    });
  });
});
