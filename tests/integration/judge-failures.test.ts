import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { makeOpenAiModels } from '#adapters/model/openai.ts';
import { prompts } from '#adapters/prompts/index.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { traceWithJudgedFailures } from '#core/traces/classify-trace.ts';
import type { Step } from '#core/traces/trace.ts';
import { judgeFailuresAndReportedErrors } from '../../workflows/steps/judge-failures.ts';
import { startScriptedModels, type ScriptedModels } from '../support/scripted-models.ts';
import type { Rule } from '../support/script.ts';
import { traceWith } from '../unit/evaluation/cases.ts';
import { stepFrom } from '../unit/scoring/steps.ts';

let models: ScriptedModels;
beforeAll(async () => {
  models = await startScriptedModels();
});
afterAll(() => models.close());

const tool: Tool = {
  name: 's/find',
  server: 's',
  domain: 'tests',
  category: 'testing',
  description: 'Finds what there is',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
};
const open = (text: string, more: Partial<Step> = {}): Step => ({ ...stepFrom('s/find!'), text, ...more });
const traceOf = (...steps: Step[]) => traceWith([], { steps });
const answers = (failure: string): Rule['behaviour'] => ({
  kind: 'content',
  content: JSON.stringify({ class: failure, why: 'so' }),
});

/** Judges the open failures of a trace with a judge that follows a script. */
async function judged(script: Rule[], trace: ReturnType<typeof traceOf>, tools: readonly Tool[] = [tool]) {
  const model = await models.make(script);
  const questioner = makeOpenAiModels(
    { judge: { baseUrl: model.url, apiKey: '', model: 'm', timeoutMs: 2_000, maxCompletionTokens: 500 } },
    {
      admission: new Admission(),
      fetch: makeGuardedFetch({ admission: new Admission(), allowLocal: true, maxBytes: 100_000 }),
      answerForm: prompts.answerForm,
      repair: prompts.repair,
      sleep: async () => undefined,
    },
  );
  const services = { context: async () => ({ seed: 5 }), judges: async () => questioner };
  const result = await judgeFailuresAndReportedErrors(services, {
    trace,
    tools,
    place: ['u', 'source', 'a', 1],
    role: 'judge',
  });
  return { ...result, asked: await model.asked() };
}

describe('failures that no rule decided', () => {
  const byRule: Step['failure'] = { source: 'rule', class: 'network-instability', rule: 'network-text' };

  test('are shown to the judge, and the same error of the same tool only once', async () => {
    const trace = traceOf(
      open('Oops', { arguments: { q: 'a' }, code: -32603 }),
      stepFrom('s/find'),
      open('fetch failed', { failure: byRule }),
      open('Oops', { arguments: { q: 'b' } }),
      stepFrom('s/find?'),
      open('Oops', { tool: 's/gone' }),
    );
    const script = [{ contains: 's/gone', behaviour: answers('invalid-artifact-reference') }];
    const { classes, calls, asked } = await judged(script, trace);
    const first = { class: 'precondition-violation', why: 'something has to come first' };
    expect(classes).toEqual([
      { step: 0, ...first },
      { step: 3, ...first },
      { step: 5, class: 'invalid-artifact-reference', why: 'so' },
    ]);
    expect(calls.map(({ role, prompt }) => [role, prompt])).toEqual([
      ['judge', 'judge-failure@v2'],
      ['judge', 'judge-failure@v2'],
    ]);
    expect(asked.map(({ form }) => form)).toEqual(['failure', 'failure']);
    expect(new Set(asked.map(({ seed }) => seed)).size).toBe(2);
    const question = asked.find(({ messages }) => !JSON.stringify(messages).includes('s/gone'));
    expect(question?.messages.at(-1)?.content).toContain(
      '{"marked":"error","arguments":{"q":"a"},"code":-32603,"text":"Oops"}',
    );
    expect(question?.messages.at(-1)?.content).toContain('"description":"Finds what there is"');
    expect(traceWithJudgedFailures(trace, classes).steps.map(({ failure }) => failure?.source)).toEqual([
      'model',
      undefined,
      'rule',
      'model',
      undefined,
      'model',
    ]);
  });

  test('are shown with results that report an error, which the judge may overrule', async () => {
    const reported = (text: string): Step => ({
      ...stepFrom('s/find'),
      text,
      reported: { rule: 'error-prefix' },
      failure: { source: 'undecided' },
    });
    const trace = traceOf(reported('Error: no such note'), reported('Error: the first line of a poem'));
    const script = [{ contains: 'poem', behaviour: answers('no-failure') }];
    const { classes, asked } = await judged(script, trace);
    expect(asked).toHaveLength(2);
    expect(asked.map(({ messages }) => JSON.stringify(messages).includes('marked\\":\\"success'))).toEqual([
      true,
      true,
    ]);
    const after = traceWithJudgedFailures(trace, classes).steps;
    expect(after.map(({ reported: mark }) => mark?.judged)).toEqual(['confirmed', 'overruled']);
    expect(after.map(({ failure }) => failure?.source)).toEqual(['model', undefined]);
    expect((await judged(script, { ...trace, steps: after })).asked).toEqual([]);
  });

  test('cause no question if there are none', async () => {
    const { asked, ...result } = await judged([], traceOf(stepFrom('s/find'), open('x', { failure: byRule })));
    expect([asked, result]).toEqual([[], { classes: [], calls: [] }]);
  });

  test('are shown to the judge in bounded size', async () => {
    const large = {
      ...tool,
      description: 'd'.repeat(9_000),
      inputSchema: { type: 'object', title: 't'.repeat(90_000) },
    };
    const step = open('e'.repeat(4_000), { arguments: { q: 'a'.repeat(30_000) } });
    const { classes, asked } = await judged([], traceOf(step), [large]);
    expect(classes).toHaveLength(1);
    expect(JSON.stringify(asked[0]?.messages).length).toBeLessThan(25_000);
  });

  test('cause at most twenty questions for a trace', async () => {
    const { classes, asked } = await judged([], traceOf(...Array.from({ length: 30 }, (_, i) => open(`Oops ${i}`))));
    expect([classes.length, asked.length]).toEqual([20, 20]);
    expect(classes.map(({ step }) => step)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  test("stay undecided, at a cost, if the judge's answer is unusable", async () => {
    const script: Rule[] = [
      { contains: 'Oops 1', behaviour: { kind: 'refusal' } },
      { contains: 'Oops 2', behaviour: answers('bad-luck') },
    ];
    const trace = traceOf(open('Oops 1'), open('Oops 2'), open('Oops 3'));
    const { classes, calls } = await judged(script, trace);
    expect(classes.map(({ step }) => step)).toEqual([2]);
    expect(calls.map(({ prompt }) => prompt).toSorted()).toEqual([
      'judge-failure@v2',
      'judge-failure@v2',
      'judge-failure@v2',
      'repair@v2',
    ]);
    expect(traceWithJudgedFailures(trace, classes).steps[0]?.failure).toEqual({ source: 'undecided' });
  });

  test('are not shown again to a judge that cannot be reached', async () => {
    const script: Rule[] = [{ behaviour: { kind: 'status', status: 401 } }];
    const steps = Array.from({ length: 12 }, (_, i) => open(`Oops ${i}`));
    const { classes, calls, asked } = await judged(script, traceOf(...steps));
    expect([classes, calls]).toEqual([[], []]);
    expect(asked.length).toBeLessThan(5);
  });
});
