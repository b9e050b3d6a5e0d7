import { describe, expect, test } from 'vitest';
import {
  entryMoves,
  decideEntryMoveOrRefuse,
  refuseEntryUnlessPublished,
  type EntryState,
  type EntryVerb,
} from '#core/leaderboards/entry-state.ts';
import {
  countFreeScoringPlaces,
  maxEntries,
  mayScoreAnotherSubmission,
  findEntryRefusalText,
  maxScoredOfWorkspace,
} from '#core/leaderboards/limits.ts';
import { makeLeaderboardRefusalProblem } from '#core/leaderboards/problems.ts';
import {
  makeEntryOfPublication,
  repeatsLeaderboardCreation,
  makeLeaderboardRecord,
  makeRecordContent,
} from '#core/leaderboards/public-view.ts';
import { entry, leaderboardRecord, recordContent } from '#core/leaderboards/record.ts';
import { makeCopyFinding, computeCopyThresholds } from '#core/leaderboards/copy-finding.ts';
import { creationOf, publicationOf, scoredWith } from '../../support/leaderboard.ts';

const since = '2026-05-01T12:00:00.000Z';
const creation = creationOf('lb_1', 3);

describe('the queue of a leaderboard', () => {
  test('has 20 places, at most 10 of them for one workspace', () => {
    expect(mayScoreAnotherSubmission({ all: 19, own: 9 })).toBe(true);
    expect(mayScoreAnotherSubmission({ all: 20, own: 0 })).toBe(false);
    expect(mayScoreAnotherSubmission({ all: 10, own: maxScoredOfWorkspace })).toBe(false);
  });

  test('has as many free places as are not taken, and never fewer than zero', () => {
    expect([0, 19, 20, 25].map(countFreeScoringPlaces)).toEqual([20, 1, 0, 0]);
  });
});

describe('a place on a leaderboard', () => {
  const made = publicationOf('sub_a', scoredWith([1, 0, null]));

  test('goes to a submission with a value for every public unit', () => {
    expect(findEntryRefusalText(creation, 0, made)).toBeNull();
    expect(findEntryRefusalText(creationOf('lb_1', 4), 0, made)).toBe(
      'it has 3 values of success, and the entries of its tier rank by 4 public units; submit it again',
    );
  });

  test('needs a value for every private unit in the tiers that are given them', () => {
    const halved = { ...creation, publicUnits: 5, privateUnits: 3 };
    for (const tier of ['service', 'gateway'] as const)
      expect(findEntryRefusalText(halved, 0, { ...made, tier })).toBeNull();
    expect(findEntryRefusalText(halved, 0, { ...made, tier: 'self-reported' })).toContain('rank by 5 public units');
    expect(findEntryRefusalText({ ...halved, privateUnits: 4 }, 0, made)).toContain('rank by 4 private units');
  });

  test('is refused on a full leaderboard', () => {
    expect(findEntryRefusalText(creation, maxEntries - 1, made)).toBeNull();
    expect(findEntryRefusalText(creation, maxEntries, made)).toBe(
      'a leaderboard has at most 20000 entries, and this one has',
    );
  });
});

describe('a copy', () => {
  test("shares at least half of the digests with another submitter's original, and nearly all with one of its own", () => {
    expect(computeCopyThresholds(64).others).toBe(32);
    expect(computeCopyThresholds(5).others).toBe(2.5);
    expect(computeCopyThresholds(20).own).toBe(18);
  });

  test("is reported with its original and the original's owner", () => {
    const original = { id: 'sub_a', name: 'first', shared: 40 };
    expect(makeCopyFinding({ ...original, own: false, takenOff: true }, 64)).toEqual({
      kind: 'identical-traces',
      where: '40 of 64 digests of its attempts',
      message: 'The attempts are those of "first" (sub_a), an entry of another submitter.',
    });
    expect(makeCopyFinding({ ...original, own: true, takenOff: true }, 64).message).toBe(
      'The attempts are those of "first" (sub_a), an entry of the same submitter that a moderator took off.',
    );
    expect(makeCopyFinding({ ...original, own: true, takenOff: false }, 64).message).toContain('under another name');
  });
});

describe('an entry', () => {
  const table = {
    published: { hide: 'move', show: 'done', withdraw: 'move' },
    hidden: { hide: 'done', show: 'move', withdraw: 'move' },
    withdrawn: { hide: 'cannot-move', show: 'cannot-move', withdraw: 'done' },
  } as const satisfies Record<EntryState, Record<EntryVerb, string>>;
  const standing = (state: EntryState) => ({ state, since, reason: 'so' });

  test.each(['published', 'hidden', 'withdrawn'] as const)('that is %s moves as the table says', (state) => {
    const verbs = ['hide', 'show', 'withdraw'] as const;
    const found = verbs.map((verb) => {
      const decided = decideEntryMoveOrRefuse(verb, standing(state));
      return [verb, decided.ok ? decided.value : decided.problem.reason];
    });
    expect(Object.fromEntries(found)).toEqual(table[state]);
    for (const verb of verbs)
      expect(decideEntryMoveOrRefuse(verb, standing(entryMoves[verb].to))).toEqual({ ok: true, value: 'done' });
  });

  test('is shown while it is published, and otherwise gone for a reason', () => {
    expect(refuseEntryUnlessPublished('sub_a', standing('published'))).toEqual({ ok: true, value: null });
    const hidden = refuseEntryUnlessPublished('sub_a', standing('hidden'));
    expect(hidden.ok ? null : makeLeaderboardRefusalProblem(hidden.problem)).toEqual({
      code: 'entry-gone',
      detail: `it was hidden on ${since}: so`,
    });
    expect(refuseEntryUnlessPublished('sub_a', null)).toEqual({
      ok: false,
      problem: { reason: 'no-entry', id: 'sub_a' },
    });
  });

  test('and its record have the shape that is published', () => {
    const publication = publicationOf('sub_a', scoredWith([1, 0, null]));
    const made = makeEntryOfPublication(creation, publication);
    expect(entry.parse(made)).toEqual(made);
    const content = makeRecordContent(creation, made, publication.scored, 'before');
    expect(recordContent.parse(content)).toEqual(content);
    expect(content.provenance.judge).toEqual({ model: 'judge', baseUrl: 'https://models.example/v1' });
  });
});

describe('a leaderboard', () => {
  const none = { service: 0, gateway: 0, 'self-reported': 0 };

  test('hides the keys of its models', () => {
    const shown = makeLeaderboardRecord(creation, { service: 7, gateway: 1, 'self-reported': 0 });
    expect(leaderboardRecord.parse(shown)).toEqual(shown);
    expect(shown).toMatchObject({
      entries: { service: 7 },
      judge: { model: 'judge', baseUrl: 'https://models.example/v1' },
    });
    expect(JSON.stringify(shown)).not.toContain('deployment');
  });

  test('ranks by pass^4 only with at least four trials', () => {
    expect(makeLeaderboardRecord(creation, none).metrics).toContain('pass-hat-4');
    expect(makeLeaderboardRecord({ ...creation, trials: 3 }, none).metrics).not.toContain('pass-hat-4');
  });

  test('is the same one for the same owner, name, trials and predecessor', () => {
    expect(repeatsLeaderboardCreation(creation, { ...creation, at: 'later', seed: 2 })).toBe(true);
    for (const other of [{ workspace: 'x' }, { name: 'x' }, { trials: 1 }, { previous: 'lb_0' }, { id: 'lb_2' }])
      expect(repeatsLeaderboardCreation(creation, { ...creation, ...other })).toBe(false);
  });
});
