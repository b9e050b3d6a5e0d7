import { describe, expect, test } from 'vitest';
import type { EvaluationProgress } from '#core/evaluation/progress-record.ts';
import {
  chooseSweepAction,
  claimAnswerByStateOrRefusal,
  moderationStepOrRefusal,
  decideProgressEffect,
  chooseEvaluationSweepAction,
  makeStandingOfNewSubmission,
  idleMs,
  hasUncheckedUpload,
  mayBePublished,
  mostDrivers,
  standingAfterChangeOrRefusal,
  decideNextWork,
  rejectionReasonText,
  isWaitingForModerator,
  type SubmissionStanding,
} from '#core/leaderboards/submissions/progress.ts';
import { makeSubmissionRefusalProblem } from '#core/leaderboards/submissions/problems.ts';
import { submissionState, type SubmissionState } from '#core/leaderboards/submissions/state.ts';

const at = '2026-01-01T00:00:00.000Z';

/** A submission in a state, however it got there. */
const inState = (state: SubmissionState, approved: string | null = null): SubmissionStanding => ({
  ...makeStandingOfNewSubmission(at),
  history: [{ state, at, reason: 'so' }],
  approved,
});

const alive = { driver: 1, hasLines: false };
const progress = (part: Partial<EvaluationProgress>): EvaluationProgress => ({
  attempts: 400,
  made: 0,
  notEvaluated: 0,
  relaunched: 0,
  units: 50,
  unitsDone: 0,
  ...part,
});
const lost = progress({ made: 10, notEvaluated: 10 });

/** What is decided for every state: with what its driver is told, how it is looked after, and what its evaluation's messages lead to. */
const table = {
  queued: { open: 'take-turn', wake: 'advance', progressed: 'ignore', lost: 'ignore', publishable: false },
  validating: { open: 'validate', wake: 'drive', progressed: 'ignore', lost: 'ignore', publishable: false },
  scoring: { open: 'ask-evaluation', wake: 'ask-evaluation', progressed: 'note', lost: 'reject', publishable: true },
  moderation: { open: 'nothing', wake: 'rest', progressed: 'ignore', lost: 'ignore', publishable: false },
  published: { open: 'nothing', wake: 'settle', progressed: 'ignore', lost: 'ignore', publishable: false },
  hidden: { open: 'nothing', wake: 'settle', progressed: 'ignore', lost: 'ignore', publishable: false },
  rejected: { open: 'nothing', wake: 'settle', progressed: 'ignore', lost: 'ignore', publishable: false },
  withdrawn: { open: 'nothing', wake: 'settle', progressed: 'ignore', lost: 'ignore', publishable: false },
} as const satisfies Record<SubmissionState, Readonly<Record<string, string | boolean>>>;

describe('a submission in each state', () => {
  test.each(submissionState.options)('decides as in the table in the state %s', (state) => {
    const now = inState(state);
    expect({
      open: decideNextWork(now, false),
      wake: chooseSweepAction(now, alive),
      progressed: decideProgressEffect(state, progress({ made: 10 })),
      lost: decideProgressEffect(state, lost),
      publishable: mayBePublished(now),
    }).toEqual(table[state]);
  });

  test('is published by its driver after a moderator approved it', () => {
    const now = inState('moderation', 'it is fine');
    expect(decideNextWork(now, false)).toBe('publish');
    expect(chooseSweepAction(now, alive)).toBe('drive');
    expect(mayBePublished(now)).toBe(true);
    expect(isWaitingForModerator(now)).toBe(false);
    expect(isWaitingForModerator(inState('moderation'))).toBe(true);
  });

  test('repeats the upload to its evaluation while lines are left', () => {
    expect(decideNextWork(inState('scoring'), true)).toBe('validate');
    expect(chooseSweepAction(inState('scoring'), { ...alive, hasLines: true })).toBe('drive');
  });

  test('has its upload checked while it is validated, and only in the tier self-reported', () => {
    expect(submissionState.options.filter((state) => hasUncheckedUpload(inState(state), 'self-reported'))).toEqual([
      'validating',
    ]);
    expect(hasUncheckedUpload(inState('validating'), 'service')).toBe(false);
    expect(hasUncheckedUpload(inState('validating'), 'gateway')).toBe(false);
  });

  test('is given up after 40 drivers, unless it waits for its turn or a person, or has ended', () => {
    const worn = { driver: mostDrivers, hasLines: false };
    expect(submissionState.options.filter((state) => chooseSweepAction(inState(state), worn) === 'give-up')).toEqual([
      'validating',
      'scoring',
    ]);
    expect(chooseSweepAction(inState('scoring'), { ...worn, driver: mostDrivers - 1 })).toBe('ask-evaluation');
    expect(chooseSweepAction(inState('moderation', 'it is fine'), worn)).toBe('give-up');
  });
});

describe('a decision of a moderator', () => {
  const decisions = {
    publish: { from: 'moderation', value: { kind: 'approve' } },
    reject: { from: 'moderation', value: { kind: 'move', to: 'rejected' } },
    hide: { from: 'published', value: { kind: 'move-entry', call: 'hideEntry', to: 'hidden' } },
    show: { from: 'hidden', value: { kind: 'move-entry', call: 'showEntry', to: 'published' } },
  } as const;

  test.each(['publish', 'reject', 'hide', 'show'] as const)('to %s is accepted in one state only', (action) => {
    for (const state of submissionState.options) {
      const decided = moderationStepOrRefusal(inState(state), action);
      if (state === decisions[action].from) expect(decided).toEqual({ ok: true, value: decisions[action].value });
      else
        expect(decided.ok ? null : makeSubmissionRefusalProblem(decided.problem)).toEqual({
          code: 'wrong-state',
          detail: `the submission is ${state} since ${at}, not ${decisions[action].from}`,
        });
    }
  });
});

describe('a claim of an attempt', () => {
  const claim = (state: SubmissionState, nowMs = Date.parse(at)) =>
    claimAnswerByStateOrRefusal(inState(state), 'gateway', nowMs);

  test('goes to the evaluation while the submission is scored', () => {
    expect(claim('scoring')).toEqual({ ok: true, value: null });
  });

  test('waits until there is an evaluation', () => {
    for (const state of ['queued', 'validating'] as const)
      expect(claim(state, Date.parse(at) + 5_000)).toEqual({ ok: true, value: { kind: 'wait', retryAfterMs: 5_000 } });
  });

  test('finds nothing after the submission has been scored', () => {
    for (const state of ['moderation', 'published', 'hidden', 'rejected', 'withdrawn'] as const)
      expect(claim(state)).toEqual({ ok: true, value: { kind: 'finished' } });
  });

  test.each(['service', 'self-reported'] as const)('is refused for the tier %s', (tier) => {
    expect(claimAnswerByStateOrRefusal(inState('scoring'), tier, 0)).toEqual({
      ok: false,
      problem: { reason: 'no-attempts-to-claim', tier },
    });
  });
});

describe('the evaluation of a submission', () => {
  const now = { ...inState('scoring'), seen: { at, made: 3 } };
  const later = Date.parse(at) + idleMs + 1;

  test('is active while more attempts are made', () => {
    expect(chooseEvaluationSweepAction(now, 'gateway', 4, later)).toBe('note');
  });

  test('is given up after seven days without a gateway attempt', () => {
    expect(chooseEvaluationSweepAction(now, 'gateway', 3, later)).toBe('give-up');
    expect(chooseEvaluationSweepAction(now, 'gateway', 3, later - 1)).toBe('leave');
  });

  test('is left alone if no person is needed', () => {
    expect(chooseEvaluationSweepAction(now, 'service', 3, later)).toBe('leave');
    expect(chooseEvaluationSweepAction(now, 'self-reported', 3, later)).toBe('leave');
  });
});

describe('a state change of a submission', () => {
  test('adds the state to the history and keeps the findings', () => {
    const finding = { kind: 'catalog', where: 'line 1', message: 'another one' } as const;
    const begun = { ...makeStandingOfNewSubmission(at), findings: [finding] };
    expect(standingAfterChangeOrRefusal(begun, { state: 'validating', at, reason: 'next' })).toEqual({
      ok: true,
      value: { ...begun, history: [...begun.history, { state: 'validating', at, reason: 'next' }] },
    });
  });

  test('is refused if the state cannot follow', () => {
    expect(
      standingAfterChangeOrRefusal(makeStandingOfNewSubmission(at), { state: 'published', at, reason: '' }),
    ).toMatchObject({
      ok: false,
    });
  });
});

describe('the reason of a rejection', () => {
  test('is the first finding and the number of the others', () => {
    const found = { kind: 'trials', where: 'line 1', message: 'each unit was tried twice' } as const;
    expect(rejectionReasonText([found])).toBe('line 1: each unit was tried twice');
    expect(rejectionReasonText([found, found, found])).toBe('line 1: each unit was tried twice (and 2 more findings)');
  });
});
