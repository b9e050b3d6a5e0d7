import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { explorationRecord, unitDetail, unitSummary } from '#core/exploration/record.ts';
import { evaluationRecord, evaluationResults } from '#core/evaluation/record.ts';
import { findFirstBrokenLogLine } from '#core/leaderboards/log-lines.ts';
import release020 from '../fixtures/storage-0.2.0.jsonl?raw';
import { traceHeader } from '#core/leaderboards/submissions/trace-file.ts';
import { leaderboardRecord, logLine, rankedEntry } from '#core/leaderboards/record.ts';
import { restore, storedObjects, type StoredObject } from '../support/stored-objects.ts';
import { call, expectStatus, keyFor, pageOf, unique } from '../support/workspace.ts';

const listed = pageOf(z.looseObject({ id: z.string() }));
const claimed = z.object({ status: z.string(), attempt: z.object({ id: z.string() }).optional() });
const benchmarkRow = z.object({ id: z.string(), object: z.string() });
const ranked = pageOf(rankedEntry);

/** Storage of an earlier release can be read and continued by the current code. */
describe.each([['0.2.0', release020]])('storage that release %s wrote', (_release, file) => {
  const stored = storedObjects(file);
  const of = (kind: string): StoredObject[] => stored.filter((object) => object.kind === kind);
  const only = (kind: string): StoredObject => {
    const [found, ...others] = of(kind);
    if (found === undefined || others.length > 0) throw new Error(`the file has ${others.length + 1} of ${kind}`);
    return found;
  };
  const [inDirectory] = z.array(benchmarkRow).parse(only('Directory').tables['benchmarks']);
  let key = '';

  const get = async <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    schema.parse(expectStatus(await call(key, 'GET', `/v1${path}`), 200));
  const post = async <T>(path: string, body: unknown, status: number, schema: z.ZodType<T>): Promise<T> =>
    schema.parse(expectStatus(await call(key, 'POST', `/v1${path}`, body), status));
  const text = async (path: string): Promise<string> =>
    z.string().parse(expectStatus(await call(key, 'GET', `/v1${path}`), 200));
  const ids = async (path: string): Promise<string[]> => (await get(path, listed)).items.map(({ id }) => id);

  /** The run of a kind that was given this name. */
  const run = async <T extends { readonly config: { readonly name: string } }>(
    kind: string,
    record: z.ZodType<T>,
    name: string,
  ): Promise<T> => {
    for (const id of await ids(`/${kind}`)) {
      const found = await get(`/${kind}/${id}`, record);
      if (found.config.name === name) return found;
    }
    throw new Error(`none of the ${kind} is named ${name}`);
  };
  const exploration = (name: string) => run('explorations', explorationRecord, name);
  const evaluation = (name: string) => run('evaluations', evaluationRecord, name);

  const restoreAll = async <T extends Rpc.DurableObjectBranded>(
    kind: string,
    objects: DurableObjectNamespace<T>,
    nameOf = ({ name }: StoredObject) => z.string().parse(name),
  ) => {
    for (const object of of(kind)) {
      const stub = objects.getByName(nameOf(object));
      await restore(stub, object);
      const version = await runInDurableObject(stub, (_object, { storage }) =>
        storage.sql.exec('SELECT version FROM schema_version').one(),
      );
      expect(version['version'], kind).toBeGreaterThan(0);
    }
  };

  beforeAll(async () => {
    await restoreAll('Attempt', env.ATTEMPT);
    await restoreAll('Benchmark', env.BENCHMARK, () => inDirectory?.object ?? '');
    await restoreAll('EvaluationRun', env.EVALUATION_RUN);
    await restoreAll('ExplorationRun', env.EXPLORATION_RUN);
    await restoreAll('KnowledgeIndex', env.KNOWLEDGE_INDEX);
    await restoreAll('Leaderboard', env.LEADERBOARD);
    await restoreAll('Recording', env.RECORDING);
    await restoreAll('Submission', env.SUBMISSION);
    await restoreAll('Workspace', env.WORKSPACE);
    // That of the deployment holds the keys of other tests.
    await restoreAll('Directory', env.DIRECTORY, () => 'earlier directory');
    key = await keyFor('main', 'admin');
    const directory = env.DIRECTORY.getByName('directory');
    for (const { id, object } of inDirectory === undefined ? [] : [inDirectory])
      await directory.addBenchmark(id, 'main', object);
    for (const board of await env.DIRECTORY.getByName('earlier directory').listLeaderboards('', 10))
      await directory.addLeaderboard(board, 'main');
  });

  test('lists its keys, runs and leaderboards, and takes new ones', async () => {
    const directory = env.DIRECTORY.getByName('earlier directory');
    expect((await directory.listKeys('main', '', 10)).map(({ name }) => name)).toEqual(['reader']);
    expect((await directory.listRunsNeedingDriver('', 10)).length).toBe(2);
    expect(await directory.listLeaderboards('', 10)).toMatchObject([
      { id: only('Leaderboard').name, entries: null, submissions: null },
    ]);
    await directory.addRun('exp_new', 'exploration', 'main');
    expect((await directory.listRunsNeedingDriver('', 10)).length).toBe(3);
  });

  test('lists its servers, catalogs and keys, and a server can be removed', async () => {
    const servers = await ids('/servers');
    expect([servers.length, (await ids('/catalogs')).length]).toEqual([2, 1]);
    expectStatus(await call(key, 'DELETE', `/v1/servers/${servers[0]}`), 204);
    expect((await ids('/servers')).length).toBe(1);
  });

  test('has the units, traces, transitions and evolution of a finished exploration', async () => {
    const { id, status, units } = await exploration('explored');
    expect([status, units]).toEqual([
      'completed',
      { accepted: 4, review: 0, rejected: 0, lost: 0, dropped: 0, probes: 2 },
    ]);
    const summaries = (await get(`/explorations/${id}/units`, pageOf(unitSummary))).items;
    expect(summaries.length).toBe(8);
    const { traces } = await get(
      `/explorations/${id}/units/${summaries.find(({ lineage, probe }) => lineage === null && !probe)?.id}`,
      unitDetail,
    );
    expect(traces.source?.steps.map(({ outcome }) => outcome)).toEqual(['success', 'success', 'success']);
    expect((await get(`/explorations/${id}/transitions`, z.object({ items: z.array(z.unknown()) }))).items.length).toBe(
      8,
    );
    expect(await get(`/explorations/${id}/evolutions/1`, z.looseObject({}))).toMatchObject({ status: 'completed' });
  });

  test('lets a paused exploration be cancelled', async () => {
    const { id, status } = await exploration('paused');
    expect(status).toBe('paused');
    expect(await post(`/explorations/${id}/cancel`, undefined, 200, explorationRecord)).toMatchObject({
      status: 'cancelled',
    });
  });

  test('lets a person decide on a unit in review', async () => {
    const { id } = await exploration('reviewed');
    const unit = (await ids(`/reviews?exploration=${id}`)).find((each) => !each.endsWith('-p'));
    const decided = { decision: 'reject', reason: 'not what anybody would ask' };
    await post(`/reviews/${id}/${unit}/decision`, decided, 200, z.unknown());
    await expect.poll(async () => (await exploration('reviewed')).units.rejected, { timeout: 10_000 }).toBe(1);
  });

  test('lets its benchmark be read and frozen again', async () => {
    const [id] = await ids('/benchmarks');
    const { publicUnits, privateUnits, unproven } = await get(`/benchmarks/${id}`, benchmarkRecord);
    expect(unproven).toBeUndefined();
    const units = (await text(`/benchmarks/${id}/export`))
      .trimEnd()
      .split('\n')
      .filter((line) => line.includes('"type":"unit"'));
    expect(units.length).toBe(publicUnits + privateUnits);
    const { id: explored } = await exploration('explored');
    const again = { explorations: [explored], name: unique('b') };
    // Nobody knows what their executions carried out, but each tool of their chains has a success in the run.
    const frozen = await post('/benchmarks', again, 201, benchmarkRecord);
    expect([frozen.unproven, frozen.unprovenLeftOut]).toEqual([0, 0]);
  });

  test('has the results, cases and recording of a finished evaluation', async () => {
    const { id, status, progress } = await evaluation('over');
    expect([status, progress.made]).toEqual(['completed', progress.attempts]);
    const results = await get(`/evaluations/${id}/results`, evaluationResults);
    expect(results.agents).toMatchObject([{ name: 'model', units: progress.units }]);
    const cases = await ids(`/evaluations/${id}/cases`);
    expect(cases.length).toBe(progress.units);
    const [recording] = await ids('/recordings');
    expect(await get(`/recordings/${recording}`, z.looseObject({}))).toMatchObject({ attempts: 6, calls: 18 });
  });

  test('says that its agents saw the servers of the chain alone, and leaves the digests of their traces as they were', async () => {
    const { id, agents, config } = await evaluation('over');
    expect([config.mounting, agents[0]?.mounting]).toEqual([{ kind: 'oracle' }, { kind: 'oracle' }]);
    const { mounted } = await get(`/evaluations/${id}/results`, evaluationResults);
    expect(mounted).toMatchObject([{ agent: 'model', mounting: { kind: 'oracle' }, cutUnits: 0 }]);
    const [header = ''] = (await text(`/evaluations/${id}/traces?agent=model`)).split('\n');
    expect(Object.keys(traceHeader.parse(JSON.parse(header)).configuration)).not.toContain('mounting');
    expect((await exploration('explored')).config.mounting).toEqual({ kind: 'oracle' });
    expect((await get(`/leaderboards/${only('Leaderboard').name}`, leaderboardRecord)).mounting).toBeUndefined();
  });

  test('lets an evaluation that waits for its agent continue to its end', async () => {
    const { id, progress } = await evaluation('claimed');
    // The deadline of the attempt that was open has passed.
    await runInDurableObject(env.ATTEMPT.getByName(only('Attempt').name ?? ''), (attempt) => attempt.alarm());
    const claim = () => post('/attempts/claim', { evaluation: id, agent: 'outside' }, 200, claimed);
    for (let next = await claim(); next.attempt !== undefined; next = await claim())
      await post(`/attempts/${next.attempt.id}/response`, { response: 'done' }, 200, z.unknown());
    const over = await get(`/evaluations/${id}`, evaluationRecord);
    expect(over).toMatchObject({ status: 'completed', progress: { made: progress.attempts } });
    await get(`/evaluations/${id}/results`, evaluationResults);
  });

  test('lets its leaderboard rank an entry, and the log continues unbroken', async () => {
    const [submission] = await ids('/submissions');
    const id = only('Leaderboard').name ?? '';
    expect(await get(`/leaderboards/${id}`, leaderboardRecord)).toMatchObject({ entries: { service: 1 } });
    expect((await get(`/leaderboards/${id}/entries`, ranked)).items).toMatchObject([
      { rank: 1, entry: { id: submission, name: 'first' } },
    ]);
    await post(`/submissions/${submission}/moderate`, { action: 'hide', reason: 'odd' }, 200, z.unknown());
    expect((await get(`/leaderboards/${id}/entries`, ranked)).items).toEqual([]);
    const lines = (await text(`/leaderboards/${id}/log`))
      .trimEnd()
      .split('\n')
      .map((line) => logLine.parse(JSON.parse(line)));
    expect(await findFirstBrokenLogLine(lines)).toBeNull();
    // The release that took its metric away says so, once.
    expect(lines.map(({ kind }) => kind)).toEqual(['opened', 'published', 'reordered', 'hidden']);
    expect(lines[2]?.reason).toContain('ordered by success');
  });

  test('lets its knowledge index find its passages', async () => {
    const [id = ''] = await ids('/knowledge');
    const record = await get(`/knowledge/${id}`, z.looseObject({ dimension: z.int() }));
    expect(record).toMatchObject({ passages: 3 });
    const query = Array.from({ length: record.dimension }, (_, n) => (n === 0 ? 1 : 0));
    const found = await env.KNOWLEDGE_INDEX.getByName(id).nearest('main', query, 3);
    expect(found).toMatchObject({ ok: true });
    expect(found.ok ? found.value.map((passage) => passage.text).toSorted() : []).toEqual(['alpha', 'beta', 'gamma']);
  });
});
