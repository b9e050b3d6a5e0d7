import { evictDurableObject, introspectWorkflow, introspectWorkflowInstance } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { noPreflight } from '#core/models/preflight.ts';
import { explorationConfig } from '#core/exploration/config.ts';
import type { StageResult } from '#core/units/progress.ts';
import type { Unit } from '#core/units/unit.ts';
import type { DrivenRun } from '#workflows/called-objects.ts';
import { stubWithParts } from '../support/platform/parts.ts';
import { explore, follow, prepare, recordOf } from '../support/exploration.ts';
import { storedText } from '../support/storage.ts';
import { makeStep, makeTrace } from '../support/traces.ts';
import { unique } from '../support/workspace.ts';
import { unlimited } from '../support/unlimited.ts';

afterEach(() => vi.restoreAllMocks());

const names = ['fruit/apple', 'fruit/pear', 'fruit/plum'];
const model = {
  baseUrl: 'http://127.0.0.1:9/v1',
  model: 'm',
  key: { kind: 'deployment' as const },
  promptPricePerMTok: 0,
  completionPricePerMTok: 0,
};

/** A run whose workflow was told to do nothing: the test drives it. */
async function drivenByHand(config: Record<string, unknown> = {}, tools: readonly string[] = names) {
  const id = unique('exp');
  const instances = await Promise.all(
    [1, 2, 3].map(async (driver) => {
      const instance = await introspectWorkflowInstance(env.EXPLORATION_WORKFLOW, `${id}-${driver}`);
      return instance.modify((m) => m.mockStepResult({ name: 'turn 1: open round' }, { kind: 'stop', why: 'over' }));
    }),
  );
  const stub = env.EXPLORATION_RUN.getByName(id);
  await stub.create({
    id,
    workspace: unique('ws'),
    config: explorationConfig.parse({ catalog: 'cat', batch: 1, budget: { rounds: 2 }, ...config }),
    models: { writer: model, critic: model, agent: model },
    servers: [{ name: 'fruit', url: 'http://127.0.0.1:9/mcp', headers: null, description: null, ...unlimited }],
    knowledge: null,
    surveys: [],
    tools: tools.map((name) => ({
      name,
      server: 'fruit',
      domain: 'fruit',
      category: 'other',
      inputSchema: { type: 'object' },
    })),
    offline: true,
    preflight: noPreflight,
    at: '2026-01-01T00:00:00.000Z',
  });
  await instances[0]?.waitForStatus('complete');
  const run: DrivenRun = stubWithParts(stub);
  return {
    id,
    run,
    stub,
    stored: () => storedText(stub),
    done: () => Promise.all(instances.map((instance) => instance.dispose())),
  };
}

const paid = {
  role: 'writer',
  model: 'm',
  prompt: 'p@v1',
  promptTokens: 5,
  completionTokens: 1,
  costUsd: 0,
  latencyMs: 1,
  retries: 0,
} as const;

const goodTask = { solvabilityReason: '', solvability: 10, utilityReason: '', utility: 8, suggestions: [] };

/** What the stage of a unit could come to. */
function resultFor(unit: Unit): StageResult {
  const calls = [paid];
  const pair = { source: 'One thing', followUp: 'The same thing', chain: names.slice(0, 2), arguments: [], facts: [] };
  switch (unit.stage.kind) {
    case 'scenario':
    case 'variant':
      return {
        kind: unit.stage.kind,
        answer: {
          ok: true,
          value: { scenario: { flow: [], request: 'r', factQuery: 'q' }, unwritable: [], why: '' },
          calls,
        },
      };
    case 'grounding':
      return { kind: 'grounding', found: { ok: true, value: [], calls: [] } };
    case 'pair':
      return { kind: 'pair', answer: { ok: true, value: { pair, relation: 'paraphrase', why: '' }, calls } };
    case 'audit':
      return {
        kind: 'audit',
        answer: {
          ok: true,
          value: { semanticEquivalence: 99, parameterSolvability: 99, issues: [], suggestions: [], facts: [] },
          calls,
        },
      };
    case 'quality':
      return { kind: 'quality', answer: { ok: true, value: goodTask, calls } };
    case 'fuzzy':
      return { kind: 'fuzzy', answer: { ok: true, value: { request: 'Whatever gets that one thing done' }, calls } };
    case 'execution': {
      const trace = makeTrace((unit.pair?.chain ?? []).map((tool) => makeStep(tool)));
      return { kind: 'execution', side: unit.stage.side, trace, fault: null, calls };
    }
    case 'catalog-pair':
    case 'refinement':
    case 'waiting':
    case 'distinct':
    case 'done':
      throw new Error(`nothing to do at ${unit.stage.kind}`);
  }
}

async function finishUnit(run: DrivenRun, driver: number, id: string): Promise<string> {
  let work = await run.rounds.takeUnitWork(driver, id);
  while (work.kind === 'work')
    work = await run.rounds.commitStage(driver, id, work.unit.revision, resultFor(work.unit));
  return work.why;
}

async function openedUnits(run: DrivenRun, driver: number): Promise<{ round: number; units: readonly string[] }> {
  const opened = await run.rounds.openRound(driver);
  if (opened.kind === 'stop') throw new Error(opened.why);
  return { round: opened.round, units: opened.shards.flatMap(({ units }) => units) };
}

describe('repeating a call changes nothing for', () => {
  test('openRound, commitStage and commitRound', async () => {
    const { run, stored, done, stub } = await drivenByHand();
    const opened = await run.rounds.openRound(1);
    const afterOpening = await stored();
    expect(await run.rounds.openRound(1)).toEqual(opened);
    expect(await stored()).toBe(afterOpening);

    const { round, units } = await openedUnits(run, 1);
    const [id = ''] = units;
    const work = await run.rounds.takeUnitWork(1, id);
    if (work.kind === 'stop') throw new Error(work.why);
    const next = await run.rounds.commitStage(1, id, 0, resultFor(work.unit));
    const afterStage = await stored();
    expect(await run.rounds.commitStage(1, id, 0, resultFor(work.unit))).toEqual(next);
    // Another result for a revision that was committed is passed over, and so is one from the future.
    const late: StageResult = {
      kind: 'scenario',
      answer: { ok: true, value: { scenario: null, unwritable: [], why: 'late' }, calls: [paid, paid] },
    };
    expect(await run.rounds.commitStage(1, id, 0, late)).toEqual(next);
    expect(await run.rounds.commitStage(1, id, 9, late)).toEqual(next);
    expect(await stored()).toBe(afterStage);

    for (const unit of units) expect(await finishUnit(run, 1, unit)).toBe('nothing-left');
    expect(await run.rounds.commitRound(1, round)).toEqual({ kind: 'next' });
    const afterRound = await stored();
    expect(await run.rounds.commitRound(1, round)).toEqual({ kind: 'next' });
    for (const unit of units) expect(await finishUnit(run, 1, unit)).toBe('nothing-left');
    expect(await stored()).toBe(afterRound);

    // What the object knows, it knows from its storage.
    const record = await stub.get();
    await evictDurableObject(stub);
    expect(await stub.get()).toEqual(record);
    expect(record).toMatchObject({
      ok: true,
      value: { rounds: 1, units: { accepted: 1, probes: 1 }, usage: { calls: 10 } },
    });
    await done();
  });

  test('a round that is drawn after a restart, with the memory of earlier trials', async () => {
    const many = [...names, ...Array.from({ length: 17 }, (_, i) => `fruit/f${i}`)];
    const thirdRound = async (restarts: boolean): Promise<Unit['draws'][]> => {
      const { run, stub, done } = await drivenByHand({ seed: 5, batch: 3, budget: { rounds: 3 } }, many);
      for (const _ of [1, 2]) {
        const { round, units } = await openedUnits(run, 1);
        for (const unit of units) await finishUnit(run, 1, unit);
        await run.rounds.commitRound(1, round);
        if (restarts) await evictDurableObject(stub);
      }
      const { units } = await openedUnits(run, 1);
      const draws: Unit['draws'][] = [];
      for (const unit of units) {
        const work = await run.rounds.takeUnitWork(1, unit);
        if (work.kind === 'work') draws.push(work.unit.draws);
      }
      await stub.cancel();
      await done();
      return draws;
    };
    const drawn = await thirdRound(false);
    expect(drawn).toHaveLength(4);
    expect(await thirdRound(true)).toEqual(drawn);
  });

  test('the last commit, which ends the run once', async () => {
    const { run, stored, done } = await drivenByHand({ budget: { rounds: 1 } });
    const { round, units } = await openedUnits(run, 1);
    for (const unit of units) await finishUnit(run, 1, unit);
    expect(await run.rounds.commitRound(1, round)).toEqual({ kind: 'stop', why: 'over' });
    const ended = await stored();
    expect(await run.rounds.commitRound(1, round)).toEqual({ kind: 'stop', why: 'over' });
    expect(await run.rounds.openRound(1)).toEqual({ kind: 'stop', why: 'over' });
    await run.fail(1, 'too late');
    await run.rounds.startInstanceIfRoundIsDone(1, round);
    expect(await stored()).toBe(ended);
    await done();
  });

  test('the creation of a run, which returns it as it is', async () => {
    const { run, stub, stored, done } = await drivenByHand();
    await run.rounds.openRound(1);
    const before = await stored();
    const { value } = await stub.get().then((got) => (got.ok ? got : { value: null }));
    expect(value?.status).toBe('running');
    const again = await stub.create({
      id: 'another',
      workspace: 'another',
      config: explorationConfig.parse({ catalog: 'other', batch: 50 }),
      models: { writer: model, critic: model, agent: model },
      servers: [],
      knowledge: null,
      surveys: [],
      tools: [],
      offline: false,
      preflight: noPreflight,
      at: '2027-01-01T00:00:00.000Z',
    });
    expect(again).toEqual(value);
    expect(await stored()).toBe(before);
    await done();
  });
});

describe('a driver of an exploration', () => {
  test('stops when it is superseded, and paid results are kept', async () => {
    const { run, stub, done } = await drivenByHand();
    const { round, units } = await openedUnits(run, 1);
    const [id = ''] = units;
    const work = await run.rounds.takeUnitWork(1, id);
    if (work.kind === 'stop') throw new Error(work.why);
    await stub.wake(true);
    const superseded = { kind: 'stop', why: 'superseded' };
    expect(await run.rounds.openRound(1)).toEqual(superseded);
    expect(await run.rounds.takeUnitWork(1, id)).toEqual(superseded);
    expect(await run.rounds.commitStage(1, id, work.unit.revision, resultFor(work.unit))).toEqual(superseded);
    expect(await run.rounds.takeUnitWork(2, id)).toMatchObject({ kind: 'work', unit: { revision: 1 } });
    expect(await run.rounds.commitRound(1, round)).toEqual(superseded);
    await run.fail(1, 'I was told to stop');
    expect((await openedUnits(run, 2)).units).toEqual(units);
    await done();
  });

  test('may finish running work while paused, but not after cancellation', async () => {
    const { run, stub, stored, done } = await drivenByHand();
    const [id = ''] = (await openedUnits(run, 1)).units;
    const work = await run.rounds.takeUnitWork(1, id);
    if (work.kind === 'stop') throw new Error(work.why);
    await stub.pause();
    expect(await run.rounds.commitStage(1, id, 0, resultFor(work.unit))).toEqual({ kind: 'stop', why: 'paused' });
    expect(await run.rounds.openRound(1)).toEqual({ kind: 'stop', why: 'paused' });
    await stub.resume();
    const next = await run.rounds.takeUnitWork(2, id);
    expect(next).toMatchObject({ kind: 'work', unit: { revision: 1 } });
    await stub.cancel();
    const cancelled = await stored();
    expect(
      await run.rounds.commitStage(2, id, 1, { kind: 'grounding', found: { ok: true, value: [], calls: [] } }),
    ).toEqual({
      kind: 'stop',
      why: 'over',
    });
    expect(await stored()).toBe(cancelled);
    await done();
  });

  test('has a late answer for a whole group ignored after the end', async () => {
    const { run, stub, stored, done } = await drivenByHand({ strategy: 'gve', batch: 2 });
    const opened = await run.rounds.openRound(1);
    if (opened.kind === 'stop') throw new Error(opened.why);
    const [group = []] = opened.shards.map(({ together }) => together);
    expect(group).toHaveLength(2);
    expect(await run.rounds.openCatalogPairWriting(1, group)).toMatchObject({
      kind: 'group',
      relations: [expect.any(String), expect.any(String)],
    });
    await stub.cancel();
    const cancelled = await stored();
    await run.rounds.commitWrittenCatalogPairs(group, { ok: true, value: { pairs: [] }, calls: [paid] });
    expect(await stored()).toBe(cancelled);
    await done();
  });
});

describe('a failing step', () => {
  test('that is retried asks no model for a finished stage', async () => {
    await using workflow = await introspectWorkflow(env.EXPLORATION_WORKFLOW);
    await workflow.modifyAll((m) => m.disableRetryDelays());
    const ground = await prepare({ headers: { 'X-Token': 'abc' } });
    // The headers cannot be opened at first: the steps fail at the execution, after four stages that are committed.
    const decrypt = crypto.subtle.decrypt.bind(crypto.subtle);
    let failures = 0;
    vi.spyOn(crypto.subtle, 'decrypt').mockImplementation(async (algorithm, key, data) => {
      const context = typeof algorithm === 'string' ? '' : new TextDecoder().decode(algorithm.additionalData);
      if (context.includes('server-headers') && failures < 2) {
        failures += 1;
        throw new Error('not now');
      }
      return decrypt(algorithm, key, data);
    });
    const run = await explore(ground, { batch: 1 });
    await follow(ground.workspace.key, run);
    expect(failures).toBe(2);
    expect(await recordOf(ground, run)).toMatchObject({ status: 'completed', units: { accepted: 1, probes: 1 } });
    const forms = (await ground.model.asked()).map(({ form }) => form).filter((form) => form !== 'turn');
    expect(forms.toSorted()).toEqual([
      'audit',
      'audit',
      'metamorphic-pair',
      'metamorphic-pair',
      'scenario',
      'scenario',
    ]);
  });
});
