import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeIsolateRunner } from '#adapters/programs/isolate.ts';
import type { ProgramReply } from '#core/ports.ts';
import worker from '../../src/index.ts';
import { caseOf, evaluateToEnd, evaluationBody, frozen, withRules, type TestBed } from '../support/evaluation.ts';

/** Programs in isolates of a Worker Loader, as a deployment runs them, and an evaluation of agents that write them. */

describe('a program in an isolate', () => {
  const { PROGRAM_LOADER: loader } = env;
  if (loader === undefined) throw new Error('wrangler.toml has no loader');
  const echo = async (_: string, argumentsText: string): Promise<ProgramReply> => ({
    ok: true,
    text: argumentsText,
    json: null,
  });
  const run = (code: string, signal = new AbortController().signal, call = echo) =>
    makeIsolateRunner(loader)({ code, outputChars: 100 }, call, signal);

  test('calls tools and returns', async () => {
    expect(await run('return (await tools.a({ x: 2 })).x')).toEqual({
      kind: 'returned',
      text: '2',
      truncated: false,
      printed: '',
    });
  });

  test('comes back with message and line of its error', async () => {
    expect(await run('const x = 1;\nconst y = ;')).toMatchObject({ kind: 'threw', line: 2 });
    expect(await run('\n\nnull.x')).toMatchObject({ kind: 'threw', line: 3 });
  });

  test('has no network', async () => {
    expect(await run(`await fetch('https://example.com')`)).toMatchObject({ kind: 'threw' });
  });

  test('returns only so much', async () => {
    expect(await run(`return 'x'.repeat(1e6)`)).toMatchObject({ text: 'x'.repeat(100), truncated: true });
  });

  test('that waits for nothing is told so', async () => {
    expect(await run('await new Promise(() => {})')).toMatchObject({
      kind: 'threw',
      message: 'it waits for something that never comes',
    });
  });

  test('is left alone when the signal aborts', async () => {
    const end = await run('await new Promise((resolve) => setTimeout(resolve, 5000))', AbortSignal.timeout(200));
    expect(end).toEqual({ kind: 'stopped', why: 'signal', printed: '' });
  });
});

describe('agents that write programs', () => {
  let bed: TestBed;
  beforeAll(async () => {
    bed = await frozen(2);
  });
  const bodyOf = (ground: TestBed) => {
    const body = evaluationBody(ground, ['one'], { judges: false });
    return { ...body, agents: body.agents.map((agent) => ({ ...agent, loop: 'code' })) };
  };

  test('make all calls of a unit in one program, and are measured by the calls', async () => {
    const ground = await withRules(bed);
    const { agents, ...more } = bodyOf(ground);
    const { run, record, cases, results } = await evaluateToEnd(ground, [], { ...more, agents });
    expect(record).toMatchObject({ status: 'completed', progress: { made: 4, notEvaluated: 0 } });
    expect(record.provenance.prompts).toContain('agent-code@v1');
    for (const { id } of cases) {
      const { traces } = await caseOf(ground, run, id);
      const { steps = [], programs, turns } = traces['source'] ?? {};
      expect(steps.length).toBeGreaterThan(0);
      expect(programs).toMatchObject([{ end: 'returned', after: 0, calls: steps.length, turn: 1 }]);
      expect(turns).toBe(2);
      expect(new Set(steps.map(({ turn }) => turn))).toEqual(new Set([1]));
    }
    expect(results('one').scores.tcs).toMatchObject({ mean: 1, n: 2 });
  });

  test('are refused where nothing can run programs, before any model is asked', async () => {
    const ground = await withRules(bed);
    const request = new Request<unknown, IncomingRequestCfProperties>('https://sextant.test/v1/evaluations', {
      method: 'POST',
      headers: { authorization: `Bearer ${ground.workspace.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(ground)),
    });
    const answer = await worker.fetch(request, { ...env, PROGRAM_LOADER: undefined }, createExecutionContext());
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('one has the loop code, and this deployment has no isolates');
    expect(await ground.model.asked()).toEqual([]);
  });
});
