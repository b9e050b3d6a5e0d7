import { evictDurableObject, introspectWorkflowInstance } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { noPreflight } from '#core/models/preflight.ts';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { CaseResult } from '#core/evaluation/case.ts';
import { orderUnits } from '#core/evaluation/unit-order.ts';
import { evaluationConfig } from '#core/evaluation/config.ts';
import { createEvaluationOnBasis } from '#core/evaluation/create-on-basis.ts';
import { makeScore } from '#core/scoring/score.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import type { RequestSide } from '#core/units/unit.ts';
import type { DrivenEvaluation } from '#workflows/called-objects.ts';
import { stubWithParts } from '../support/platform/parts.ts';
import { storedText } from '../support/storage.ts';
import { unitPages } from '../support/unit-pages.ts';
import { unique } from '../support/workspace.ts';
import { unlimited } from '../support/unlimited.ts';

const names = ['fruit/apple', 'fruit/pear'];
const model = {
  baseUrl: 'http://127.0.0.1:9/v1',
  model: 'm',
  key: { kind: 'deployment' as const },
  promptPricePerMTok: 0,
  completionPricePerMTok: 0,
};
const unit = (id: string): BenchmarkUnit => ({
  id: `u_${id.padStart(24, '0')}`,
  split: 'public',
  source: 'One thing',
  followUp: 'The same thing',
  chain: names,
  arguments: [],
  facts: [],
  semanticEquivalence: 95,
  parameterSolvability: 95,
  provenance: { exploration: 'exp', unit: 'r0001-u00', round: 1, models: {}, prompts: [], harness: 'h' },
});
const units = [unit('1'), unit('2')];
const tools = names.map((name) => ({
  name,
  server: 'fruit',
  domain: 'fruit',
  category: 'other',
  inputSchema: { type: 'object' },
}));
/** In the order in which lanes take them, under the default seed. */
const [first = '', second = ''] = orderUnits(
  1,
  units.map(({ id }) => id),
);
const limits = { turns: 5, tokens: 1_000, timeMs: 1_000, parallelCalls: true, callsPerTurn: 2, callTimeoutMs: 100 };

/** An evaluation whose workflow was told to do nothing: the test drives it. */
async function drivenByHand(config: Record<string, unknown> = {}) {
  const id = unique('evl');
  const instances = await Promise.all(
    [1, 2, 3].map(async (driver) => {
      const instance = await introspectWorkflowInstance(env.EVALUATION_WORKFLOW, `${id}-${driver}`);
      return instance.modify((m) => m.mockStepResult({ name: 'open' }, { kind: 'stop', why: 'over' }));
    }),
  );
  const stub = env.EVALUATION_RUN.getByName(id);
  const creation = {
    id,
    workspace: unique('ws'),
    config: evaluationConfig.parse({ benchmark: 'bm', ...config }),
    agents: [{ name: 'one', loop: 'function-calling' as const, model, limits }],
    judge: model,
    embedder: model,
    servers: [{ name: 'fruit', url: 'http://127.0.0.1:9/mcp', headers: null, description: null, ...unlimited }],
    offline: true,
    submission: null,
    floorOf: null,
    panel: [],
    rejudges: null,
    preflight: noPreflight,
    at: new Date().toISOString(),
  };
  const basis = { protocol: 'sgvef' as const, tools, units: unitPages(units, 1) };
  await createEvaluationOnBasis(stub, creation, basis);
  await instances[0]?.waitForStatus('complete');
  const run: DrivenEvaluation = stubWithParts(stub);
  return {
    run,
    stub,
    creation,
    stored: () => storedText(stub),
    done: () => Promise.all(instances.map((instance) => instance.dispose())),
  };
}

const paid: ModelCall = {
  role: 'agent',
  model: 'm',
  prompt: 'p@v1',
  promptTokens: 5,
  completionTokens: 1,
  costUsd: 0,
  latencyMs: 1,
  retries: 0,
};

const attempt = (side: RequestSide, finalText = 'done'): CaseResult => ({
  kind: 'attempt',
  side,
  trace: {
    steps: [],
    finalText,
    end: 'answered',
    fault: null,
    turns: 1,
    promptTokens: 5,
    completionTokens: 1,
    costUsd: 0,
    durationMs: 1,
  },
  fault: null,
  calls: [paid],
});
const judgement = (side: RequestSide): CaseResult => ({
  kind: 'judgement',
  side,
  scores: { ar: makeScore(1, {}), uic: makeScore(1, {}), success: makeScore(1, {}) },
  classes: [],
  calls: [paid],
});
const stages = [attempt('source'), attempt('followUp'), judgement('source'), judgement('followUp')];

const caseOf = (id: string): string => `${id}.one.01`;
const turn = (lane: string, turns: number, driver = 1) => ({ driver, lane: `${driver}/${lane}`, turn: turns });

async function finishUnit(run: DrivenEvaluation, driver: number, id: string): Promise<void> {
  for (const [revision, result] of stages.entries()) await run.lanes.commit(driver, caseOf(id), revision, result);
}

describe('repeating a call changes nothing for', () => {
  test('take, commitPlan and commitCase', async () => {
    const { run, stub, stored, done } = await drivenByHand();
    expect(await run.lanes.planShards(1)).toEqual({ kind: 'shards', shards: [{ name: 'shard-1', lanes: 2 }] });
    const taken = await run.lanes.takeCase(turn('a', 1));
    expect(taken).toMatchObject({ kind: 'work', case: { id: caseOf(first), revision: 0 }, plan: null });
    const afterTaking = await stored();
    expect(await run.lanes.takeCase(turn('a', 1))).toEqual(taken);
    expect(await stored()).toBe(afterTaking);
    expect(await run.lanes.takeCase(turn('b', 1))).toMatchObject({ case: { id: caseOf(second) } });
    expect(await run.lanes.takeCase(turn('b', 2))).toEqual({ kind: 'stop', why: 'nothing-left' });

    const plan = { ok: true as const, value: ['one part'] };
    expect(await run.plans.findOrClaim(first, caseOf(first))).toBeNull();
    expect(await run.plans.storeFirst(first, plan, [paid])).toEqual(plan);
    // The first plan counts, and a later one is ignored.
    expect(await run.plans.storeFirst(first, { ok: true, value: ['another'] }, [paid])).toEqual(plan);
    expect(await run.lanes.takeCase(turn('a', 1))).toMatchObject({ kind: 'work', plan, case: { revision: 0 } });

    const { case: next, kept } = await run.lanes.commit(1, caseOf(first), 0, attempt('source'));
    expect(kept).toBe(true);
    const afterAttempt = await stored();
    for (const revision of [0, 9]) {
      // Another attempt for a revision that was committed is passed over: what is judged is what was kept.
      const again = await run.lanes.commit(1, caseOf(first), revision, attempt('source', 'late'));
      expect(again).toEqual({ case: next, kept: false, stop: null, waitMs: 0 });
    }
    expect((await run.lanes.readTrace(caseOf(first), 'source')).finalText).toBe('done');
    expect(await stored()).toBe(afterAttempt);

    await finishUnit(run, 1, first);
    const afterUnit = await stored();
    await finishUnit(run, 1, first);
    expect(await stored()).toBe(afterUnit);

    // What the object knows, it knows from its storage.
    const record = await stub.get();
    await evictDurableObject(stub);
    expect(await stub.get()).toEqual(record);
    expect(record).toMatchObject({
      ok: true,
      value: { progress: { made: 2, unitsDone: 1 }, usage: { calls: 2 }, judgeUsage: { calls: 3 } },
    });
    await done();
  });

  test('the creation of an evaluation, which returns it as it is', async () => {
    const { stub, creation, run, stored, done } = await drivenByHand();
    await run.lanes.commit(1, caseOf(first), 0, attempt('source'));
    const before = await stored();
    const again = await stub.createOnStoredBasis({
      ...creation,
      protocol: 'sgvef',
      id: 'another',
      tools: [],
      units: 0,
      offline: false,
    });
    expect(again).toMatchObject({ id: creation.id, offline: true, progress: { made: 1, units: 2 } });
    expect(await stored()).toBe(before);
    await done();
  });

  test('the end of an evaluation, which comes once', async () => {
    const { run, stored, done } = await drivenByHand();
    for (const id of [first, second]) await finishUnit(run, 1, id);
    const ended = await stored();
    expect(ended).toContain('all attempts were made');
    const over = { kind: 'stop', why: 'over' };
    expect(await run.lanes.planShards(1)).toEqual(over);
    expect(await run.lanes.takeCase(turn('a', 1))).toEqual(over);
    await run.lanes.startNextInstance({ run: 'any', driver: 1, shard: { name: 'shard-1', lanes: 1 }, leg: 2 });
    await run.fail(1, 'too late');
    expect(await stored()).toBe(ended);
    await done();
  });
});

describe('the plan of a unit', () => {
  test('is made by the first case that needs it, while the others wait', async () => {
    const { run, done } = await drivenByHand();
    expect(await run.plans.findOrClaim(first, 'one')).toBeNull();
    // The planner is told again to make it, because a repeated step asks again.
    expect(await run.plans.findOrClaim(first, 'one')).toBeNull();
    const waiting = run.plans.findOrClaim(first, 'two');
    const plan = { ok: true as const, value: ['one part'] };
    await run.plans.storeFirst(first, plan, [paid]);
    expect(await waiting).toEqual(plan);
    expect(await run.plans.findOrClaim(first, 'three')).toEqual(plan);
    await done();
  });
});

describe('a lane for a single case', () => {
  test('takes the case if it waits, and nothing else', async () => {
    const { run, done } = await drivenByHand();
    const only = caseOf(second);
    expect(await run.lanes.takeCase({ ...turn('own', 1), only })).toMatchObject({ case: { id: only } });
    expect(await run.lanes.takeCase({ ...turn('own', 2), only })).toEqual({ kind: 'stop', why: 'nothing-left' });
    expect(await run.lanes.takeCase({ ...turn('late', 1), only })).toEqual({ kind: 'stop', why: 'nothing-left' });
    expect(await run.lanes.takeCase(turn('a', 1))).toMatchObject({ case: { id: caseOf(first) } });
    await done();
  });
});

describe('a driver of an evaluation', () => {
  test('stops when it is superseded: paid results are kept, and its cases are handed out again', async () => {
    const { run, stub, done } = await drivenByHand();
    expect(await run.lanes.takeCase(turn('a', 1))).toMatchObject({ case: { id: caseOf(first) } });
    await stub.wake(true);
    const superseded = { kind: 'stop', why: 'superseded' };
    expect(await run.lanes.planShards(1)).toEqual(superseded);
    expect(await run.lanes.takeCase(turn('a', 1))).toEqual(superseded);
    const brought = await run.lanes.commit(1, caseOf(first), 0, attempt('source'));
    expect(brought).toMatchObject({ case: { revision: 1 }, kept: true, stop: superseded });
    expect(await run.lanes.takeCase(turn('a', 1, 2))).toMatchObject({
      kind: 'work',
      case: { id: caseOf(first), revision: 1, stage: { kind: 'attempt', side: 'followUp' } },
    });
    await run.fail(1, 'I was told to stop');
    expect(await stub.get()).toMatchObject({ value: { status: 'running', progress: { made: 1 } } });
    await done();
  });

  test('may finish running work while paused, but not after cancellation', async () => {
    const { run, stub, stored, done } = await drivenByHand();
    await stub.pause();
    expect((await run.lanes.commit(1, caseOf(first), 0, attempt('source'))).stop).toEqual({
      kind: 'stop',
      why: 'paused',
    });
    expect(await run.lanes.takeCase(turn('a', 1))).toEqual({ kind: 'stop', why: 'paused' });
    await stub.resume();
    expect(await run.lanes.takeCase(turn('a', 1, 2))).toMatchObject({ kind: 'work', case: { revision: 1 } });
    await stub.cancel();
    const cancelled = await stored();
    const over = { kind: 'stop', why: 'over' };
    expect((await run.lanes.commit(2, caseOf(first), 1, attempt('followUp'))).stop).toEqual(over);
    await run.plans.storeFirst(first, { ok: true, value: ['too late'] }, [paid]);
    expect(await stored()).toBe(cancelled);
    await done();
  });
});
