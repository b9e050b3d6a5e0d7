import { describe, expect, it } from 'vitest';
import {
  unitAfterStageOrThrow,
  unitAfterDecision,
  variantAfterComparison,
  isOpenToReview,
  unitInReviewIfWaiting,
} from '#core/units/progress.ts';
import type { Verdict } from '#core/units/review.ts';
import type { Lineage, Unit } from '#core/units/unit.ts';
import {
  after,
  allTools,
  audited,
  begun,
  decision,
  entities,
  executed,
  hotels,
  modelCall,
  pair,
  paired,
  passage,
  places,
  refused,
  route,
  rules,
  searched,
  searchFailed,
  written,
} from './units.ts';

const toAudit = [written(), searched(), paired()];
const variantToAudit = [written('variant'), searched(), paired()];
const variant = (lineage: Lineage = entities): Unit => begun({ id: 'e01-0001-v00', lineage });

const doneAs = ({ stage }: Unit): string => (stage.kind === 'done' ? stage.status : stage.kind);
const reasonOf = ({ stage }: Unit): string => (stage.kind === 'done' ? stage.reason : '');

describe('grounding', () => {
  it('stores the passages found and the cost of the search', () => {
    const unit = after(begun(), [written(), searched(passage('p1'), passage('p2'))]);
    expect(unit).toMatchObject({
      stage: { kind: 'pair' },
      grounding: { state: 'searched' },
      facts: [{ id: 'p1' }, { id: 'p2' }],
    });
    expect(unit.usage).toEqual({ calls: 1, promptTokens: 10, completionTokens: 2, costUsd: 0.5 });
    expect(unit.prompts).toEqual(['fact-query@v1']);
  });

  it('continues without facts if the index cannot be reached, and blames nobody', () => {
    const unit = after(begun(), [written(), searchFailed]);
    expect(unit).toMatchObject({
      stage: { kind: 'pair' },
      grounding: { state: 'failed', code: 'unreachable', detail: 'nobody answers' },
      facts: [],
      faults: [],
    });
    expect(doneAs(after(unit, [paired(), audited(95), executed('source'), executed('followUp')]))).toBe('accepted');
  });

  it('is skipped in a run without an index', () => {
    expect(after(begun(), [written()], { grounding: false })).toMatchObject({
      stage: { kind: 'pair' },
      grounding: { state: 'none' },
    });
  });

  it('starts over with the next candidates if no pair could be written', () => {
    const draws = [places.name, hotels.name].map((first) => ({ tools: [first, route.name], known: [] }));
    const found = after(begun({ draws }), [written(), searched(passage('p1'))]);
    expect(after(found, [paired(null)])).toMatchObject({
      stage: { kind: 'scenario' },
      drawn: 2,
      scenario: null,
      grounding: { state: 'none' },
      facts: [],
    });
  });

  it('refuses a result of another stage', () => {
    expect(() => after(begun(), [searched()])).toThrow('at scenario, not at grounding');
    expect(() => after(begun(), [...toAudit, searched()])).toThrow('at audit, not at grounding');
  });
});

describe('the middle tier of units', () => {
  it.each([
    ['park', 'review'],
    ['wait', 'waiting'],
    ['accept', 'execution'],
    ['reject', 'rejected'],
  ] as const)('with %s sends a unit to %s', (review, expected) => {
    expect(doneAs(after(begun(), [...toAudit, audited(85)], { review }))).toBe(expected);
  });

  it('parks a variant where rounds would wait, and compares one that is accepted', () => {
    expect(doneAs(after(variant(), [...variantToAudit, audited(85)], { review: 'wait' }))).toBe('review');
    expect(doneAs(after(variant(), [...variantToAudit, audited(85)], { review: 'accept' }))).toBe('distinct');
  });

  it('begins at the passing score and ends below the accepting score', () => {
    const at = (score: number) => doneAs(after(begun(), [...toAudit, audited(score)], { maxRefinements: 0 }));
    expect([79.9, 80, 89.9, 90].map(at)).toEqual(['rejected', 'review', 'review', 'execution']);
  });

  it('excludes units that the static check finds unsolvable', () => {
    const unsound = paired({ arguments: [] });
    expect(doneAs(after(begun(), [written(), searched(), unsound, audited(85)]))).toBe('refinement');
  });
});

const parked = after(begun(), [...toAudit, audited(85)]);
const waiting = after(begun(), [...toAudit, audited(85)], { review: 'wait' });
const edit: Verdict = {
  decision: 'edit',
  edit: { source: 'How far is the Old Town Hall?', followUp: 'Is the Old Town Hall far?' },
};

describe.each([
  ['parked', parked],
  ['waiting', waiting],
])('a decision on a %s unit', (_, unit) => {
  it('to approve sends it to execution', () => {
    const approval = decision({ decision: 'approve' });
    const approved = unitAfterDecision(unit, approval);
    expect(approved).toMatchObject({ stage: { kind: 'execution', side: 'source' }, decisions: [approval] });
    expect(approved.revision).toBe(unit.revision + 1);
    expect(approved.pair).toEqual(unit.pair);
    expect(isOpenToReview(approved)).toBe(false);
  });

  it("to reject ends it with the reviewer's reason", () => {
    const rejected = unitAfterDecision(unit, decision({ decision: 'reject', reason: 'nobody asks that' }));
    expect([doneAs(rejected), reasonOf(rejected)]).toEqual(['rejected', 'a reviewer rejected it: nobody asks that']);
    expect(rejected.revision).toBe(unit.revision + 1);
    expect(isOpenToReview(rejected)).toBe(false);
  });

  it('to edit keeps the chain, and also the argument sources unless new ones are given', () => {
    const edited = unitAfterDecision(unit, decision(edit));
    const { source, followUp, arguments: origins, chain } = pair();
    expect(edited.stage).toEqual({ kind: 'audit' });
    expect(edited.pair).toMatchObject({ ...edit.edit, chain, arguments: origins });
    expect(edited.superseded).toEqual([{ source, followUp, arguments: origins }]);
    const other = unitAfterDecision(unit, decision({ decision: 'edit', edit: { ...edit.edit, arguments: [] } }));
    expect(other.pair?.arguments).toEqual([]);
  });
});

describe('a decision on a variant', () => {
  const reviewed = after(variant(), [...variantToAudit, audited(85)]);

  it('has it compared with the kept units before execution', () => {
    expect(doneAs(unitAfterDecision(reviewed, decision({ decision: 'approve' })))).toBe('distinct');
    expect(doneAs(after(unitAfterDecision(reviewed, decision(edit)), [audited(81)]))).toBe('distinct');
    expect(doneAs(unitAfterDecision(reviewed, decision({ decision: 'reject', reason: 'no' })))).toBe('rejected');
  });
});

describe('a decision on a unit', () => {
  const scenario = begun();
  const grounding = after(scenario, [written()]);
  const audit = after(scenario, toAudit);
  const accepted = after(scenario, [...toAudit, audited(95), executed('source'), executed('followUp')]);
  const closed: [string, Unit][] = [
    ['scenario', scenario],
    ['grounding', grounding],
    ['pair', after(grounding, [searched()])],
    ['audit', audit],
    ['refinement', after(audit, [audited(70)])],
    ['execution', after(audit, [audited(95)])],
    ['accepted', accepted],
    ['rejected', after(audit, [audited(10)], { maxRefinements: 0 })],
    ['variant', variant()],
    ['distinct', after(variant(), [...variantToAudit, audited(95)])],
    [
      'duplicate',
      variantAfterComparison(after(variant(), [...variantToAudit, audited(95)]), { unit: 'r0001-u00', cosine: null }),
    ],
    ['lost', after(variant(), [refused('variant')])],
  ];
  const verdicts: Verdict[] = [{ decision: 'approve' }, { decision: 'reject', reason: 'no' }, edit];

  it.each(closed)('at %s is a defect of the caller', (at, unit) => {
    expect(doneAs(unit)).toBe(at);
    expect(isOpenToReview(unit)).toBe(false);
    for (const verdict of verdicts) expect(() => unitAfterDecision(unit, decision(verdict))).toThrow('not in review');
  });
});

describe('an edited unit', () => {
  const edited = unitAfterDecision(parked, decision(edit));

  it('needs only the passing score, because a person wrote it', () => {
    const passed = after(edited, [audited(80)], { review: 'reject' });
    expect(passed.stage).toEqual({ kind: 'execution', side: 'source' });
    expect(passed.audits.map(({ score }) => score)).toEqual([85, 80]);
  });

  it('returns to the queue below that score, regardless of the review policy and remaining refinements', () => {
    for (const review of ['park', 'wait', 'accept', 'reject'] as const) {
      const back = after(edited, [audited(79)], { review, maxRefinements: 5 });
      expect([doneAs(back), reasonOf(back)]).toEqual(['review', 'the edited wording was audited at 79']);
      expect(isOpenToReview(back)).toBe(true);
    }
  });

  it('returns to the queue if its arguments cannot be solved, and the reviewer sees why', () => {
    const unsound = unitAfterDecision(
      parked,
      decision({ decision: 'edit', edit: { source: 'How far is it?', followUp: 'Is it far?' } }),
    );
    const back = after(unsound, [audited(95)]);
    expect(doneAs(back)).toBe('review');
    expect(reasonOf(back)).toMatch(/^the edited wording is unsound: .*query/);
  });

  it('can be edited again or approved, and keeps every wording with its audit', () => {
    const back = after(edited, [audited(60)]);
    const again = after(
      unitAfterDecision(
        back,
        decision({ decision: 'edit', edit: { ...edit.edit, source: 'Where is the Old Town Hall?' } }, 60),
      ),
      [audited(82)],
    );
    expect(again.stage.kind).toBe('execution');
    expect(again.superseded.map(({ source }) => source)).toEqual([pair().source, edit.edit.source]);
    expect(again.audits.map(({ score }) => score)).toEqual([85, 60, 82]);
    expect(again.decisions.map(({ score }) => score)).toEqual([85, 60]);
    expect(unitAfterDecision(back, decision({ decision: 'approve' })).stage.kind).toBe('execution');
  });

  it('is rejected if its chain has become unusable, since no wording can fix that', () => {
    const gone = unitAfterStageOrThrow(edited, audited(95), [places], rules());
    expect(doneAs(gone)).toBe('rejected');
  });
});

describe('waiting for a reviewer', () => {
  it('leaves the unit in review when it ends, where it can still be decided on', () => {
    const stopped = unitInReviewIfWaiting(waiting);
    expect([doneAs(stopped), reasonOf(stopped)]).toEqual(['review', 'nobody decided while the round waited']);
    expect(stopped.revision).toBe(waiting.revision + 1);
    expect(unitAfterDecision(stopped, decision({ decision: 'approve' })).stage.kind).toBe('execution');
  });

  it('that has already ended is left unchanged', () => {
    for (const unit of [parked, begun(), unitAfterDecision(waiting, decision({ decision: 'approve' }))]) {
      expect(unitInReviewIfWaiting(unit)).toBe(unit);
    }
  });
});

describe('a variant', () => {
  const usable = after(variant(), [...variantToAudit, audited(95)]);

  it('is written, grounded, paired and audited like any unit, and then compared with others', () => {
    expect(variant().stage).toEqual({ kind: 'variant' });
    expect(after(variant(), [written('variant')]).stage).toEqual({ kind: 'grounding' });
    expect(usable.stage).toEqual({ kind: 'distinct' });
    expect(() => after(variant(), [written('scenario')])).toThrow('at variant, not at scenario');
  });

  it('is lost if the writer sees none, even if more candidates were drawn', () => {
    const draws = [1, 2].map(() => ({ tools: allTools.map(({ name }) => name), known: [] }));
    const unit = begun({ lineage: entities, draws });
    for (const results of [[refused('variant')], [written('variant'), searched(), paired(null)]]) {
      const lost = after(unit, results);
      expect([doneAs(lost), lost.drawn]).toEqual(['lost', 1]);
      expect(reasonOf(lost)).toMatch(/^no variant could be written: (they do not fit|it fits)$/);
    }
  });

  it('is rejected before the audit if its chain does not follow from its seeds', () => {
    const strayed = after(variant(), [written('variant'), searched(), paired({ chain: [route.name, places.name] })]);
    expect([doneAs(strayed), reasonOf(strayed)]).toEqual(['rejected', 'the chain is not that of its seed']);
    expect(strayed.audits).toEqual([]);
  });

  it('ends there if it is a near-duplicate, and is executed otherwise', () => {
    const near = { unit: 'r0001-u00', cosine: 0.97 };
    expect(variantAfterComparison(usable, null)).toMatchObject({
      stage: { kind: 'execution', side: 'source' },
      duplicateOf: null,
    });
    const duplicate = variantAfterComparison(usable, near);
    expect(duplicate).toMatchObject({
      duplicateOf: near,
      stage: { status: 'duplicate', reason: 'a near-duplicate of r0001-u00' },
    });
    expect(duplicate.revision).toBe(usable.revision + 1);
    const ran = after(variantAfterComparison(usable, null), [executed('source'), executed('followUp')]);
    expect(doneAs(ran)).toBe('accepted');
  });

  it('can be compared with others only at its stage', () => {
    for (const unit of [variant(), parked, variantAfterComparison(usable, null)]) {
      expect(() => variantAfterComparison(unit, null)).toThrow('not at distinct');
    }
  });
});

it('every stage increases the revision, even if a model failed or cost something', () => {
  const failed = unitAfterStageOrThrow(
    begun(),
    {
      kind: 'scenario',
      answer: { ok: false, reason: 'unusable', cause: 'refused', detail: 'no', calls: [modelCall('scenario@v1')] },
    },
    allTools,
    rules(),
  );
  expect([failed.revision, doneAs(failed), failed.usage.calls]).toEqual([1, 'rejected', 1]);
});
