import { describe, expect, it } from 'vitest';

import type { Tool } from '#core/catalog/tool.ts';
import type { Pair } from '#core/units/answers.ts';
import { unitAfterStageOrThrow, unitAfterDecision, type StageResult } from '#core/units/progress.ts';
import type { QualityAnswer } from '#core/units/task-record.ts';
import { findPoorGradesOfCurrentWording } from '#core/units/task-stages.ts';
import { unit as unitSchema, type Unit } from '#core/units/unit.ts';
import {
  after,
  allTools,
  audited,
  begun,
  decision,
  executed,
  hotels,
  modelCall,
  paired,
  refined,
  rules,
  written,
  searched,
  places,
} from './units.ts';

const task = (usesAllServers = true): Unit => begun({ task: { usesAllServers }, relation: 'unit-conversion' });

const graded = (solvability: number, utility: number, changes: Partial<QualityAnswer> = {}): StageResult => ({
  kind: 'quality',
  answer: {
    ok: true,
    value: {
      solvabilityReason: 'a value is missing',
      solvability,
      utilityReason: 'nobody asks this',
      utility,
      suggestions: [],
      ...changes,
    },
    calls: [modelCall('task-quality@v1')],
  },
});

const fuzzy = (request: string): StageResult => ({
  kind: 'fuzzy',
  answer: { ok: true, value: { request }, calls: [modelCall('fuzzy-request@v1')] },
});

const wholeChain = [places.name, hotels.name];
const overBoth: Partial<Pair> = {
  source: 'Find the Old Town Hall and 3 beds for "two nights" near it.',
  followUp: 'Where is the Old Town Hall, and which 3 beds are there for "two nights"?',
  chain: wholeChain,
};
const good = 'I am off to see the Old Town Hall and have to sleep somewhere close for "two nights", 3 of us.';
const toGrades = [written(), searched(), paired(overBoth), audited(95)];

describe('a unit that becomes a task', () => {
  it('is graded after its audit, then made fuzzy, and both of its requests are executed', () => {
    const graded1 = after(task(), [...toGrades, graded(9, 5)]);
    expect(graded1.stage).toEqual({ kind: 'fuzzy' });
    const worded = after(graded1, [fuzzy(good)]);
    expect(worded.stage).toEqual({ kind: 'execution', side: 'source' });
    expect(worded.pair).toMatchObject({ source: overBoth.source, followUp: good, chain: wholeChain });
    const calls = wholeChain.map((tool) => ({ tool }));
    const done = after(worded, [executed('source', calls), executed('followUp', calls)]);
    expect(done.stage).toMatchObject({ kind: 'done', status: 'accepted' });
    expect(done.prompts).toEqual(['fact-query@v1', 'task-quality@v1', 'fuzzy-request@v1']);
  });

  it('asks its writer for a paraphrase, whatever relation was drawn', () => {
    expect(task().relation?.asked).toBe('paraphrase');
  });

  it('is reworded once with the reasons if it is graded below 9 or 5, audited again, and graded again', () => {
    for (const poor of [graded(8, 10), graded(10, 4)]) {
      const open = after(task(), [...toGrades, poor]);
      expect(open.stage).toEqual({ kind: 'refinement' });
      expect(findPoorGradesOfCurrentWording(open)).toMatchObject({ utilityReason: 'nobody asks this' });
      const again = after(open, [refined(overBoth), audited(95)]);
      expect(again.stage).toEqual({ kind: 'quality' });
      // The grades were of the earlier wording.
      expect(findPoorGradesOfCurrentWording(again)).toBeNull();
      expect(after(again, [graded(9, 9)]).stage).toEqual({ kind: 'fuzzy' });
    }
  });

  it('is rejected with the grades and the reason if the second wording is no better', () => {
    const poor = [...toGrades, graded(4, 9), refined(overBoth), audited(95)];
    expect(after(task(), [...poor, graded(8, 9)]).stage).toMatchObject({
      status: 'rejected',
      reason: 'as a task, solvability 8 (9 is needed) and utility 9 (5 is needed): a value is missing',
    });
    expect(after(task(), [...poor, graded(9, 2)]).stage).toMatchObject({
      status: 'rejected',
      reason: expect.stringContaining('nobody asks this'),
    });
  });

  it('is rejected at once in a run without refinements', () => {
    expect(after(task(), [...toGrades, graded(8, 8)], { maxRefinements: 0 }).stage).toMatchObject({
      status: 'rejected',
    });
  });

  it.each([
    ['a number', good.replace('3 of us', 'all of us'), 'it lacks 3'],
    ['a quotation', good.replace('"two nights"', 'a while'), 'it lacks two nights'],
    ['the words of an argument', good.replace('the Old Town Hall', 'that hall'), 'is not in followUp'],
    ['silence about a tool', `${good} Use maps/find_place.`, 'names the tool maps/find_place'],
    ['silence about a server', `${good} The beds server knows.`, 'it names the server beds'],
    ['other words than the concrete one', overBoth.source ?? '', 'the same text'],
  ])('whose fuzzy wording lacks %s gets another one, and is rejected if that one lacks it too', (_, request, flaw) => {
    const ready = after(task(), [...toGrades, graded(9, 9)]);
    const once = after(ready, [fuzzy(request)]);
    expect(once.stage).toEqual({ kind: 'fuzzy' });
    expect(once.pair?.followUp).toBe(overBoth.followUp);
    expect(once.task?.rejectedFuzzy[0]?.flaws.join()).toContain(flaw);
    expect(after(once, [fuzzy(good)]).stage).toEqual({ kind: 'execution', side: 'source' });
    expect(after(once, [fuzzy(request)]).stage).toMatchObject({
      status: 'rejected',
      reason: expect.stringContaining('no usable fuzzy wording: '),
    });
  });

  it('says in its fuzzy wording each value in the words of the concrete one', () => {
    const chain = wholeChain;
    const origins = chain.map((_, place) => ({
      step: place + 1,
      argument: 'query',
      source: { kind: 'spans' as const, source: 'the Old Town Hall', followUp: 'the old town hall' },
    }));
    const ready = after(task(), [
      written(),
      searched(),
      paired({ ...overBoth, arguments: origins }),
      audited(95),
      graded(9, 9),
    ]);
    expect(after(ready, [fuzzy(good)]).pair?.arguments.map(({ source }) => source)).toEqual(
      chain.map(() => ({ kind: 'span', text: 'the Old Town Hall' })),
    );
  });

  it('is written for other candidates if its chain leaves out a server of a walked chain', () => {
    const draws = [allTools, [places, hotels]].map((tools) => ({
      tools: tools.map(({ name }: Tool) => name),
      known: [],
    }));
    const alone = after(begun({ task: { usesAllServers: true }, draws }), [written(), searched(), paired()]);
    expect(alone).toMatchObject({ stage: { kind: 'scenario' }, drawn: 2, pair: null });
    expect(after(alone, [written(), searched(), paired()]).stage).toMatchObject({
      status: 'lost',
      reason: 'no task for any candidate set: the chain leaves out beds',
    });
    expect(after(task(false), [written(), searched(), paired()]).stage).toEqual({ kind: 'audit' });
  });

  it('is graded after a person approved it', () => {
    const open = after(task(), [written(), searched(), paired(overBoth), audited(85)]);
    expect(open.stage).toMatchObject({ status: 'review' });
    const approved = unitAfterDecision(open, decision({ decision: 'approve' }));
    expect(approved.stage).toEqual({ kind: 'quality' });
    expect(after(approved, [graded(9, 9)]).stage).toEqual({ kind: 'fuzzy' });
  });

  it('keeps its wording if its execution carried out only some steps', () => {
    const done = after(task(), [
      ...toGrades,
      graded(9, 9),
      fuzzy(good),
      executed('source', [{ tool: places.name }]),
      executed('followUp', [{ tool: places.name }]),
    ]);
    expect(done.stage).toMatchObject({ status: 'accepted' });
    expect(done.pair?.followUp).toBe(good);
  });
});

describe('a unit that stays a pair', () => {
  it('is executed right after its audit', () => {
    expect(after(begun(), [written(), searched(), paired(), audited(95)]).stage).toEqual({
      kind: 'execution',
      side: 'source',
    });
    expect(() =>
      unitAfterStageOrThrow({ ...begun(), stage: { kind: 'quality' } }, graded(9, 9), allTools, rules()),
    ).toThrow('is no task');
  });

  it('is read from the records of earlier releases, which do not speak of tasks', () => {
    const { task: _, ...stored } = begun();
    expect(unitSchema.parse(stored).task).toBeNull();
  });
});
