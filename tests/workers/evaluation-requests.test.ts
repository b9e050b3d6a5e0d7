import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { benchmarkLine, benchmarkRecord, computeUnitIdFromContent } from '#core/benchmarks/benchmark.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import { serverRecord } from '#core/catalog/server.ts';
import { evaluationRecord } from '#core/evaluation/record.ts';
import type { Rule } from '../support/script.ts';
import {
  caseOf,
  casesOf,
  evaluateToEnd,
  evaluationBody,
  followEvaluation,
  frozen,
  withRules,
  type TestBed,
} from '../support/evaluation.ts';
import { expectStatus, newWorkspace, pageOf, problemOf } from '../support/workspace.ts';
import { startServer, tools } from '../support/world.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await frozen(2);
});

const create = (ground: TestBed, more: Readonly<Record<string, unknown>> = {}) =>
  ground.workspace.post('/v1/evaluations', evaluationBody(ground, ['one'], { sample: { units: 1 }, ...more }));

/** The file of a benchmark with so many units, all alike but for their texts. */
async function grown(file: string, count: number): Promise<string> {
  const lines = file.trimEnd().split('\n');
  const parsed = lines.map((line) => benchmarkLine.parse(JSON.parse(line)));
  const unit = parsed.find((line) => line.type === 'unit')?.unit;
  if (unit === undefined || unit.kind === 'task') throw new Error('the benchmark has a unit');
  const units = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const own = { ...unit, source: `${unit.source} (${n})` };
      return { type: 'unit', unit: { ...own, id: await computeUnitIdFromContent(own) } };
    }),
  );
  const others = parsed.flatMap((line) =>
    line.type === 'unit' ? [] : [line.type === 'benchmark' ? { ...line, units: count } : line],
  );
  return [...others, ...units].map((line) => `${canonicalJson(line)}\n`).join('');
}

describe('an invalid request for an evaluation', () => {
  test('gets its error code, and nothing is stored', async () => {
    const alone = await frozen(1);
    const { workspace } = alone;
    const good = evaluationBody(alone, ['one']);
    const [agent] = good.agents;
    const bad: readonly (readonly [Record<string, unknown>, readonly [number, string]])[] = [
      [{ benchmark: 'unknown' }, [404, 'not-found']],
      [{ agents: [] }, [400, 'invalid-request']],
      [{ agents: undefined }, [400, 'invalid-request']],
      [{ agents: [agent, agent] }, [400, 'invalid-request']],
      [{ agents: [{ ...agent, name: 'No Name' }] }, [400, 'invalid-request']],
      [{ agents: [{ ...agent, loop: 'thinking' }] }, [400, 'invalid-request']],
      [{ agents: [{ ...agent, loop: 'external' }] }, [400, 'invalid-request']],
      [{ recording: 'replay' }, [400, 'invalid-request']],
      [{ recording: 'replay', recordingId: 'rec_unknown' }, [404, 'not-found']],
      [{ agents: [{ ...agent, mood: 'good' }] }, [400, 'invalid-request']],
      [{ trials: 0 }, [400, 'invalid-request']],
      [{ trials: 1_000 }, [400, 'invalid-request']],
      [{ sample: { units: 0 } }, [400, 'invalid-request']],
      [{ poem: 'none' }, [400, 'invalid-request']],
      [{ split: 'private' }, [422, 'nothing-to-evaluate']],
      [{ judge: { ...good.judge, baseUrl: 'ftp://judge' } }, [422, 'address-forbidden']],
      [{ embedder: { ...good.embedder, baseUrl: 'ftp://embedder' } }, [422, 'address-forbidden']],
    ];
    for (const [change, expected] of bad) {
      const answer = await workspace.post('/v1/evaluations', { ...good, ...change });
      expect([JSON.stringify(change), ...problemOf(answer)]).toEqual([JSON.stringify(change), ...expected]);
    }
    const everything = await workspace.get('/v1/evaluations');
    expect(everything.body).toEqual({ items: [], nextCursor: null });
    expect((await alone.model.asked()).filter(({ model }) => model === 'one')).toEqual([]);
  });

  test('for too many attempts says how many units would fit, and nothing is stored', async () => {
    const ground = await frozen(1);
    const { workspace } = ground;
    const text = z.string().parse((await workspace.get(`/v1/benchmarks/${ground.benchmark.id}/export`)).body);
    const raw = await grown(text, 251);
    const imported = await workspace.post('/v1/benchmarks/import?floor=false', undefined, {
      raw,
      headers: { 'content-type': 'text/jsonl' },
    });
    const large = { ...ground, benchmark: benchmarkRecord.parse(expectStatus(imported, 201)) };
    const agents = Array.from({ length: 20 }, (_, n) => `agent-${n}`);
    const answer = await workspace.post(
      '/v1/evaluations',
      evaluationBody(large, agents, { trials: 20, judges: false }),
    );
    expect(problemOf(answer)).toEqual([422, 'evaluation-too-large']);
    expect(answer.body).toMatchObject({ detail: expect.stringContaining('make 200,800 attempts') });
    expect(answer.body).toMatchObject({ detail: expect.stringContaining('250 units would fit') });
    expect((await workspace.get('/v1/evaluations')).body).toEqual({ items: [], nextCursor: null });
  });

  test('for servers that are not registered names them', async () => {
    const file = (await bed.workspace.get(`/v1/benchmarks/${bed.benchmark.id}/export`)).body;
    const elsewhere = await newWorkspace();
    const upload = { headers: { 'content-type': 'text/jsonl' } };
    expectStatus(await elsewhere.post('/v1/benchmarks/import?floor=false', file, upload), 201);
    const answer = await elsewhere.post('/v1/evaluations', evaluationBody(bed, ['one']));
    expect(problemOf(answer)).toEqual([404, 'not-found']);
    expect(JSON.stringify(answer.body)).toContain('fruit, trees, winds');
  });

  test('is no second evaluation if it repeats an idempotency key', async () => {
    const ground = await withRules(bed);
    const body = evaluationBody(ground, ['one'], { judges: false, sample: { units: 1 } });
    const send = (sent: unknown) =>
      bed.workspace.post('/v1/evaluations', sent, { headers: { 'idempotency-key': 'eval' } });
    const [first, again] = [await send(body), await send(body)];
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(problemOf(await send({ ...body, trials: 2 }))).toEqual([422, 'idempotency-mismatch']);
  });

  test('is no second evaluation if it arrives twice at once, and each case exists once', async () => {
    const ground = await withRules(bed);
    const body = evaluationBody(ground, ['one'], { judges: false, trials: 2 });
    const headers = { 'idempotency-key': 'eval-at-once' };
    const answers = await Promise.all([1, 2].map(() => bed.workspace.post('/v1/evaluations', body, { headers })));
    const [first, again] = answers.map((answer) => evaluationRecord.parse(expectStatus(answer, 202)));
    expect(again?.id).toBe(first?.id);
    expect(await casesOf(ground, first?.id ?? '')).toHaveLength(4);
    await followEvaluation(ground, first?.id ?? '');
  });

  test('from another workspace finds nothing', async () => {
    const ground = await withRules(bed);
    const { run, cases } = await evaluateToEnd(ground, ['one'], { judges: false, sample: { units: 1 } });
    const stranger = await newWorkspace();
    const at = `/v1/evaluations/${run}`;
    const compared = ['/compare?a=one&b=one', '/compare-anytime?a=one&b=one', '/offering'];
    const parts = ['', '/events', '/results', ...compared, '/cases', `/cases/${cases[0]?.id}`];
    const views = ['units', 'servers', 'domains', 'transitions'].map((view) => `/results/${view}`);
    for (const part of [...parts, ...views, '/export', '/report']) {
      expect((await ground.workspace.get(`${at}${part}`)).status).toBe(200);
      expect(problemOf(await stranger.get(`${at}${part}`))).toEqual([404, 'not-found']);
    }
    for (const verb of ['pause', 'resume', 'cancel'])
      expect(problemOf(await stranger.post(`${at}/${verb}`))).toEqual([404, 'not-found']);
    expect((await stranger.get('/v1/evaluations')).body).toEqual({ items: [], nextCursor: null });
    expect(problemOf(await stranger.post('/v1/evaluations', evaluationBody(ground, ['one'])))).toEqual([
      404,
      'not-found',
    ]);
    expect(problemOf(await ground.workspace.get(`${at}/cases/unknown`))).toEqual([404, 'not-found']);
    expect(problemOf(await ground.workspace.get(`${at}/compare?a=one&b=unknown`))).toEqual([404, 'not-found']);
    expect(problemOf(await ground.workspace.get(`${at}/compare?a=one`))).toEqual([400, 'invalid-request']);
  });
});

describe('a model for an evaluation', () => {
  const atTest = (behaviour: Rule['behaviour']): Rule => ({ form: 'preflight', behaviour });

  test.each([
    [{ kind: 'status', status: 404, code: 'model_not_found' }, [422, 'model-refused'], '\\"secret of the endpoint\\"'],
    [{ kind: 'status', status: 401 }, [422, 'model-refused'], 'HTTP status 401'],
    [{ kind: 'content', content: 'Hello' }, [422, 'model-refused'], 'its answer is not JSON'],
    [{ kind: 'cut', when: 'before-headers' }, [422, 'model-unreachable'], 'does not answer'],
  ] as const)(
    'that cannot do what it is for is refused before anything is stored: %j',
    async (behaviour, code, detail) => {
      const ground = await withRules(bed, atTest(behaviour));
      const before = (await ground.workspace.get('/v1/evaluations')).body;
      const answer = await create(ground);
      expect(problemOf(answer)).toEqual(code);
      expect(JSON.stringify(answer.body)).toContain(detail);
      expect((await ground.workspace.get('/v1/evaluations')).body).toEqual(before);
    },
  );

  test('that its endpoint refuses is looked for in the list, whose nearest names are advice', async () => {
    const refused = atTest({ kind: 'status', status: 404 });
    const ground = await withRules(bed, refused, {
      form: 'models',
      behaviour: { kind: 'content', content: 'ones other' },
    });
    expect(JSON.stringify((await create(ground)).body)).toContain('Its endpoint does not list it, but ones.');
  });

  test('is accepted with a warning if its trouble may pass, and without one if it works though it is not listed', async () => {
    const busy = await withRules(bed, atTest({ kind: 'status', status: 503 }));
    const record = evaluationRecord.parse(expectStatus(await create(busy, { judges: false }), 202));
    expect(record.preflight.warnings).toEqual([expect.stringContaining('could not be tested: HTTP status 503')]);
    const ground = await withRules(bed, { form: 'models', behaviour: { kind: 'content', content: 'others' } });
    const works = evaluationRecord.parse(expectStatus(await create(ground, { judges: false }), 202));
    expect(works.preflight).toMatchObject({ warnings: [], usage: { calls: 1 } });
  });

  test('is not asked as a judge that is not needed', async () => {
    const refusing = await withRules(bed, { ...atTest({ kind: 'status', status: 404 }), model: 'judge' });
    expectStatus(await create(refusing, { judges: false }), 202);
    expect(problemOf(await create(refusing))).toEqual([422, 'model-refused']);
  });
});

describe('servers that differ from the benchmark', () => {
  const other = { tools: [...(tools('apple', 'pear', 'plum') ?? []), ...(tools('fig') ?? [])] };

  test('are listed tool by tool, and pinned or current decides what agents see', async () => {
    const ground = await frozen(1);
    const { workspace } = ground;
    // The fruit server is put on another address: it lost its quince and got a fig.
    const listed = pageOf(serverRecord).parse((await workspace.get('/v1/servers')).body);
    const [{ id } = { id: '' }] = listed.items.filter(({ name }) => name === 'fruit');
    expectStatus(await workspace.remove(`/v1/servers/${id}`), 204);
    await workspace.server('fruit', (await startServer(other)).url, { domain: 'the fruit' });
    const answer = await create(ground);
    expect(problemOf(answer)).toEqual([409, 'catalog-changed']);
    expect(answer.body).toMatchObject({
      issues: [
        { where: 'fruit/fig', message: 'added' },
        { where: 'fruit/quince', message: 'removed' },
      ],
    });
    const seenBy = async (catalog: string): Promise<ReadonlySet<string>> => {
      const own = await withRules(ground);
      await evaluateToEnd(own, ['one'], { catalog, mounting: { kind: 'max-scale' }, judges: false });
      return new Set((await own.model.asked()).flatMap(({ functions }) => functions));
    };
    const [pinned, current] = [await seenBy('pinned'), await seenBy('current')];
    expect([pinned.has('fruit__quince'), pinned.has('fruit__fig')]).toEqual([true, false]);
    expect([current.has('fruit__quince'), current.has('fruit__fig')]).toEqual([false, true]);
  });
});

describe('a benchmark of another workspace', () => {
  test('gives its public units to everyone and its private ones to nobody', async () => {
    const ground = await frozen(2);
    const stranger = await newWorkspace();
    for (const [name, server] of Object.entries(ground.servers))
      await stranger.server(name, server.url, { domain: `the ${name}` });
    const theirs = { ...ground, workspace: stranger };
    expectStatus(await create(theirs, { judges: false }), 202);
    for (const split of ['private', 'all'])
      expect(problemOf(await create(theirs, { split }))).toEqual([403, 'forbidden']);
  });
});

describe('prompted calling', () => {
  test('evaluates a model that cannot call functions', async () => {
    const call = JSON.stringify({ call: { tool: 'fruit/none', arguments: {} } });
    const ground = await withRules(
      bed,
      {
        form: 'turn',
        contains: 'There is no tool called',
        behaviour: { kind: 'content', content: '{"answer":"No such tool."}' },
      },
      { form: 'turn', behaviour: { kind: 'content', content: call } },
    );
    const { baseUrl } = ground.model;
    const agents = [{ name: 'plain', loop: 'prompted-calling', model: 'plain', endpoint: { baseUrl } }];
    const { run, record, results } = await evaluateToEnd(ground, [], { agents, judges: false, sample: { units: 1 } });
    expect(record.agents).toMatchObject([{ name: 'plain', loop: 'prompted-calling' }]);
    expect((await ground.model.asked()).every(({ functions }) => functions.length === 0)).toBe(true);
    const [{ id } = { id: '' }] = await casesOf(ground, run);
    // A call of a tool that does not exist is counted.
    expect((await caseOf(ground, run, id)).traces.source).toMatchObject({
      end: 'answered',
      finalText: 'No such tool.',
      steps: [
        { tool: 'fruit/none', outcome: 'failure', failure: { source: 'rule', class: 'invalid-artifact-reference' } },
      ],
    });
    expect(results('plain')).toMatchObject({
      scores: { tcs: { mean: 0 }, tfd: { mean: 1 } },
      failures: { failedCalls: 2, byClass: { 'invalid-artifact-reference': 2 }, undecided: 0 },
    });
  });
});
