import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { evaluationResults } from '#core/evaluation/record.ts';
import {
  casesOf,
  evaluate,
  evaluateToEnd,
  evaluationBody,
  evaluationOf,
  followEvaluation,
  frozen,
  withRules,
  type TestBed,
} from '../support/evaluation.ts';
import { expectStatus, problemOf } from '../support/workspace.ts';

const unitCount = 28;
/** Calls nothing, so it achieves nothing. */
const idle = {
  form: 'turn',
  model: 'idle',
  behaviour: { kind: 'content', content: 'I take it that it is done.' },
} as const;
const stop = { kind: 'decided' } as const;

let bed: TestBed;
beforeAll(async () => {
  bed = await withRules(await frozen(unitCount), idle);
}, 240_000);

const drawsOf = (run: string) =>
  runInDurableObject(env.EVALUATION_RUN.getByName(run), (_object, { storage }) =>
    storage.sql.exec('SELECT * FROM draws WHERE batch IS NOT NULL ORDER BY place').toArray(),
  );

describe('an evaluation that ends once its agents are told apart', () => {
  test('finds the better of two early, makes no attempts at the other units, and says what is known of all', async () => {
    const { run, record, events } = await evaluateToEnd(bed, ['idle', 'steady'], { stop });
    expect(record).toMatchObject({
      status: 'completed',
      reason: expect.stringMatching(/^steady is better than idle, after \d+ of 28 units, error at most 5%$/),
      decision: { isDecided: true, best: 'steady', of: unitCount },
    });
    const units = record.decision?.units ?? unitCount;
    expect(units).toBeLessThan(unitCount);
    expect(record.progress).toMatchObject({ made: units * 4, unitsDone: units, attempts: unitCount * 4 });
    expect((await casesOf(bed, run)).filter(({ stage }) => stage.kind === 'done')).toHaveLength(2 * units);

    const answer = await bed.workspace.get(`/v1/evaluations/${run}/results`);
    const { decision } = evaluationResults.parse(expectStatus(answer, 200));
    expect(decision).toEqual(record.decision);
    expect(decision?.means).toMatchObject([
      { agent: 'idle', units, unscored: 0 },
      { agent: 'steady', units, unscored: 0 },
    ]);
    const looked = await bed.workspace.get(`/v1/evaluations/${run}/compare-anytime?a=idle&b=steady`);
    expect(problemOf(looked)).toEqual([409, 'wrong-state']);
    const drawn = events.flatMap(({ event }) => (event.type === 'units.drawn' ? [event] : []));
    expect(drawn.map(({ batch }) => batch)).toEqual(drawn.map((_, place) => place + 1));
    expect(drawn.reduce((sum, each) => sum + each.units, 0)).toBe(units);
    expect(drawn.at(-1)?.decision).toEqual(record.decision);
  });

  test('continues after an eviction with the units that it has drawn, and draws each once', async () => {
    const run = await evaluate(bed, ['idle', 'steady'], { stop });
    await followEvaluation(bed, run, ({ event }) => event.type === 'unit.evaluated');
    const before = await drawsOf(run);
    await evictDurableObject(env.EVALUATION_RUN.getByName(run));
    const events = await followEvaluation(bed, run);
    const after = await drawsOf(run);
    expect(before.length).toBeGreaterThan(0);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.map(({ place }) => place)).toEqual(after.map((_, place) => place));
    expect((await evaluationOf(bed, run)).decision).toMatchObject({ best: 'steady', units: after.length });
    const drawn = events.flatMap(({ event }) => (event.type === 'units.drawn' ? [event.units] : []));
    expect(drawn.reduce((sum, each) => sum + each, 0)).toBe(after.length);
  });

  test('needs two agents that are compared, whose attempts are not made yet', async () => {
    for (const agents of [['steady'], []]) {
      const body = evaluationBody(bed, agents, { stop });
      const refused = await bed.workspace.post('/v1/evaluations', {
        ...body,
        agents: [...body.agents, { name: 'none', loop: 'null', policy: 'call-nothing' }],
      });
      expect(problemOf(refused)).toEqual([400, 'invalid-request']);
      expect(JSON.stringify(refused.body)).toContain('only two agents or more can be told apart');
    }
  });
});
