import { describe, expect, test } from 'vitest';
import { unitsCommitted } from '../support/exploration-state.ts';
import { endOf, exploreToEnd, prepare } from '../support/exploration.ts';
import type { Rule } from '../support/script.ts';

/** One round of one unit and its probe: both meet the same model. */
async function meet(rules: readonly Rule[], more: Record<string, unknown> = {}, status = 'completed') {
  const ground = await prepare({ rules });
  const { record, units } = await exploreToEnd(ground, { batch: 1, more });
  expect(record).toMatchObject({ status, units: { probes: 1 } });
  expect(unitsCommitted(record.units)).toBe(2);
  const asked = await ground.model.asked();
  return { record, units, asked, ends: units.map(({ unit }) => endOf(unit)), forms: asked.map(({ form }) => form) };
}

const nonsense = { kind: 'content', content: 'Certainly! Here is a poem about it.' } as const;

describe('a model that answers nonsense', () => {
  test.each(['scenario', 'metamorphic-pair', 'audit'])(
    'gets one repair attempt at the %s, and then the unit counts as rejected',
    async (form) => {
      const { record, ends, forms, asked } = await meet([{ form, behaviour: nonsense }]);
      expect(record.units).toMatchObject({ rejected: 1, accepted: 0 });
      expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(ends[0]?.reason).toEqual(expect.stringContaining('unparsed'));
      expect(forms.filter((each) => each === form).length).toBe(4);
      expect(record.usage.calls).toBe(asked.length);
      const repairs = asked.filter(({ messages }) =>
        messages.some(({ content }) => content.includes('could not be used')),
      );
      expect(repairs.length).toBe(2);
    },
  );

  test('only once gets its repair accepted', async () => {
    const { record, forms } = await meet([{ form: 'scenario', times: 2, behaviour: nonsense }]);
    expect(record.units).toMatchObject({ accepted: 1 });
    expect(forms.filter((form) => form === 'scenario').length).toBe(4);
  });

  const wrong: [string, string][] = [
    ['JSON of another form', '{"scenario": 7}'],
    ['an array', '[]'],
    ['a text out of bounds', JSON.stringify({ scenario: { request: 'x'.repeat(5_000), factQuery: 'q' }, why: '' })],
    ['nothing', ''],
  ];
  test.each(wrong)('includes one that answers %s', async (_what, content) => {
    const { ends } = await meet([{ form: 'scenario', behaviour: { kind: 'content', content } }]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('has a chain of tools that are no candidates rejected without refinement', async () => {
    const pair = {
      source: 'Do a',
      followUp: 'Do b',
      chain: ['fruit/nothing', 'moon/cheese'],
      arguments: [],
      facts: [],
    };
    const { ends, forms } = await meet([
      { form: 'metamorphic-pair', behaviour: { kind: 'content', content: JSON.stringify({ pair, why: '' }) } },
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(forms).not.toContain('refinement');
  });

  test('loses the unit after 4 draws if it never finds a scenario', async () => {
    const { record, units, forms } = await meet([{ form: 'scenario', behaviour: { kind: 'none' } }]);
    expect(record.units).toMatchObject({ lost: 1 });
    expect(units.map(({ unit }) => unit.drawn)).toEqual([4, 4]);
    expect(forms.filter((form) => form === 'scenario').length).toBe(8);
  });

  test('loses the units that a writer of the whole catalog leaves out', async () => {
    const ground = await prepare({
      rules: [{ form: 'catalog-pairs', behaviour: { kind: 'content', content: '{"pairs": []}' } }],
    });
    const { record } = await exploreToEnd(ground, { batch: 6, more: { strategy: 'gve' } });
    expect(record.units).toMatchObject({ lost: 6, probes: 1 });
  });
});

describe('a model that refuses or overruns', () => {
  test('has its unit rejected at once, without a repair', async () => {
    const { ends, forms } = await meet([{ form: 'metamorphic-pair', behaviour: { kind: 'refusal' } }]);
    expect(ends.map(({ status, reason }) => [status, reason.includes('refused')])).toEqual([
      ['rejected', true],
      ['rejected', true],
    ]);
    expect(forms.filter((form) => form === 'metamorphic-pair').length).toBe(2);
  });

  test('has its unit rejected when it runs out of tokens', async () => {
    const { ends } = await meet([{ form: 'scenario', behaviour: { kind: 'truncated' } }]);
    expect(ends.map(({ status, reason }) => [status, reason.includes('truncated')])).toEqual([
      ['rejected', true],
      ['rejected', true],
    ]);
  });

  test('is cut off after 10 MB, and its unit is rejected', async () => {
    const { ends } = await meet([{ form: 'scenario', behaviour: { kind: 'huge', bytes: 10_000_000 } }]);
    expect(ends.map(({ status, reason }) => [status, reason.includes('truncated')])).toEqual([
      ['rejected', true],
      ['rejected', true],
    ]);
  });

  test("gives the agent's own result if it refuses to be the agent, and the unit was not carried out", async () => {
    const { record, units, ends } = await meet([{ form: 'turn', behaviour: { kind: 'refusal' } }]);
    expect(record.units).toMatchObject({ accepted: 0, rejected: 1 });
    expect(ends[0]?.reason).toMatch(/^unexecuted: /);
    expect(units[0]?.unit.executions).toMatchObject({
      source: { end: 'refused', calls: [] },
      followUp: { end: 'refused' },
    });
  });

  test('runs out of turns if it calls tools forever', async () => {
    const { units } = await meet([], { agent: { turns: 2 } });
    expect(units[1]?.unit.executions.source).toMatchObject({ end: 'turn-limit' });
  });
});

// They mostly wait.
describe.concurrent('a model that never answers', () => {
  test('is an infrastructure fault as critic, and the unit is dropped', async () => {
    const { record, units, ends } = await meet([{ form: 'audit', behaviour: { kind: 'hang' } }], {}, 'failed');
    expect(record.units).toMatchObject({ dropped: 1 });
    expect(record.reason).toBe('no unit could be carried out (budget: rounds used up)');
    expect(ends.map(({ status }) => status)).toEqual(['dropped', 'dropped']);
    expect(units[0]?.unit.faults).toMatchObject([{ where: 'model', name: 'critic', code: 'timeout' }]);
  });

  test("is the agent's own result when the attempt's time is up", async () => {
    const { record, units } = await meet([{ form: 'turn', behaviour: { kind: 'hang' } }], { agent: { timeMs: 1_000 } });
    expect(record.units).toMatchObject({ accepted: 0, rejected: 1 });
    expect(units[1]?.unit.executions.source?.end).toBe('time-limit');
  });

  test('is an infrastructure fault as agent while time is left, and the unit is dropped', async () => {
    const rules = [{ form: 'turn', behaviour: { kind: 'hang' } }] as const;
    const { record } = await meet(rules, { agent: { timeMs: 60_000 } }, 'failed');
    expect(record.units).toMatchObject({ dropped: 1 });
  });
});

describe('a failing model endpoint', () => {
  test('is retried after a 429 with Retry-After, and nothing is lost', async () => {
    const { record, forms } = await meet([
      { form: 'scenario', times: 2, behaviour: { kind: 'status', status: 429, headers: { 'retry-after': '0' } } },
      { form: 'turn', times: 1, behaviour: { kind: 'status', status: 503, headers: { 'retry-after-ms': '20' } } },
    ]);
    expect(record.units).toMatchObject({ accepted: 1 });
    expect(forms.filter((form) => form === 'scenario').length).toBe(4);
    // Only answers are paid for.
    expect(record.usage.calls).toBe(forms.length - 3);
  });

  test.each([
    [500, 'http-status', 10],
    [400, 'http-status', 2],
    [404, 'http-status', 2],
  ])('has its unit dropped after endless %i, without repeating its text', async (status, code, requests) => {
    const { record, units, forms } = await meet(
      [{ form: 'scenario', behaviour: { kind: 'status', status, headers: { 'retry-after-ms': '5' } } }],
      {},
      'failed',
    );
    expect(record.units).toMatchObject({ dropped: 1 });
    expect(units[0]?.unit.faults).toMatchObject([{ where: 'model', name: 'writer', code }]);
    expect(forms.length).toBe(requests);
    expect(JSON.stringify(units)).not.toContain('secret of the endpoint');
  });
});
