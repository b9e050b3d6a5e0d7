import { scorerKeysOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { EventBody, RunEvent } from '#core/reports/events.ts';
import { transitionSortKey } from '#core/evaluation/agent-transitions.ts';
import {
  agentTransition,
  breakdown,
  exportedAttempt,
  unitResult,
  type UnitResult,
} from '#core/evaluation/breakdown-record.ts';
import { listExportedAttemptsOfCase } from '#core/evaluation/export.ts';
import { comparison, evaluationResults } from '#core/evaluation/record.ts';
import type { Mounting } from '#core/units/mounting/mounting.ts';
import { oracleCaveat } from '#core/units/mounting/mounting-texts.ts';
import { sgvef } from '#core/benchmarks/protocols/sgvef.ts';
import { handleKept } from '#core/scoring/handle-kept.ts';
import { refusal } from '#core/scoring/refusal.ts';
import { unitResultSortKey } from '#core/evaluation/unit-results.ts';
import {
  askedFor,
  caseOf,
  casesOf,
  evaluate,
  evaluateToEnd,
  evaluationOf,
  followEvaluation,
  frozen,
  resultsOf,
  turnsIn,
  withRules,
  type TestBed,
} from '../support/evaluation.ts';
import { modelKey } from '../support/exploration.ts';
import { storedText } from '../support/storage.ts';
import { expectStatus, pageOf, problemOf } from '../support/workspace.ts';
import { tools } from '../support/world.ts';

const unitCount = 3;
const judgeForms = ['attempt-reading', 'back-requests', 'embeddings'];
/** An agent that answers without calling anything. */
const idle = {
  form: 'turn',
  model: 'idle',
  behaviour: { kind: 'content', content: 'I take it that it is done.' },
} as const;
const slowJudge = { form: 'attempt-reading', behaviour: { kind: 'slow', ms: 500 } } as const;

let bed: TestBed;
beforeAll(async () => {
  bed = await frozen(unitCount);
});

const control = ({ workspace }: TestBed, run: string, verb: string) => workspace.post(`/v1/evaluations/${run}/${verb}`);

const textOf = (body: unknown): string => z.string().parse(body);

const typesOf = (events: readonly RunEvent[]): string[] => events.map(({ event }) => event.type);

/** The events of cases and units, one word each. */
const told = (event: EventBody): string[] => {
  if (event.type === 'attempt.ended' || event.type === 'attempt.judged')
    return [`${event.type} ${event.case} ${event.side}`];
  return event.type === 'unit.evaluated' ? [`${event.type} ${event.unit}`] : [];
};

/** The events of a judged case. */
const stagesOf = (id: string): string[] =>
  ['attempt.ended', 'attempt.judged'].flatMap((type) => ['source', 'followUp'].map((side) => `${type} ${id} ${side}`));

/** Waits until nobody asks the model any more. */
async function quiet({ model }: TestBed): Promise<void> {
  for (let before = -1; ;) {
    const now = (await model.asked()).length;
    if (now === before) return;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}

describe('an evaluation', () => {
  test('makes every attempt once, judges it, and reports it in order', async () => {
    const ground = await withRules(bed, idle);
    const { run, events, record, cases, results } = await evaluateToEnd(ground, ['steady', 'idle'], { trials: 2 });
    const attempts = unitCount * 2 * 2 * 2;
    expect(record).toMatchObject({
      status: 'completed',
      reason: 'all attempts were made',
      offline: true,
      progress: { attempts, made: attempts, notEvaluated: 0, relaunched: 0, units: unitCount, unitsDone: unitCount },
      agents: [{ name: 'steady' }, { name: 'idle' }],
    });
    expect(cases).toHaveLength(attempts / 2);
    expect(cases.every(({ stage }) => stage.kind === 'done')).toBe(true);
    const ofSteady = cases.find(({ agent }) => agent === 'steady')?.scores;
    expect(ofSteady?.mtc?.parts).toEqual({ sa: 1, so: 1, pa: 1, fa: 1 });
    expect(ofSteady?.ecg?.parts).toMatchObject({ planning: 1 });

    expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => at + 1));
    const types = typesOf(events);
    expect([types[0], types.at(-1)]).toEqual(['run.created', 'run.ended']);
    expect(new Set(types)).toEqual(
      new Set(['run.created', 'attempt.ended', 'attempt.judged', 'unit.evaluated', 'run.ended']),
    );
    const stages = events.flatMap(({ event }) => told(event));
    for (const { id, unit } of cases) {
      const own = stages.filter((stage) => stage.split(' ')[1] === id);
      expect(own).toEqual(stagesOf(id));
      expect(stages.lastIndexOf(own.at(-1) ?? '')).toBeLessThan(stages.indexOf(`unit.evaluated ${unit}`));
    }
    expect(stages).toHaveLength(attempts * 2 + unitCount);

    const [steady, hasty] = [results('steady'), results('idle')];
    expect(steady).toMatchObject({ units: unitCount, attempts: attempts / 2, notEvaluated: 0 });
    for (const metric of [
      steady.scores.tcs,
      steady.scores.mtc,
      steady.scores.ar,
      steady.scores.uic,
      steady.scores.ecg,
      steady.scores.success,
    ])
      expect(metric).toMatchObject({ n: unitCount, unscored: 0 });
    expect(steady.scores.tcs.mean).toBe(1);
    expect(steady.scores.uic.mean).toBeCloseTo(0.9, 12);
    expect(steady.scores.success.mean).toBe(1);
    // Who calls nothing plans nothing, and has no share of failures.
    expect(hasty.scores.tcs).toMatchObject({ mean: 0, n: unitCount, unscored: 0 });
    expect(hasty.scores.tfd).toMatchObject({ mean: null, n: 0, unscored: unitCount });
    expect(hasty.scores.success.mean).toBe(0);

    const answer = await ground.workspace.get(`/v1/evaluations/${run}/compare?a=steady&b=idle`);
    expect(comparison.parse(expectStatus(answer, 200)).scores.tcs).toMatchObject({
      difference: 1,
      n: unitCount,
      verdict: 'insufficient-data',
    });
  });

  test('asks the judge once per unit for the plan and once per attempt for the rest, and counts the cost', async () => {
    const ground = await withRules(bed);
    const { run, record } = await evaluateToEnd(ground, ['one', 'two']);
    const attempts = unitCount * 2 * 2;
    const asked = await askedFor(ground);
    const turns = await turnsIn(ground, run);
    expect(asked).toEqual({
      turn: turns,
      'sub-intents': unitCount,
      ...Object.fromEntries(judgeForms.map((form) => [form, attempts])),
    });
    expect(record.usage.calls).toBe(turns);
    expect(record.judgeUsage.calls).toBe(unitCount + attempts * judgeForms.length);
    expect(record.usage.costUsd).toBeGreaterThan(0);
    expect(record.judgeUsage.costUsd).toBeGreaterThan(0);
    const models = new Set((await ground.model.asked()).map(({ model, form }) => (form === 'turn' ? model : form)));
    expect([...models].filter((each) => each === 'one' || each === 'two').toSorted()).toEqual(['one', 'two']);
  });

  test('mounts what the mounting says: all servers, those of the chain, or those and others', async () => {
    const offered = async (mounting: Mounting | undefined): Promise<ReadonlySet<number>> => {
      const ground = await withRules(bed);
      await evaluateToEnd(ground, ['one'], { ...(mounting === undefined ? {} : { mounting }), judges: false });
      return new Set((await ground.model.asked()).map(({ functions }) => functions.length));
    };
    expect(await offered({ kind: 'max-scale' })).toEqual(new Set([10]));
    expect(await offered(undefined)).toEqual(new Set([10]));
    expect(Math.min(...(await offered({ kind: 'oracle' })))).toBeLessThan(10);
    expect(Math.max(...(await offered({ kind: 'standard', tools: 8, schemaTokens: 44_000 })))).toBeLessThanOrEqual(8);
  });

  test('compares one model under two mountings, each agent with its own', async () => {
    const ground = await withRules(bed);
    const endpoint = { baseUrl: ground.model.baseUrl, apiKey: modelKey };
    const { run, record } = await evaluateToEnd(ground, ['wide'], {
      agents: [
        { name: 'told', model: 'told', endpoint, mounting: { kind: 'oracle' } },
        { name: 'wide', model: 'wide', endpoint },
      ],
      mounting: { kind: 'max-scale' },
      judges: false,
    });
    expect(record.agents.map(({ name, mounting }) => [name, mounting.kind])).toEqual([
      ['told', 'oracle'],
      ['wide', 'max-scale'],
    ]);
    const asked = await ground.model.asked();
    const offeredTo = (name: string) =>
      asked.filter(({ model }) => model === name).map(({ functions }) => functions.length);
    expect(new Set(offeredTo('wide'))).toEqual(new Set([10]));
    expect(Math.min(...offeredTo('told'))).toBeLessThan(10);
    const { mounted } = evaluationResults.parse(
      expectStatus(await ground.workspace.get(`/v1/evaluations/${run}/results`), 200),
    );
    expect(mounted.map(({ agent, mounting, tools: { least } }) => [agent, mounting.kind, least === 10])).toEqual([
      ['told', 'oracle', false],
      ['wide', 'max-scale', true],
    ]);
    const compared = await ground.workspace.get(`/v1/evaluations/${run}/compare?a=told&b=wide`);
    expect(comparison.parse(expectStatus(compared, 200)).scores.tcs).toMatchObject({ n: unitCount });
    const report = await ground.workspace.get(`/v1/evaluations/${run}/report`);
    expect(expectStatus(report, 200)).toContain(oracleCaveat);
  });

  test('keeps the class of a failed call if a rule decides it', async () => {
    const made = { kind: 'call', name: 'no_such', arguments: '{}' } as const;
    const ground = await withRules(bed, { form: 'turn', times: 1, behaviour: made });
    const { run, cases } = await evaluateToEnd(ground, ['one'], { sample: { units: 1 }, judges: false });
    const { traces } = await caseOf(ground, run, cases[0]?.id ?? '');
    expect(traces.source?.steps[0]).toMatchObject({
      outcome: 'failure',
      failure: { source: 'rule', class: 'invalid-artifact-reference', rule: 'unknown-tool' },
    });
    expect(traces.source?.steps.slice(1).every(({ failure }) => failure === null)).toBe(true);
  });

  test('asks no judge if judges are off, and has no scores from them', async () => {
    const ground = await withRules(bed);
    const { results, record } = await evaluateToEnd(ground, ['one'], { judges: false });
    expect(Object.keys(await askedFor(ground))).toEqual(['turn']);
    expect(record.judgeUsage.calls).toBe(0);
    expect(results('one').scores.tcs).toMatchObject({ mean: 1, n: unitCount });
    for (const metric of [results('one').scores.ar, results('one').scores.uic, results('one').scores.success])
      expect(metric).toMatchObject({ mean: null, n: 0, unscored: unitCount });
  });

  test('uses a seeded sample, and ends when the budget is used up', async () => {
    const ground = await withRules(bed);
    const sampled = await evaluateToEnd(ground, ['one'], { sample: { units: 1, seed: 3 }, judges: false });
    expect(sampled.record.progress).toMatchObject({ attempts: 2, made: 2, units: 1 });
    const { record, events } = await evaluateToEnd(ground, ['one'], {
      budget: { tokens: 1 },
      concurrency: 1,
      judges: false,
    });
    expect(record).toMatchObject({
      status: 'completed',
      reason: 'budget: tokens used up',
      progress: { made: 1, unitsDone: 0, units: unitCount },
    });
    expect(typesOf(events).filter((type) => type === 'run.ended')).toHaveLength(1);
  });

  test('hides the keys of models', async () => {
    const ground = await withRules(bed);
    const { run } = await evaluateToEnd(ground, ['one'], { judges: false });
    expect(await storedText(env.EVALUATION_RUN.getByName(run))).not.toContain(modelKey);
    expect(JSON.stringify(await evaluationOf(ground, run))).not.toContain(modelKey);
    expect((await ground.model.asked()).every(({ authorization }) => authorization === `Bearer ${modelKey}`)).toBe(
      true,
    );
  });
});

describe('the results of an evaluation', () => {
  test('can be read by unit, by group, as a table and as a document', async () => {
    const ground = await withRules(bed, idle);
    const { run, cases, results } = await evaluateToEnd(ground, ['steady', 'idle'], { trials: 2 });
    const get = async (part: string): Promise<unknown> =>
      expectStatus(await ground.workspace.get(`/v1/evaluations/${run}${part}`), 200);
    expect(results('steady')).toMatchObject({
      passes: {
        trials: 2,
        atK: [
          { k: 1, passAtK: { mean: 1 } },
          { k: 2, passHatK: { mean: 1, n: unitCount } },
        ],
      },
      failures: { failedCalls: 0, undecided: 0 },
      relaunched: 0,
      unscoredReasons: {},
    });

    const all = pageOf(unitResult).parse(await get('/results/units'));
    expect(all.items).toHaveLength(unitCount * 2);
    expect(all.nextCursor).toBeNull();
    const read: UnitResult[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { items: UnitResult[]; nextCursor: string | null } = pageOf(unitResult).parse(
        await get(`/results/units?limit=1&cursor=${encodeURIComponent(cursor)}`),
      );
      read.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(read).toEqual(all.items);
    expect(read.map(unitResultSortKey)).toEqual(read.map(unitResultSortKey).toSorted());

    const transitions = pageOf(agentTransition).parse(await get('/results/transitions')).items;
    const [first, ...rest] = transitions;
    const after = await get(`/results/transitions?cursor=${encodeURIComponent(first ? transitionSortKey(first) : '')}`);
    expect(pageOf(agentTransition).parse(after).items).toEqual(rest);
    for (const { agent, executedIn, expectedIn } of transitions) {
      if (agent === 'idle') expect(executedIn).toBe(0);
      else expect(executedIn).toBe(expectedIn);
    }

    for (const by of ['servers', 'domains']) {
      const { items } = breakdown.parse(await get(`/results/${by}`));
      expect(items.length).toBeGreaterThan(0);
      for (const { agents, units } of items) {
        expect(agents.map(({ agent, units: done }) => [agent, done])).toEqual([
          ['steady', units],
          ['idle', units],
        ]);
        expect(agents[0]?.scores.tcs.mean).toBe(1);
        expect(agents[1]?.calls).toBe(0);
      }
    }

    const lines = textOf(await get('/export'))
      .trimEnd()
      .split('\n');
    const attempts = lines.map((line) => exportedAttempt.parse(JSON.parse(line)));
    const mounted = { mounting: 'standard', tools: 10, schemaTokens: attempts[0]?.mounted.schemaTokens ?? 0 };
    expect(mounted.schemaTokens).toBeGreaterThan(100);
    expect(attempts).toEqual(cases.flatMap((each) => listExportedAttemptsOfCase(each, mounted)));
    const rows = textOf(await get('/export?format=csv'))
      .trimEnd()
      .split('\r\n');
    expect(rows).toHaveLength(1 + attempts.length);
    expect(rows[0]).toMatch(/^case,unit,agent,trial,side,mounting,mounted_tools,schema_tokens,/);
    expect(textOf(await get('/report'))).toMatch(/^# Evaluation report[^]*\*\*Offline\.\*\*[^]*\| 1 \| steady \|/);
    expect(problemOf(await ground.workspace.get(`/v1/evaluations/${run}/export?format=xml`))).toEqual([
      400,
      'invalid-request',
    ]);
  });
});

describe('an unusable answer of a judge', () => {
  const unreadable = { form: 'attempt-reading', behaviour: { kind: 'content', content: 'nonsense' } } as const;

  test('to all questions at once is requested once more, and then they are asked one by one', async () => {
    const ground = await withRules(bed, unreadable);
    const { results } = await evaluateToEnd(ground, ['one']);
    const asked = await askedFor(ground);
    const attempts = unitCount * 2;
    expect([asked['attempt-reading'], asked['success'], asked['relevance'], asked['sub-intent-scores']]).toEqual([
      attempts * 2,
      attempts,
      attempts,
      attempts,
    ]);
    expect(results('one').scores.success).toMatchObject({ n: unitCount, unscored: 0 });
  });

  test.each([
    { form: 'relevance', without: ['ar', 'ecg'], behaviour: { kind: 'content', content: 'nonsense' } as const },
    {
      form: 'back-requests',
      without: ['ar', 'ecg'],
      behaviour: { kind: 'content', content: '{"requests":[]}' } as const,
    },
    {
      form: 'sub-intent-scores',
      without: ['uic', 'ecg'],
      behaviour: { kind: 'content', content: '{"scores":[]}' } as const,
    },
    {
      form: 'success',
      without: ['success'],
      behaviour: { kind: 'content', content: '{"success":true}' } as const,
    },
  ])(
    'in $form is requested once more, and then the score is missing, never zero',
    async ({ form, without, behaviour }) => {
      // The judge does not manage the one long form, so that it is asked question by question.
      const ground = await withRules(bed, unreadable, { form, behaviour });
      const { results, cases } = await evaluateToEnd(ground, ['one']);
      const attempts = unitCount * 2;
      expect((await askedFor(ground))[form]).toBe(attempts * 2);
      const one = results('one');
      expect(one).toMatchObject({ name: 'one', attempts, notEvaluated: 0, relaunched: 0 });
      expect([(one.costUsd ?? 0) > 0, (one.tokens ?? 0) > 0]).toEqual([true, true]);
      // The servers return no handles that could be kept, and tools fit all units.
      const expected = scorerKeysOfProtocol(sgvef.key).filter((key) => key !== handleKept.key && key !== refusal.key);
      for (const metric of expected) {
        const summary = one.scores[metric];
        const missing = without.includes(metric);
        expect([metric, summary.n, summary.unscored]).toEqual([
          metric,
          missing ? 0 : unitCount,
          missing ? unitCount : 0,
        ]);
        if (missing) expect(summary.mean).toBeNull();
      }
      const reasons = cases.flatMap(({ attempts: { source, followUp } }) =>
        [source, followUp].flatMap((attempt) =>
          Object.entries(attempt?.scores ?? {}).flatMap(([key, score]) =>
            score.value === null && expected.some((each) => each === key) ? [score.reason] : [],
          ),
        ),
      );
      expect(new Set(reasons)).toEqual(new Set(['judge-unparsed']));
      // ECG is a unit's, and no attempt's.
      const listed = Object.entries(one.unscoredReasons).filter(([key]) => expected.some((each) => each === key));
      expect(Object.fromEntries(listed)).toEqual(
        Object.fromEntries(
          without.filter((metric) => metric !== 'ecg').map((metric) => [metric, { 'judge-unparsed': attempts }]),
        ),
      );
    },
  );

  test('in the plan is requested once more, and then all agents lack coverage', async () => {
    const ground = await withRules(bed, { form: 'sub-intents', behaviour: { kind: 'content', content: '[]' } });
    const { results } = await evaluateToEnd(ground, ['one', 'two']);
    const asked = await askedFor(ground);
    expect(asked['sub-intents']).toBe(unitCount * 2);
    expect([asked['sub-intent-scores'], asked['attempt-reading']]).toEqual([undefined, undefined]);
    for (const name of ['one', 'two']) {
      expect(results(name).scores.uic).toMatchObject({ mean: null, n: 0, unscored: unitCount });
      expect(results(name).scores.ar).toMatchObject({ n: unitCount, unscored: 0 });
    }
  });

  test.each([
    { form: 'attempt-reading', behaviour: { kind: 'refusal' } as const, reason: 'judge-refused' },
    { form: 'attempt-reading', behaviour: { kind: 'status', status: 403 } as const, reason: 'judge-unreachable' },
    { form: 'embeddings', behaviour: { kind: 'status', status: 403 } as const, reason: 'embedder-unreachable' },
  ])('because of $reason is missing with that reason', async ({ form, behaviour, reason }) => {
    const ground = await withRules(bed, { form, behaviour });
    const { cases, results } = await evaluateToEnd(ground, ['one'], { sample: { units: 1 } });
    expect(cases[0]?.attempts.source?.scores.ar).toMatchObject({ value: null, reason });
    expect(results('one').scores.ar).toMatchObject({ mean: null, n: 0, unscored: 1 });
    expect(results('one').scores.uic).toMatchObject({ n: form === 'embeddings' ? 1 : 0 });
  });

  test('is avoided for an attempt without a response, which scores zero without a question', async () => {
    const ground = await withRules(bed, { form: 'turn', behaviour: { kind: 'content', content: '' } });
    const { results } = await evaluateToEnd(ground, ['one'], { sample: { units: 1 } });
    expect(await askedFor(ground)).toEqual({ turn: 2, 'sub-intents': 1 });
    for (const metric of [results('one').scores.ar, results('one').scores.uic, results('one').scores.success])
      expect(metric).toMatchObject({ mean: 0, n: 1 });
  });
});

describe('an infrastructure fault in an evaluation', () => {
  test('of a server that is down has every attempt repeated, and then not evaluated', async () => {
    const ground = await frozen(2, { servers: { fruit: { tools: tools('apple', 'pear', 'plum') } } });
    await ground.servers['fruit']?.close();
    const { record, events, results, cases } = await evaluateToEnd(ground, ['one']);
    expect(record).toMatchObject({
      status: 'failed',
      progress: { attempts: 4, made: 4, notEvaluated: 4, relaunched: 4, unitsDone: 2 },
    });
    expect(typesOf(events).filter((type) => type === 'attempt.relaunched')).toHaveLength(4);
    expect(typesOf(events)).not.toContain('attempt.judged');
    expect(results('one')).toMatchObject({
      attempts: 4,
      notEvaluated: 4,
      scores: {
        tcs: { mean: null, n: 0, unscored: 2 },
        ar: { mean: null, n: 0, unscored: 2 },
        success: { mean: null, n: 0, unscored: 2 },
      },
    });
    expect(cases[0]?.attempts.source).toMatchObject({
      evaluated: false,
      relaunched: true,
      fault: { where: 'server', name: 'fruit' },
    });
  });

  test('that passes leaves the attempt like any other', async () => {
    const ground = await withRules(bed, { form: 'turn', times: 1, behaviour: { kind: 'status', status: 403 } });
    const { record, results, cases, events } = await evaluateToEnd(ground, ['one'], { sample: { units: 1 } });
    expect(record.progress).toMatchObject({ made: 2, notEvaluated: 0, relaunched: 1 });
    expect(cases[0]?.attempts.source).toMatchObject({ evaluated: true, relaunched: true, fault: null });
    expect(results('one')).toMatchObject({ notEvaluated: 0, scores: { tcs: { mean: 1, n: 1, unscored: 0 } } });
    expect(typesOf(events).slice(0, 3)).toEqual(['run.created', 'attempt.relaunched', 'attempt.ended']);
  });
});

describe('the control of an evaluation', () => {
  test('keeps finished work while it is paused, and then continues without asking anything twice', async () => {
    const ground = await withRules(bed, slowJudge);
    const run = await evaluate(ground, ['one', 'two'], { concurrency: 2 });
    await followEvaluation(ground, run, ({ event }) => event.type === 'attempt.ended');
    expect((await control(ground, run, 'pause')).body).toMatchObject({ status: 'paused' });
    expect((await control(ground, run, 'pause')).status).toBe(200);
    await quiet(ground);
    const { progress } = await evaluationOf(ground, run);
    expect(progress.made).toBeLessThan(progress.attempts);
    expect((await control(ground, run, 'resume')).body).toMatchObject({ status: 'running' });
    expect((await control(ground, run, 'resume')).status).toBe(200);

    const events = await followEvaluation(ground, run);
    const attempts = unitCount * 2 * 2;
    const record = await evaluationOf(ground, run);
    expect(record).toMatchObject({ status: 'completed', progress: { made: attempts, unitsDone: unitCount } });
    expect(typesOf(events).filter((type) => type === 'run.paused' || type === 'run.resumed')).toEqual([
      'run.paused',
      'run.resumed',
    ]);
    const stages = events.flatMap(({ event }) => told(event));
    expect(new Set(stages).size).toBe(stages.length);
    expect(await askedFor(ground)).toEqual({
      turn: await turnsIn(ground, run),
      'sub-intents': unitCount,
      ...Object.fromEntries(judgeForms.map((form) => [form, attempts])),
    });
  });

  test('ends it when it is cancelled: late results do not count, finished ones do', async () => {
    const ground = await withRules(bed, slowJudge);
    const run = await evaluate(ground, ['one'], { concurrency: 1 });
    await followEvaluation(ground, run, ({ event }) => event.type === 'unit.evaluated');
    expect((await control(ground, run, 'cancel')).body).toMatchObject({
      status: 'cancelled',
      reason: 'cancelled by its owner',
    });
    expect((await control(ground, run, 'cancel')).status).toBe(200);
    const events = await followEvaluation(ground, run);
    expect(events.at(-1)?.event).toMatchObject({ type: 'run.ended', status: 'cancelled' });
    await quiet(ground);
    expect(await followEvaluation(ground, run)).toEqual(events);
    expect((await resultsOf(ground, run))('one')).toMatchObject({ units: 1, attempts: 2, scores: { tcs: { n: 1 } } });
    for (const verb of ['pause', 'resume'])
      expect(problemOf(await control(ground, run, verb))).toEqual([409, 'wrong-state']);
  });

  test('repeats no finished attempt with a second driver, and counts nothing twice', async () => {
    const ground = await withRules(bed, slowJudge);
    const run = await evaluate(ground, ['one'], { sample: { units: 1 } });
    // The first driver waits for the judge of the source request; the second finds both attempts made.
    await followEvaluation(ground, run, ({ event }) => event.type === 'attempt.ended' && event.side === 'followUp');
    await vi.waitFor(async () => expect((await askedFor(ground))['sub-intents']).toBe(1));
    await env.EVALUATION_RUN.getByName(run).wake(true);
    const events = await followEvaluation(ground, run);
    const stages = events.flatMap(({ event }) => told(event));
    const [id = ''] = (await casesOf(ground, run)).map((each) => each.id);
    const { unit } = (await caseOf(ground, run, id)).case;
    expect(stages).toEqual([...stagesOf(id), `unit.evaluated ${unit}`]);
    expect(events.flatMap(({ event }) => (event.type === 'run.driven' ? [event.driver] : []))).toEqual([2]);
    expect(await evaluationOf(ground, run)).toMatchObject({
      status: 'completed',
      progress: { attempts: 2, made: 2, unitsDone: 1 },
    });
    const asked = await askedFor(ground);
    expect(asked).toMatchObject({ turn: await turnsIn(ground, run), 'sub-intents': 1 });
    // Only the question that was under way was asked again.
    expect(asked['attempt-reading']).toBe(3);
  });
});
