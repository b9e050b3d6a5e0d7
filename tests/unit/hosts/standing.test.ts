import { describe, expect, test } from 'vitest';
import {
  countRequestsTodayWithoutProof,
  endOfProofMs,
  findProof,
  withoutPastProofsOrNull,
  giveBackRequests,
  listWorkspacesToProveAgain,
  newHostStanding,
  takeRequests,
  withProof,
  type HostStanding,
} from '#core/catalog/hosts/standing.ts';

const dayMs = 24 * 3_600_000;
const noon = Date.UTC(2026, 10, 25, 12);
const fresh = newHostStanding('mcp.example.com');

const take = (standing: HostStanding, workspace: string, wanted: number, nowMs = noon) =>
  takeRequests(standing, { workspace, wanted, limit: 20 }, nowMs);

describe('a host that nobody has proven', () => {
  test('gets no more requests in a day than the limit, of all workspaces together', () => {
    const first = take(fresh, 'one', 16);
    expect(first.leave).toMatchObject({ kind: 'counted', requests: 16 });
    const second = take(first.standing, 'two', 16);
    expect(second.leave).toMatchObject({ kind: 'counted', requests: 4 });
    const none = { kind: 'none', untilMs: Date.UTC(2026, 10, 26), limit: 20 };
    expect(take(second.standing, 'one', 1).leave).toEqual(none);
    expect(take(second.standing, 'three', 1).leave).toEqual(none);
    expect(countRequestsTodayWithoutProof(second.standing, noon)).toBe(20);
  });

  test('gets requests again on the next day (UTC)', () => {
    const { standing } = take(fresh, 'one', 20);
    expect(take(standing, 'one', 5, Date.UTC(2026, 10, 26) - 1).leave.kind).toBe('none');
    const next = take(standing, 'one', 5, Date.UTC(2026, 10, 26));
    expect(next.leave).toMatchObject({ kind: 'counted', requests: 5 });
    expect(countRequestsTodayWithoutProof(next.standing, Date.UTC(2026, 10, 26))).toBe(5);
  });

  test('gets back what was not used, on the same day alone', () => {
    const { standing, leave } = take(fresh, 'one', 20);
    const day = leave.kind === 'counted' ? leave.day : 0;
    expect(countRequestsTodayWithoutProof(giveBackRequests(standing, day, 8), noon)).toBe(12);
    const next = take(standing, 'one', 3, noon + dayMs).standing;
    expect(countRequestsTodayWithoutProof(giveBackRequests(next, day, 8), noon + dayMs)).toBe(3);
  });
});

describe('a proof', () => {
  const proven = withProof(take(fresh, 'other', 20).standing, 'owner', 'dns', noon);

  test('frees its workspace alone, also where the others have used all', () => {
    expect(take(proven, 'owner', 8).leave).toEqual({ kind: 'proven', untilMs: noon + 30 * dayMs });
    expect(take(proven, 'owner', 8).standing).toBe(proven);
    expect(take(proven, 'other', 8).leave.kind).toBe('none');
  });

  test('ends 30 days after its token was last found', () => {
    expect(findProof(proven, 'owner', noon + 30 * dayMs - 1)).not.toBeNull();
    expect(findProof(proven, 'owner', noon + 30 * dayMs)).toBeNull();
    expect(take(proven, 'owner', 8, noon + 30 * dayMs).leave.kind).toBe('counted');
    const found = withProof(proven, 'owner', 'file', noon + 25 * dayMs);
    expect(findProof(found, 'owner', noon + 54 * dayMs)).toMatchObject({ by: 'file', sinceMs: noon });
  });

  test('begins again where it had ended before it was found', () => {
    const later = noon + 40 * dayMs;
    expect(findProof(withProof(proven, 'owner', 'dns', later), 'owner', later)?.sinceMs).toBe(later);
  });

  test('is looked for again in its last week', () => {
    expect(listWorkspacesToProveAgain(proven, noon + 23 * dayMs - 1)).toEqual([]);
    expect(listWorkspacesToProveAgain(proven, noon + 23 * dayMs)).toEqual(['owner']);
    expect(listWorkspacesToProveAgain(proven, noon + 30 * dayMs)).toEqual([]);
  });

  test('keeps the host known, and nothing else does when the day is over', () => {
    expect(withoutPastProofsOrNull(proven, noon)).toEqual(proven);
    expect(withoutPastProofsOrNull(proven, noon + dayMs)).toMatchObject({
      unproven: 0,
      proofs: { owner: { by: 'dns' } },
    });
    const end = endOfProofMs({ foundMs: noon });
    expect(withoutPastProofsOrNull(proven, end)).toBeNull();
    expect(withoutPastProofsOrNull(take(fresh, 'one', 1).standing, noon + dayMs)).toBeNull();
  });
});
