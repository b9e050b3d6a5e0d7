import { describe, expect, test } from 'vitest';
import { listToolsForPrompt } from '#core/units/listed-tools.ts';
import { isNegativeUnit, auditAnswerFromNegative, pairAnswerFromNegative } from '#core/units/negative.ts';
import { outcomeOfFinishedUnit } from '#core/exploration/outcome-of-unit.ts';
import { unitAfterDecision, type StageResult } from '#core/units/progress.ts';
import { unit as unitSchema, type Unit } from '#core/units/unit.ts';
import { isEveryStepProven } from '#core/units/witness.ts';
import { after, audited, begun, decision, executed, hotels, places, route } from './units.ts';

const draw = (tool: string) => ({ tools: [tool], known: [], negative: true as const });
const negative = (): Unit => begun({ draws: [draw(places.name), draw(hotels.name)] });

const wording = {
  source: 'Carve the Old Town Hall into my bench.',
  followUp: 'My bench needs the Old Town Hall cut into it.',
};
const written = (pair: typeof wording | null = wording, tool = places.name): StageResult => ({
  kind: 'pair',
  answer: {
    ok: true,
    calls: [],
    value: pairAnswerFromNegative(tool, { why: 'nothing carves', pair, relation: 'paraphrase' }),
  },
});
const nothing = [executed('source', []), executed('followUp', [])];

describe('a negative unit', () => {
  test('is written without a scenario, has no chain, and is accepted when the agent calls nothing', () => {
    expect(negative().stage).toEqual({ kind: 'pair' });
    const unit = after(negative(), [written(), audited(95), ...nothing]);
    expect(unit.pair).toEqual({ ...wording, chain: [], arguments: [], facts: [], looksLike: places.name });
    expect(unit.stage).toEqual({
      kind: 'done',
      status: 'accepted',
      reason: 'both requests were executed; no tool fits them, and 0 of 2 attempts called one',
    });
    expect(isNegativeUnit(unit)).toBe(true);
    expect(unit.witness).toBeNull();
    expect(unitSchema.parse(unit)).toEqual(unit);
  });

  test('is accepted too when the agent calls tools, failing or not: that is what it is to find', () => {
    const unit = after(negative(), [
      written(),
      audited(95),
      executed('source', [{ tool: places.name }]),
      executed('followUp', [{ tool: route.name, error: 'no such place' }]),
    ]);
    expect(unit.stage).toMatchObject({ status: 'accepted', reason: expect.stringContaining('2 of 2 attempts') });
    expect(unit.earlierExecution).toBeNull();
  });

  test('teaches the exploration nothing: neither draws nor calls nor transitions', () => {
    const unit = after(negative(), [
      written(),
      audited(95),
      executed('source', [{ tool: places.name }, { tool: route.name }]),
      executed('followUp', [{ tool: places.name }]),
    ]);
    expect(outcomeOfFinishedUnit(unit)).toEqual({
      unit: unit.id,
      probe: false,
      status: 'accepted',
      draws: [],
      chain: [],
      traces: [],
      valuePassed: [],
      faults: [],
    });
  });

  test('is rejected, not reworded, if its critic finds a tool that serves it', () => {
    const unit = after(negative(), [written(), audited(60)]);
    expect(unit.stage).toEqual({ kind: 'done', status: 'rejected', reason: 'audited at 60 after 0 refinements' });
  });

  test('waits for a person between the two thresholds, who may approve it', () => {
    const unit = after(negative(), [written(), audited(85)]);
    expect(unit.stage).toMatchObject({ kind: 'done', status: 'review' });
    expect(unitAfterDecision(unit, decision({ decision: 'approve' })).stage).toEqual({
      kind: 'execution',
      side: 'source',
    });
  });

  test('is rejected if a request names the tool that it looks like', () => {
    const named = { ...wording, source: `Without ${places.name}, carve the Old Town Hall into my bench.` };
    const unit = after(negative(), [written(named), audited(95)]);
    expect(unit.stage).toMatchObject({ status: 'rejected', reason: expect.stringContaining(places.name) });
  });

  test('is written from the next tool if nothing looks like the first, and is lost after the last', () => {
    const next = after(negative(), [written(null)]);
    expect(next).toMatchObject({ drawn: 2, stage: { kind: 'pair' }, pair: null });
    expect(after(next, [written(null)]).stage).toMatchObject({ kind: 'done', status: 'lost' });
  });
});

test('the certainty of a critic that nothing serves takes the place of solvability', () => {
  expect(auditAnswerFromNegative({ issues: [], suggestions: [], semanticEquivalence: 90, unserved: 70 })).toMatchObject(
    { semanticEquivalence: 90, parameterSolvability: 70, facts: [] },
  );
});

test('a negative unit has nothing to prove; another one without a chain is not proven', () => {
  expect(isEveryStepProven({ chain: [], looksLike: places.name })).toBe(true);
  expect(isEveryStepProven({ chain: [] })).toBe(false);
});

describe('the tools of a catalog in a prompt', () => {
  test('have their names, descriptions and arguments, without schemas', () => {
    expect(
      listToolsForPrompt([
        { ...places, description: 'Finds places' },
        { ...route, title: 'Ways' },
      ]),
    ).toEqual([
      { name: places.name, description: 'Finds places', arguments: ['query'] },
      { name: route.name, description: 'Ways', arguments: ['query'] },
    ]);
  });

  test('share the room for descriptions evenly, and a cut one says so', () => {
    const many = Array.from({ length: 400 }, (_, at) => ({
      ...places,
      name: `maps/t${at}`,
      description: 'x'.repeat(9_000),
    }));
    const listed = listToolsForPrompt(many);
    expect(listed.reduce((sum, { description }) => sum + description.length, 0)).toBe(80_000);
    expect(listed.every(({ description }) => description.endsWith('[cut]'))).toBe(true);
    expect(listToolsForPrompt(many.slice(0, 1))[0]?.description).toHaveLength(9_000);
  });
});
