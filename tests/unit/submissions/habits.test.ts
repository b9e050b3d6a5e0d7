import { describe, expect, test } from 'vitest';
import {
  noHabits,
  findingsOfFailingCalls,
  habitsAfterAttempt,
  findingsOfSuspiciousHabits,
} from '#core/leaderboards/submissions/habits.ts';
import { callsDigestOrNull, makeSketchOfAttempts } from '#core/leaderboards/submissions/sketch.ts';
import { attemptAt } from '../../support/trace-file.ts';

const { trace } = await attemptAt('u_1', 1, 'source');
const silent = { steps: [], finalText: 'Everything is fine.' };

describe('suspicious habits', () => {
  const habitsOf = (silentOnes: number) => {
    let habits = noHabits;
    for (let n = 0; n < 20; n += 1) habits = habitsAfterAttempt(habits, '', n < silentOnes ? silent : trace, false);
    return findingsOfSuspiciousHabits(habits).map(({ kind, where }) => [kind, where]);
  };

  test('are reported from a certain share on', () => {
    expect(habitsOf(0)).toEqual([]);
    expect(habitsOf(2)).toEqual([]);
    expect(habitsOf(3)).toEqual([['responses-without-calls', '3 of 20 attempts']]);
  });
});

test('an agent that works past the models that it has at the gateway has no cost that can be known', () => {
  const [step] = trace.steps;
  if (step === undefined) throw new Error('the trace has no step');
  const request = {
    model: 'm',
    wire: 'chat',
    status: 200,
    promptTokens: 9,
    completionTokens: 1,
    costUsd: 0,
    latencyMs: 1,
  } as const;
  const asking = (calls: string[]) => ({ ...request, calls });
  const kindsOf = (of: Parameters<typeof habitsAfterAttempt>[2], hasGatewayModels = true) =>
    findingsOfSuspiciousHabits(habitsAfterAttempt({ ...noHabits, attempts: 4 }, '', of, hasGatewayModels)).flatMap(
      ({ kind }) => (kind === 'model-bypassed' ? [kind] : []),
    );
  const twoSteps = { steps: [step, step], finalText: '' };
  const honest = { ...twoSteps, modelRequests: [asking(['mcp__a']), asking([])] };
  expect(kindsOf(honest), 'a client may call once more').toEqual([]);
  expect(kindsOf(twoSteps)).toEqual(['model-bypassed']);
  expect(kindsOf(twoSteps, false), 'an agent without models there is not watched').toEqual([]);
  expect(kindsOf({ ...twoSteps, modelRequests: [asking(['Bash'])], ownToolCalls: { Bash: 1 } })).toEqual([
    'model-bypassed',
  ]);
  const refused = { ...asking([]), status: 401, fault: 'http-status' } as const;
  expect(kindsOf({ steps: [], finalText: 'Done.', modelRequests: [refused] })).toEqual(['model-bypassed']);
  expect(kindsOf({ steps: [], finalText: 'Done.', modelRequests: [asking([])] })).toEqual([]);
});

test('answers with values that no call returned are a habit only where all results are known', () => {
  const inventing = { ...trace, finalText: 'The total is 98765432.' };
  const cut = { ...inventing, steps: trace.steps.map((step) => ({ ...step, truncated: true })) };
  const afterFour = (of: typeof trace) =>
    findingsOfSuspiciousHabits(habitsAfterAttempt({ ...noHabits, attempts: 4 }, '', of, false));
  expect(afterFour(inventing)).toMatchObject([{ kind: 'unreturned-results', where: '1 of 5 attempts' }]);
  expect(afterFour(cut)).toEqual([]);
});

const inputSchema = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
  },
};
const schemas = () => inputSchema;

test('most calls failing without success is a habit', () => {
  const summary = (mean: number | null) => ({ mean, low: null, high: null, n: 20, unscored: 0 });
  const kinds = (tfd: number | null, success: number | null) =>
    findingsOfFailingCalls({ tfd: summary(tfd), success: summary(success) }, 'success').map(({ kind, where }) => [
      kind,
      where,
    ]);
  expect(kinds(0.894, 0)).toEqual([['failing-calls', 'TFD 0.894, success 0.000']]);
  expect(kinds(0.51, 0.04)).toHaveLength(1);
  expect(kinds(0.894, null)).toHaveLength(1);
  for (const [tfd, success] of [
    [0.894, 0.05],
    [0.5, 0],
    [0, 0],
    [null, 0],
  ] as const)
    expect(kinds(tfd, success)).toEqual([]);
});

describe("the sketch of an agent's calls", () => {
  const withArguments = (args: Record<string, unknown>) => ({
    steps: trace.steps.map((step) => ({ ...step, arguments: { ...step.arguments, ...args } })),
  });

  test('does not depend on arguments that the schema does not name, also inside of others', async () => {
    const digest = await callsDigestOrNull('u_1', 'source', withArguments({ lines: [{ sku: 'a' }] }), schemas);
    const padded = withArguments({ _: 0, lines: [{ sku: 'a', note: 'x' }] });
    expect(await callsDigestOrNull('u_1', 'source', padded, schemas)).toBe(digest);
    expect(await callsDigestOrNull('u_1', 'source', withArguments({ lines: [{ sku: 'b' }] }), schemas)).not.toBe(
      digest,
    );
  });

  test('does not depend on case and spaces of values, nor on results, which a file may have made up', async () => {
    const digest = await callsDigestOrNull('u_1', 'source', withArguments({ code: 'New York' }), schemas);
    const { steps } = withArguments({ code: ' new  YORK\n' });
    const forged = steps.map((step) => ({
      ...step,
      text: 'made up',
      sha256: 'f'.repeat(64),
      outcome: 'failure' as const,
    }));
    expect(await callsDigestOrNull('u_1', 'source', { steps: forged }, schemas)).toBe(digest);
    expect(await callsDigestOrNull('u_1', 'source', withArguments({ code: 'York' }), schemas)).not.toBe(digest);
  });

  test('counts all arguments of a tool whose schema names none', async () => {
    const open = () => ({ type: 'object' });
    const [one, other] = await Promise.all(
      [0, 1].map((key) => callsDigestOrNull('u_1', 'source', withArguments({ key }), open)),
    );
    expect(one).not.toBe(other);
  });

  test('does not depend on time and cost', async () => {
    const digest = await callsDigestOrNull('u_1', 'source', trace, schemas);
    const slower = { ...trace, durationMs: 9, steps: trace.steps.map((step) => ({ ...step, latencyMs: 99 })) };
    expect(await callsDigestOrNull('u_1', 'source', slower, schemas)).toBe(digest);
    expect(await callsDigestOrNull('u_1', 'followUp', trace, schemas)).not.toBe(digest);
    const steps = trace.steps.map((step) => ({ ...step, arguments: { code: 'another' } }));
    expect(await callsDigestOrNull('u_1', 'source', { steps }, schemas)).not.toBe(digest);
  });

  test('does not depend on texts: a copy with one more space is a copy', async () => {
    const said = { ...trace, finalText: `${trace.finalText} ` };
    expect(await callsDigestOrNull('u_1', 'source', said, schemas)).toBe(
      await callsDigestOrNull('u_1', 'source', trace, schemas),
    );
  });

  test('is empty without a call', async () => {
    expect(await callsDigestOrNull('u_1', 'source', silent, schemas)).toBeNull();
  });

  test('has a bounded size and does not depend on order', () => {
    const digests = Array.from({ length: 500 }, (_, n) => String((n * 7919) % 500).padStart(4, '0'));
    expect(makeSketchOfAttempts([...digests, ...digests])).toEqual(makeSketchOfAttempts(digests.toReversed()));
    expect(makeSketchOfAttempts(digests)).toHaveLength(64);
    expect(makeSketchOfAttempts(digests)[0]).toBe('0000');
  });
});
