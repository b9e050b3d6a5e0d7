import { beforeAll, describe, expect, test } from 'vitest';
import { expectStatus } from '../support/workspace.ts';
import { modelKey } from '../support/exploration.ts';
import {
  askedFor,
  caseOf,
  evaluateToEnd,
  evaluationBody,
  frozen,
  withRules,
  type TestBed,
} from '../support/evaluation.ts';

/** Agents that search for their tools, in the real workflow on scripted servers and models. */

let bed: TestBed;
beforeAll(async () => {
  bed = await frozen(2);
});

/** The body of an evaluation without judges, whose agents search, and find that many tools. */
const bodyOf = (ground: TestBed, agents: readonly string[], tools = 50) => {
  const embedder = { baseUrl: ground.model.baseUrl, model: 'searcher', apiKey: modelKey, promptPricePerMTok: 10 };
  const body = evaluationBody(ground, agents, { judges: false, mounting: { kind: 'max-scale' } });
  return {
    ...body,
    agents: body.agents.map((agent) => ({ ...agent, loop: 'routing', retrieval: { tools, embedder } })),
  };
};

const evaluateRouting = async (ground: TestBed, agents: readonly string[], tools?: number) => {
  const { agents: choices, ...more } = bodyOf(ground, agents, tools);
  return evaluateToEnd(ground, [], { ...more, agents: choices });
};

describe('agents that search for their tools', () => {
  test('find them, call them, and are measured by the calls alone', async () => {
    const ground = await withRules(bed);
    const { run, record, cases, results } = await evaluateRouting(ground, ['one']);
    expect(record).toMatchObject({ status: 'completed', progress: { attempts: 4, made: 4, notEvaluated: 0 } });
    expect(record.agents).toMatchObject([{ loop: 'routing', retrieval: { tools: 50, embedder: 'searcher' } }]);
    expect(record.provenance.prompts).toContain('agent-routing@v2');
    for (const { id, attempts } of cases) {
      const { traces } = await caseOf(ground, run, id);
      const trace = traces['source'];
      expect(trace?.routes).toMatchObject([{ after: 0, turn: 1 }]);
      const found = trace?.routes?.[0]?.tools.map(({ name }) => name) ?? [];
      expect(trace?.steps.length).toBeGreaterThan(0);
      for (const { tool, turn } of trace?.steps ?? []) {
        expect(found).toContain(tool);
        expect(turn).toBeGreaterThan(1);
      }
      expect(attempts['source']?.calls).toHaveLength(trace?.steps.length ?? 0);
    }
    expect(results('one').scores.tcs).toMatchObject({ mean: 1, n: 2 });
    const { perAttempt, routingErrors } = results('one');
    expect(perAttempt).toMatchObject({ routes: 1, turns: (perAttempt.calls ?? 0) + 2 });
    // Nobody judged, so why attempts failed is not known.
    expect(routingErrors).toBeNull();
  });

  test('load what they find as functions, and call no other', async () => {
    const ground = await withRules(bed);
    const { agents, ...more } = bodyOf(ground, ['one']);
    const loading = agents.map((agent) => ({ ...agent, loop: 'tool-search' }));
    const { run, record, cases, results } = await evaluateToEnd(ground, [], { ...more, agents: loading });
    expect(record).toMatchObject({ status: 'completed', progress: { made: 4, notEvaluated: 0 } });
    expect(record.provenance.prompts).toContain('agent-tool-search@v1');
    for (const { id } of cases) {
      const { traces } = await caseOf(ground, run, id);
      const trace = traces['source'];
      expect(trace?.routes).toMatchObject([{ after: 0, turn: 1 }]);
      expect(trace?.steps.length).toBeGreaterThan(0);
      for (const { turn } of trace?.steps ?? []) expect(turn).toBeGreaterThan(1);
    }
    expect(results('one').scores.tcs).toMatchObject({ mean: 1, n: 2 });
    expect(results('one').perAttempt).toMatchObject({ routes: 1 });
  });

  test('call tools that are shown to them without a search, where they load the others', async () => {
    const ground = await withRules(bed);
    const { agents, ...more } = bodyOf(ground, ['one']);
    const shown = ['fruit/apple'];
    const loading = agents.map((agent) => ({
      ...agent,
      loop: 'tool-search',
      retrieval: { ...agent.retrieval, shown },
    }));
    const { run, record, cases } = await evaluateToEnd(ground, [], { ...more, agents: loading });
    expect(record).toMatchObject({ status: 'completed', agents: [{ retrieval: { shown } }] });
    const { traces } = await caseOf(ground, run, cases[0]?.id ?? '');
    const found = traces['source']?.routes?.[0]?.tools.map(({ name }) => name);
    expect(found).toHaveLength(9);
    expect(found).not.toContain('fruit/apple');
  });

  test('are refused if a tool that is to be shown is not there, or their loop shows none', async () => {
    const { agents, ...more } = bodyOf(bed, ['one']);
    const post = (loop: string, shown: readonly string[]) =>
      bed.workspace.post('/v1/evaluations', {
        ...more,
        agents: agents.map((agent) => ({ ...agent, loop, retrieval: { ...agent.retrieval, shown } })),
      });
    expect(expectStatus(await post('tool-search', ['nowhere/nothing']), 400)).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('the evaluation has no tool nowhere/nothing'),
    });
    expect(expectStatus(await post('routing', ['fruit/apple']), 400)).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('retrieval.shown is only for tool-search'),
    });
  });

  test('share the vectors of their tools, which are computed and paid for once', async () => {
    const ground = await withRules(bed);
    const { record, cases } = await evaluateRouting(ground, ['one', 'two']);
    // One request for all servers and tools, and one for each attempt.
    expect((await askedFor(ground))['embeddings']).toBe(1 + 8);
    const spent = cases.flatMap(({ attempts }) => Object.values(attempts).map(({ usage }) => usage.calls));
    expect(record.usage.calls).toBe(spent.reduce((sum, calls) => sum + calls, 0) + 1);
  });

  test('see no more tools than their retrieval allows, best first', async () => {
    const ground = await withRules(bed);
    const { run, cases } = await evaluateRouting(ground, ['one'], 2);
    const { traces } = await caseOf(ground, run, cases[0]?.id ?? '');
    const fits = traces['source']?.routes?.[0]?.tools.map(({ fit }) => fit ?? Number.NaN) ?? [];
    expect(fits).toHaveLength(2);
    expect(fits).toEqual(fits.toSorted((a, b) => b - a));
  });

  test('have a class of error where a judge found that they failed', async () => {
    const failure = { goals: [{ goal: 1, why: 'nothing was done', achieved: false }], why: 'no', success: false };
    const ground = await withRules(bed, {
      form: 'success',
      behaviour: { kind: 'content', content: JSON.stringify(failure) },
    });
    const { agents, ...more } = bodyOf(ground, ['one'], 1);
    const { results, cases } = await evaluateToEnd(ground, [], {
      ...more,
      judges: true,
      protocol: 'live-mcp-bench',
      agents,
    });
    expect(results('one').scores.success).toMatchObject({ mean: 0 });
    // One tool is shown, which is too few for any unit; the scripted agent searches for the whole request.
    const failed = cases.filter(({ scores }) => scores.success?.value === 0);
    expect(failed.length).toBeGreaterThan(0);
    for (const { attempts, scores } of cases)
      expect(attempts['source']?.routingError).toBe(scores.success?.value === 0 ? 'retrieve' : undefined);
    expect(results('one').routingErrors).toMatchObject({ retrieve: failed.length, query: 0 });
  });

  test('are not evaluated if their embedder breaks, while others are', async () => {
    const ground = await withRules(bed, { form: 'embeddings', behaviour: { kind: 'status', status: 400 } });
    const { agents: searching, ...more } = bodyOf(ground, ['one']);
    const { agents: seeing } = evaluationBody(ground, ['two']);
    const { record, results } = await evaluateToEnd(ground, [], { ...more, agents: [...searching, ...seeing] });
    expect(record).toMatchObject({ status: 'completed' });
    expect(results('one')).toMatchObject({ attempts: 4, notEvaluated: 4 });
    expect(results('two')).toMatchObject({ attempts: 4, notEvaluated: 0 });
  });

  test('are the only ones that may have a retrieval', async () => {
    const { agents, ...more } = bodyOf(bed, ['one']);
    const wrong = agents.map((agent) => ({ ...agent, loop: 'function-calling' }));
    const answer = await bed.workspace.post('/v1/evaluations', { ...more, agents: wrong });
    expect(expectStatus(answer, 400)).toMatchObject({ code: 'invalid-request' });
  });
});
