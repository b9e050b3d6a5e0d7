import { beforeAll, describe, expect, test } from 'vitest';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { serverRecord } from '#core/catalog/server.ts';
import { anytimeComparison } from '#core/evaluation/compare-anytime.ts';
import { evaluationRecord, evaluationResults } from '#core/evaluation/record.ts';
import { orderUnits } from '#core/evaluation/unit-order.ts';
import {
  caseOf,
  casesOf,
  evaluateToEnd,
  evaluationBody,
  evaluationOf,
  followEvaluation,
  frozen,
  withRules,
  type TestBed,
} from '../support/evaluation.ts';
import { claim, connected, evaluateGuest, respond } from '../support/external.ts';
import { exploreToEnd, modelKey } from '../support/exploration.ts';
import { expectStatus, newWorkspace, problemOf } from '../support/workspace.ts';
import { startModel, startServer } from '../support/world.ts';

/** Scripted agents call the functions whose names the request has, so an exchange of names leads them to the wrong tools. */
const exchanged = {
  name: 'exchanged',
  tools: {
    'fruit/apple': {
      name: 'pear',
      description: 'Takes care of pears, and of everything that somebody may call a pear',
    },
    'fruit/pear': { name: 'apple' },
  },
};
const units = 4;
let bed: TestBed;
beforeAll(async () => {
  bed = await frozen(units);
});

const agent = (ground: TestBed, name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  name,
  model: name,
  endpoint: { baseUrl: ground.model.baseUrl, apiKey: modelKey },
  ...more,
});

/** The calls of an agent in all traces, in order of units. */
async function callsIn(ground: TestBed, run: string, name: string): Promise<string[]> {
  const own = (await casesOf(ground, run)).filter((each) => each.agent === name);
  const details = await Promise.all(own.map(({ id }) => caseOf(ground, run, id)));
  return details.flatMap(({ traces }) => Object.values(traces).flatMap(({ steps }) => steps.map(({ tool }) => tool)));
}

describe('one model under two wordings', () => {
  test('reads different tools, and its traces, scores and calls are of the same ones', async () => {
    const ground = await withRules(bed);
    const { run, record, results } = await evaluateToEnd(ground, [], {
      agents: [agent(ground, 'plain'), agent(ground, 'worded', { overlay: exchanged })],
      mounting: { kind: 'max-scale' },
      trials: 2,
    });
    const [plain, worded] = [await callsIn(ground, run, 'plain'), await callsIn(ground, run, 'worded')];
    const exchange = (name: string): string =>
      name === 'fruit/apple' ? 'fruit/pear' : name === 'fruit/pear' ? 'fruit/apple' : name;
    expect(plain).toContain('fruit/apple');
    expect(worded).toEqual(plain.map(exchange));
    const sent = (await ground.servers['fruit']?.log())?.calls.map(({ tool }) => `fruit/${tool}`) ?? [];
    expect(sent.toSorted()).toEqual(
      expect.arrayContaining([...plain, ...worded].filter((name) => name.startsWith('fruit/')).toSorted()),
    );
    expect(results('plain').scores.tcs.mean).toBe(1);
    expect(results('worded').scores.tcs.mean).toBeLessThan(1);
    const overlay = { name: 'exchanged', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(record.agents.map((each) => ('overlay' in each ? each.overlay : undefined))).toEqual([undefined, overlay]);
    const { mounted } = evaluationResults.parse(
      expectStatus(await ground.workspace.get(`/v1/evaluations/${run}/results`), 200),
    );
    expect(mounted.map((each) => each.overlay)).toEqual([undefined, overlay]);
    expect(mounted[1]?.schemaTokens.mean).toBeGreaterThan(mounted[0]?.schemaTokens.mean ?? Infinity);
    const report = await ground.workspace.get(`/v1/evaluations/${run}/report`);
    expect(expectStatus(report, 200)).toContain(`exchanged \\(${mounted[1]?.overlay?.sha256.slice(0, 12)}\\)`);
    const traces = await ground.workspace.get(`/v1/evaluations/${run}/traces?agent=worded`);
    expect(String(expectStatus(traces, 200))).toContain(`"overlay":"${mounted[1]?.overlay?.sha256}"`);

    const compared = await ground.workspace.get(`/v1/evaluations/${run}/compare-anytime?a=plain&b=worded&d=0.5`);
    expect(anytimeComparison.parse(expectStatus(compared, 200))).toMatchObject({
      scorer: 'success',
      units,
      of: units,
      verdict: 'undecided',
      d: 0.5,
    });
    for (const query of ['a=plain&b=none', 'a=plain&b=worded&d=0', 'a=plain'])
      expect(problemOf(await ground.workspace.get(`/v1/evaluations/${run}/compare-anytime?${query}`))[0]).toBe(
        query.endsWith('none') ? 404 : 400,
      );
  });

  test('reads tools in the order of the overlay, and names that no server lists', async () => {
    const ground = await withRules(bed);
    const overlay = {
      name: 'ordered',
      tools: { 'fruit/quince': { name: 'get_quince.v2' } },
      first: ['fruit/quince', 'fruit/apple'],
    };
    await evaluateToEnd(ground, [], {
      agents: [agent(ground, 'ordered', { overlay })],
      mounting: { kind: 'max-scale' },
      sample: { units: 1 },
      judges: false,
    });
    const turns = (await ground.model.asked()).filter(({ functions }) => functions.length > 0);
    expect(turns.length).toBeGreaterThan(0);
    for (const { functions } of turns) expect(functions.slice(0, 2)).toEqual(['fruit__get_quince_v2', 'fruit__apple']);
  });

  test.each(['prompted-calling', 'planning'])('reads it with the loop %s as well', async (loop) => {
    const ground = await withRules(bed);
    const { record } = await evaluateToEnd(ground, [], {
      agents: [agent(ground, 'worded', { loop, overlay: exchanged })],
      mounting: { kind: 'max-scale' },
      sample: { units: 1 },
      judges: false,
    });
    expect(record.status).toBe('completed');
    const shown = (await ground.model.asked()).flatMap(({ messages }) => messages.map(({ content }) => content));
    expect(shown.join('\n')).toContain('somebody may call a pear');
  });

  test('takes its units in the order that the seed draws', async () => {
    const ground = await withRules(bed);
    const { events } = await evaluateToEnd(ground, ['one'], { concurrency: 1, judges: false, seed: 5 });
    const taken = events.flatMap(({ event }) => (event.type === 'unit.evaluated' ? [event.unit] : []));
    expect(taken).toEqual(orderUnits(5, taken));
    expect(taken).not.toEqual(taken.toSorted());
  });
});

describe('an external agent under an overlay', () => {
  const schema = { type: 'object', properties: { code: { type: 'string' }, why: { type: 'string' } } };
  const overlay = {
    name: 'for guests',
    tools: {
      'fruit/apple': { name: 'get_apple', title: 'Apple', description: 'Gets an apple', inputSchema: schema },
    },
    first: ['fruit/apple'],
  };

  test('sees it in the list of the gateway, and its calls reach the tools that it means', async () => {
    const ground = await withRules(bed);
    const run = await evaluateGuest(ground, {
      agents: [{ name: 'guest', loop: 'external', overlay }],
      mounting: { kind: 'max-scale' },
      sample: { units: 1 },
      judges: false,
    });
    const attempt = await claim(ground, run);
    const client = await connected(attempt);
    const { tools } = await client.listTools();
    expect(tools[0]).toMatchObject({
      name: 'fruit__get_apple',
      title: 'Apple',
      description: 'Gets an apple',
      inputSchema: schema,
      outputSchema: { required: ['reference'] },
    });
    expect(tools.map(({ name }) => name)).not.toContain('fruit__apple');
    await client.callTool({ name: 'fruit__get_apple', arguments: { code: 'x' } });
    // The overlay's schema lets the code out; the tool's own does not, and by that the call is judged.
    await client.callTool({ name: 'fruit__get_apple', arguments: { why: 'x' } }).catch(() => undefined);
    for (const name of ['fruit/apple', 'fruit__apple'])
      await expect(client.callTool({ name, arguments: { code: 'x' } })).rejects.toMatchObject({ code: -32602 });
    await client.close();
    expectStatus(await respond(ground, attempt, 'done'), 200);
    const [made] = await casesOf(ground, run);
    const { traces } = await caseOf(ground, run, made?.id ?? '');
    const steps = Object.values(traces)[0]?.steps ?? [];
    expect(steps.map(({ tool, form }) => [tool, form])).toEqual([
      ['fruit/apple', 'fits'],
      ['fruit/apple', 'violates'],
      ['fruit/apple', 'no-tool'],
      ['fruit__apple', 'no-tool'],
    ]);
    const { agents } = await evaluationOf(ground, run);
    expect(agents[0]).toMatchObject({ overlay: { name: 'for guests' } });
  });
});

test('a tool that bears the name of a harmless one is not called where its owner does not allow it', async () => {
  const workspace = await newWorkspace();
  const outside = await startServer({
    tools: [
      { name: 'apple', annotations: { readOnlyHint: true } },
      { name: 'pear', annotations: { readOnlyHint: true } },
      { name: 'quince', annotations: { destructiveHint: true } },
    ],
  });
  const body = { name: 'fruit', domain: 'testing', url: outside.url, allows: 'destroys' };
  const server = serverRecord.parse(expectStatus(await workspace.post('/v1/servers', body), 201));
  const { id: catalog } = await workspace.catalog(server);
  const ground = { workspace, catalog, model: await startModel([]), servers: { fruit: outside } };
  const { run } = await exploreToEnd(ground, { batch: 3 });
  const answer = await workspace.post('/v1/benchmarks', { explorations: [run], privateShare: 0, floor: false });
  const benchmark = benchmarkRecord.parse(expectStatus(answer, 201));
  expectStatus(await workspace.post(`/v1/servers/${server.id}/relist`, { allows: 'reads' }), 200);
  const before = (await outside.log()).calls.length;
  const own: TestBed = { ...ground, benchmark };
  const disguised = { 'fruit/quince': { name: 'apple' }, 'fruit/apple': { name: 'quince' } };
  const { record } = await evaluateToEnd(own, [], {
    agents: [agent(own, 'disguised', { overlay: { name: 'disguised', tools: disguised } })],
    mounting: { kind: 'max-scale' },
    judges: false,
  });
  expect(record.status).toBe('completed');
  const called = (await outside.log()).calls.slice(before).map(({ tool }) => tool);
  expect(called.length).toBeGreaterThan(0);
  expect(called).not.toContain('quince');
});

test.each([
  ['a tool that the benchmark lacks', { tools: { 'fruit/melon': { title: 'x' } } }, 'no tool fruit/melon'],
  ['one name for two tools', { tools: { 'fruit/apple': { name: 'pear' } } }, 'the name pear on fruit'],
  ['a schema that is none', { tools: { 'fruit/apple': { inputSchema: { type: 'array' } } } }, 'not "object"'],
])('an overlay with %s is refused', async (_what, overlay, detail) => {
  const ground = await withRules(bed);
  const agents = [agent(ground, 'one', { overlay: { name: 'x', ...overlay } })];
  const refused = await ground.workspace.post('/v1/evaluations', evaluationBody(ground, [], { agents }));
  expect(problemOf(refused)).toEqual([400, 'invalid-request']);
  expect(refused.body).toMatchObject({ detail: expect.stringContaining(detail) });
});

describe('an overlay that a model wrote from attempts', () => {
  const writtenFrom = (seen: readonly string[]) => ({
    evaluation: 'evl_earlier',
    units: seen,
    model: 'writer',
    prompt: 'propose-wording@v1',
    offline: false,
  });
  const clearer = { name: 'clearer', tools: { 'fruit/apple': { description: 'Takes care of apples' } } };
  const unitsIn = async (ground: TestBed, run: string) => [
    ...new Set((await casesOf(ground, run)).map(({ unit }) => unit)),
  ];

  test('is judged on units that it was not written from, also when its attempts are judged again', async () => {
    const ground = await withRules(bed);
    const all = await unitsIn(ground, (await evaluateToEnd(ground, ['one'], { judges: false })).run);
    const seen = all.slice(0, 3);
    const overlay = { ...clearer, writtenFrom: writtenFrom(seen) };
    const { run, record } = await evaluateToEnd(ground, [], {
      agents: [agent(ground, 'plain'), agent(ground, 'worded', { overlay })],
      sample: { units: 3 },
    });
    expect(await unitsIn(ground, run)).toEqual(all.slice(3));
    expect(record.preflight.warnings).toContainEqual(expect.stringMatching(/^3 units of the split are left out/));
    const [, worded] = record.agents;
    expect(worded).toMatchObject({ overlay: { writtenFrom: { evaluation: 'evl_earlier', units: 3 } } });
    const body = { judge: { ...agent(ground, 'x').endpoint, model: 'judge' } };
    const again = evaluationRecord.parse(
      expectStatus(await ground.workspace.post(`/v1/evaluations/${run}/rejudge`, body), 202),
    );
    await followEvaluation(ground, again.id);
    expect(await unitsIn(ground, again.id)).toEqual(all.slice(3));
    expect((await evaluationOf(ground, again.id)).status).toBe('completed');
  });

  test('is refused where no unit is left', async () => {
    const ground = await withRules(bed);
    const all = await unitsIn(ground, (await evaluateToEnd(ground, ['one'], { judges: false })).run);
    const agents = [agent(ground, 'worded', { overlay: { ...clearer, writtenFrom: writtenFrom(all) } })];
    const refused = await ground.workspace.post('/v1/evaluations', evaluationBody(ground, [], { agents }));
    expect(problemOf(refused)).toEqual([422, 'nothing-to-evaluate']);
    expect(refused.body).toMatchObject({ detail: expect.stringContaining('written from 4 units') });
  });
});

test('an overlay is refused for an agent that searches for its tools, and for one that knows nothing', async () => {
  const ground = await withRules(bed);
  const routing = agent(ground, 'one', { loop: 'routing', overlay: exchanged });
  const blind = { name: 'blind', loop: 'null', policy: 'call-everything', overlay: exchanged };
  for (const each of [routing, blind]) {
    const refused = await ground.workspace.post('/v1/evaluations', evaluationBody(ground, [], { agents: [each] }));
    expect(problemOf(refused)).toEqual([400, 'invalid-request']);
  }
});
