import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { breakdownGroup, type BreakdownGroup } from '#core/evaluation/breakdown-record.ts';
import { serverRecord } from '#core/catalog/server.ts';
import { benchmarkFloor } from '#core/evaluation/floor.ts';
import { evaluationRecord, evaluationResults } from '#core/evaluation/record.ts';
import { nullPolicy } from '#core/evaluation/null-agents.ts';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { exploreToEnd, prepare } from '../support/exploration.ts';
import { expectStatus, newWorkspace, pageOf, type TestWorkspace } from '../support/workspace.ts';

const floorAnswer = z.object({ benchmark: z.string(), floor: benchmarkFloor.nullable() });

const floorOf = async ({ get }: TestWorkspace, id: string) =>
  floorAnswer.parse(expectStatus(await get(`/v1/benchmarks/${id}/floor`), 200)).floor;

describe('the floor of a benchmark', () => {
  test('is measured by null agents when it is frozen, once, and is in the results', async () => {
    const { workspace, run } = await explored();
    const freeze = async () =>
      benchmarkRecord.parse(expectStatus(await workspace.post('/v1/benchmarks', { explorations: [run] }), 201)).id;
    const benchmark = await freeze();
    await vi.waitFor(async () => expect(await floorOf(workspace, benchmark)).toMatchObject({ state: 'measured' }), {
      timeout: 60_000,
      interval: 500,
    });
    const floor = await floorOf(workspace, benchmark);
    if (floor?.state !== 'measured') throw new Error('it was measured a moment ago');
    expect(nullPolicy.options).toContain(floor.scores.tcs?.agent);
    const { agents, config } = evaluationRecord.parse(
      expectStatus(await workspace.get(`/v1/evaluations/${floor.evaluation}`), 200),
    );
    expect(agents.map(({ name }) => name)).toEqual(nullPolicy.options);
    expect(config.split).toBe('public');
    const results = evaluationResults.parse(
      expectStatus(await workspace.get(`/v1/evaluations/${floor.evaluation}/results`), 200),
    );
    expect(results.floor).toEqual(floor);
    expect(results.agents.every(({ tokens }) => (tokens ?? 0) === 0)).toBe(true);
    const groups = z
      .object({ items: z.array(breakdownGroup) })
      .parse(expectStatus(await workspace.get(`/v1/evaluations/${floor.evaluation}/results/servers`), 200)).items;
    const servers = pageOf(serverRecord).parse(expectStatus(await workspace.get('/v1/servers'), 200)).items;
    for (const { name, errors } of servers) {
      const group = groups.find((each) => each.name === name);
      const sum = (of: (agent: BreakdownGroup['agents'][number]) => number) =>
        group?.agents.reduce((all, agent) => all + of(agent), 0) ?? 0;
      const reported = sum((agent) => agent.reportedErrors);
      const marked = sum((agent) => agent.failedCalls - agent.spoiltCalls) - reported;
      expect([name, errors]).toEqual([name, { marks: group?.marksErrors ?? null, marked, reported }]);
    }
    expect(await freeze()).toBe(benchmark);
    expect(await floorOf(workspace, benchmark)).toEqual(floor);
  });

  test('is not measured if that was not wanted', async () => {
    const { workspace, run } = await explored();
    const body = { explorations: [run], floor: false };
    const { id } = benchmarkRecord.parse(expectStatus(await workspace.post('/v1/benchmarks', body), 201));
    expect(await floorOf(workspace, id)).toBeNull();
  });

  test('cannot be measured without the servers, which it says', async () => {
    const { workspace, run } = await explored();
    const body = { explorations: [run], floor: false };
    const { id } = benchmarkRecord.parse(expectStatus(await workspace.post('/v1/benchmarks', body), 201));
    const file = z.string().parse((await workspace.get(`/v1/benchmarks/${id}/export`)).body);
    const elsewhere = await newWorkspace();
    const upload = { raw: file, headers: { 'content-type': 'text/jsonl' } };
    expectStatus(await elsewhere.post('/v1/benchmarks/import', undefined, upload), 201);
    expect(await floorOf(elsewhere, id)).toMatchObject({ state: 'unavailable' });
  });
});

async function explored() {
  const ground = await prepare();
  const { run } = await exploreToEnd(ground, { batch: 3 });
  return { workspace: ground.workspace, run };
}
