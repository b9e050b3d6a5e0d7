import { describe, expect, it } from 'vitest';
import { listUnitChangeEvents } from '#core/reports/announcements/unit-events.ts';
import { outcomeOfFinishedUnit } from '#core/exploration/outcome-of-unit.ts';
import { makeExecutionDiagnosis } from '#core/units/execution.ts';
import { unitAfterStageOrThrow, type StageResult } from '#core/units/progress.ts';
import { findPhaseOfVariantOrNull } from '#core/units/shards.ts';
import type { Unit } from '#core/units/unit.ts';
import {
  after,
  audited,
  begun,
  brokenOff,
  entities,
  executed,
  modelCall,
  pair,
  paired,
  places,
  refined,
  route,
  rules,
  searched,
  written,
} from './units.ts';

const toExecution = [written(), searched(), paired(), audited(95)];
const endOf = ({ stage }: Unit): string => (stage.kind === 'done' ? `${stage.status}: ${stage.reason}` : stage.kind);

const nothing = [executed('source', []), executed('followUp', [])];
const failing = [
  executed('source', [{ tool: places.name, error: 'no such place' }]),
  executed('followUp', [{ tool: 'other/tool', error: 'no' }]),
];
const stray = [
  executed('source', [{ tool: places.name, error: 'no such place' }]),
  executed('followUp', [{ tool: 'other/tool' }]),
];
const half = [
  executed('source', [{ tool: places.name }, { tool: route.name, error: '"harbour" is not a town' }]),
  executed('followUp', [{ tool: 'other/tool', error: 'no' }]),
];
const whole = [executed('source', [{ tool: places.name }]), executed('followUp', [{ tool: route.name }])];
const reworded = refined({ source: 'Take me to the Old Town Hall.' });

describe('a unit whose requests were executed', () => {
  it.each([
    ['nothing was called', nothing],
    ['every call failed', failing],
  ])('is rejected as unexecuted where %s', (_, executions) => {
    const unit = after(begun(), [...toExecution, ...executions]);
    expect(endOf(unit)).toMatch(/^rejected: unexecuted: /);
    expect(unit.witness).toEqual({ source: [], followUp: [] });
    expect(outcomeOfFinishedUnit(unit)).toMatchObject({ status: 'rejected', traces: [{}, {}] });
  });

  it('is reworded once and then accepted where only tools succeeded that nobody expected', () => {
    const sentBack = after(begun(), [...toExecution, ...stray]);
    expect(sentBack).toMatchObject({ stage: { kind: 'refinement' }, witness: { source: [], followUp: [] } });
    expect(sentBack.earlierExecution && makeExecutionDiagnosis(pair().chain, sentBack.earlierExecution)).toEqual({
      notCarriedOut: [
        { step: 1, tool: places.name, called: true },
        { step: 2, tool: route.name, called: false },
      ],
      errors: [{ request: 'source', tool: places.name, text: 'no such place' }],
    });
    const done = after(sentBack, [reworded, audited(95), ...stray]);
    expect(endOf(done)).toMatch(/^accepted: .*none of the expected tools succeeded/);
    expect(done.witness).toEqual({ source: [], followUp: [] });
    expect(endOf(after(sentBack, [reworded, audited(20)]))).toMatch(/^accepted: .*none of the expected tools/);
    expect(outcomeOfFinishedUnit(done)).toMatchObject({ status: 'accepted', traces: [{}, {}] });
  });

  it('is accepted at once where every expected tool succeeded in one attempt or the other', () => {
    const unit = after(begun(), [...toExecution, ...whole]);
    expect(endOf(unit)).toMatch(/^accepted: .*every expected tool/);
    expect(unit).toMatchObject({ witness: { source: [1], followUp: [2] }, earlierExecution: null });
  });

  it('keeps the errors of expected tools, bounded', () => {
    const long = Array.from({ length: 12 }, () => ({ tool: route.name, error: 'e'.repeat(600) }));
    const unit = after(begun(), [...toExecution, executed('source', [{ tool: 'x/y', error: 'stray' }, ...long])]);
    expect(unit.executions.source?.errors).toEqual(
      Array.from({ length: 10 }, () => ({ tool: route.name, text: 'e'.repeat(500) })),
    );
  });
});

describe('a unit of whose chain only a part was carried out', () => {
  const sentBack = after(begun(), [...toExecution, ...half]);
  const again = after(sentBack, [reworded]);

  it('is reworded once, and the writer is told which steps failed and why', () => {
    expect(sentBack.stage).toEqual({ kind: 'refinement' });
    const { earlierExecution } = sentBack;
    expect(earlierExecution).toMatchObject({ witness: { source: [1], followUp: [] } });
    expect(earlierExecution && makeExecutionDiagnosis(pair().chain, earlierExecution)).toEqual({
      notCarriedOut: [{ step: 2, tool: route.name, called: true }],
      errors: [{ request: 'source', tool: route.name, text: '"harbour" is not a town' }],
    });
  });

  it('is audited and executed again with the same chain', () => {
    expect(again).toMatchObject({
      stage: { kind: 'audit' },
      pair: { source: 'Take me to the Old Town Hall.', chain: pair().chain },
      executions: { source: null, followUp: null },
      witness: null,
    });
    const done = after(again, [audited(95), ...whole]);
    expect(endOf(done)).toMatch(/^accepted: .*every expected tool/);
    expect(done.pair?.source).toBe('Take me to the Old Town Hall.');
    expect(done.audits).toHaveLength(done.superseded.length + 1);
  });

  it('is accepted as partly witnessed after the second execution, and never reworded for it again', () => {
    const done = after(again, [audited(95), ...half]);
    expect(endOf(done)).toMatch(/^accepted: .*only some of the expected tools/);
    expect(done.witness).toEqual({ source: [1], followUp: [] });
  });

  it.each<[string, readonly StageResult[], number]>([
    ['would need a person', [reworded, audited(85)], 2],
    ['is refused by the critic', [reworded, audited(20)], 2],
    ['has an argument without a source', [refined({ arguments: [] }), audited(95)], 2],
    ['gets no audit that can be read', [reworded, unusable('audit')], 1],
    ['was not given', [unusable('refinement')], 0],
    ['leads to nothing at all', [reworded, audited(95), ...nothing], 2],
    ['leads to fewer steps of the chain', [reworded, audited(95), ...stray], 2],
    ['is broken off by the model', [reworded, audited(95), brokenOff('source')], 2],
  ])('keeps the executed wording where the new one %s', (_, results, wordings) => {
    const kept = after(sentBack, results, { review: 'accept', maxRefinements: 3 });
    expect(endOf(kept)).toMatch(/^accepted: .*only some of the expected tools/);
    expect(kept).toMatchObject({ pair: pair(), witness: { source: [1], followUp: [] } });
    expect(kept.executions.source?.calls).toHaveLength(2);
    expect([kept.superseded.length, kept.audits.length]).toEqual([wordings, wordings + 1]);
    expect(kept.audits.at(-1)).toEqual(sentBack.audits[0]);
  });

  it('is accepted as it is where the run allows no refinement', () => {
    expect(endOf(after(begun(), [...toExecution, ...half], { maxRefinements: 0 }))).toMatch(/^accepted: .*only some/);
  });

  it('is announced by what happened: an audit that is kept and an execution that is restored are not repeated', () => {
    const types = (before: Unit, result: StageResult): string[] =>
      listUnitChangeEvents(before, unitAfterStageOrThrow(before, result, [places, route], rules())).map(
        ({ type }) => type,
      );
    expect(types(sentBack, unusable('refinement'))).toEqual(['unit.ended']);
    expect(types(again, unusable('audit'))).toEqual(['unit.ended']);
    expect(types(again, audited(20))).toEqual(['unit.audited', 'unit.ended']);
    expect(types(after(again, [audited(95)]), executed('source'))).toEqual(['unit.executed']);
  });
});

describe('a variant that is reworded because of its execution', () => {
  const variant = begun({ id: 'e01-0001-v00', lineage: entities });
  const distinct = after(variant, [written('variant'), searched(), paired(), audited(95)]);
  const executing: Unit = { ...distinct, stage: { kind: 'execution', side: 'source' } };

  it('stays in the phase of executions, and is not compared with the kept units again', () => {
    const sentBack = after(executing, half);
    const again = after(sentBack, [reworded]);
    expect([
      findPhaseOfVariantOrNull(variant),
      findPhaseOfVariantOrNull(distinct),
      findPhaseOfVariantOrNull(executing),
    ]).toEqual(['write', null, 'execute']);
    expect([findPhaseOfVariantOrNull(sentBack), findPhaseOfVariantOrNull(again)]).toEqual(['execute', 'execute']);
    expect(after(again, [audited(95)]).stage).toEqual({ kind: 'execution', side: 'source' });
    expect(findPhaseOfVariantOrNull(after(again, [audited(95), ...whole]))).toBeNull();
  });
});

function unusable(kind: 'audit' | 'refinement'): StageResult {
  return {
    kind,
    answer: { ok: false, reason: 'unusable', cause: 'unparsed', detail: 'not JSON', calls: [modelCall(kind)] },
  };
}
