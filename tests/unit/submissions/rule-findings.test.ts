import { makeSentStep } from '#agents/steps.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  attemptFindings,
  hasTooManyFaultsHoweverItEnds,
  listDoubleAndMissingFindings,
  findingsOfTooManyFaults,
  headerFindings,
  type SubmissionRules,
} from '#core/leaderboards/submissions/rule-findings.ts';
import { groupMountableToolsByServer } from '#core/units/mounting/mountable-catalog.ts';
import type { Mounting } from '#core/units/mounting/mounting.ts';
import {
  configurationDigest,
  traceLineSortKey,
  type TraceHeader,
  type TraceLine,
} from '#core/leaderboards/submissions/trace-file.ts';
import { allAttempts, attemptAt, chains, header, scoredAnew } from '../../support/trace-file.ts';

const rules: SubmissionRules = {
  protocol: 'sgvef',
  catalog: 'cat_1',
  harness: 'sextant@0.1.0',
  trials: 2,
  units: new Map(
    Object.entries(chains).map(([id, chain]) => [
      id,
      { requests: ['source', 'followUp'], chain: [...chain], arguments: [] },
    ]),
  ),
  tools: groupMountableToolsByServer(
    ['fruit/apple', 'fruit/pear', 'trees/birch', 'trees/cedar'].map((name) => ({
      name,
      server: name.split('/')[0] ?? '',
      effect: 'reads',
      size: 1,
      schemaTokens: 100,
    })),
  ),
  mounting: { kind: 'oracle' },
  seed: 1,
  now: Date.parse('2026-03-01T13:00:00.000Z'),
};

type Attempt = Omit<TraceLine, 'sha256'>;

async function found(change: (attempt: Attempt) => Attempt, of: TraceHeader = header) {
  const line = { ...change(await attemptAt('u_1', 1, 'source')), sha256: '' };
  return (
    await attemptFindings(line, 7, { header: of, configuration: await configurationDigest(of.configuration), rules })
  ).map(({ kind, where, message }) => ({ kind, where, message }));
}

const withTrace = (attempt: Attempt, trace: Partial<Attempt['trace']>): Attempt =>
  scoredAnew({ ...attempt, trace: { ...attempt.trace, ...trace } });

describe('the header of a trace file', () => {
  test('is accepted if it fits the leaderboard', async () => {
    expect(await headerFindings(header, rules)).toEqual([]);
  });

  const wrong: [string, Partial<TraceHeader>, string, RegExp][] = [
    ['another catalog', { catalog: 'cat_2' }, 'catalog', /the leaderboard's is cat_1/],
    ['another harness', { harness: 'sextant@9' }, 'harness', /takes those of sextant@0\.1\.0/],
    ['too few trials', { trials: 1 }, 'trials', /the leaderboard wants 2/],
    [
      'another mounting',
      { configuration: { ...header.configuration, mounting: { kind: 'max-scale' } } },
      'mounting',
      /with the mounting max-scale; the leaderboard's is oracle/,
    ],
    ['a future time', { createdAt: '2026-03-02T13:00:00.000Z' }, 'impossible-time', /in the future/],
  ];
  test.each(wrong)('is refused with %s', async (_name, change, kind, message) => {
    const [finding, ...more] = await headerFindings({ ...header, ...change }, rules);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ kind, where: 'line 1', message: expect.stringMatching(message) });
  });
});

test('calls of one round overlap if the agent plans, and calls of two rounds do not', async () => {
  const attempt = await attemptAt('u_1', 1, 'source');
  const of = { ...header, configuration: { ...header.configuration, loop: 'planning' } };
  const configuration = await configurationDigest(of.configuration);
  const timesOf = async (loop: TraceHeader, turns: readonly number[]) => {
    const steps = attempt.trace.steps
      .slice(0, 2)
      .map((each, at) => ({ ...each, latencyMs: 2_000, turn: turns[at] ?? 1 }));
    const line = { ...withTrace(attempt, { durationMs: 2_100, steps }), sha256: '', configuration };
    const all = await attemptFindings(line, 7, { header: loop, configuration, rules });
    return all.flatMap(({ kind, message }) => (kind === 'impossible-time' ? [message] : []));
  };
  expect(await timesOf(of, [1, 1])).toEqual([]);
  expect(await timesOf(of, [1, 2])).toEqual([expect.stringContaining('calls took 4000 ms')]);
  expect(await timesOf(header, [1, 1])).toEqual([expect.stringContaining('calls took 4000 ms')]);
});

describe('the mounting of a trace file', () => {
  const mounted = (mounting: Mounting, seed = 1): TraceHeader => ({
    ...header,
    seed,
    configuration: { ...header.configuration, mounting },
  });
  const drawn: Mounting = { kind: 'distractors', servers: 1 };

  test('is oracle if an earlier release wrote the file and named none', async () => {
    expect(await headerFindings(header, rules)).toEqual([]);
    expect(await headerFindings(header, { ...rules, mounting: drawn })).toMatchObject([{ kind: 'mounting' }]);
  });

  test('has to be drawn by the seed of the leaderboard, because another seed mounts other servers', async () => {
    expect(await headerFindings(mounted(drawn), { ...rules, mounting: drawn })).toEqual([]);
    expect(await headerFindings(mounted(drawn, 7), { ...rules, mounting: drawn })).toMatchObject([
      { kind: 'mounting', message: "the mounted tools were drawn by the seed 7; the leaderboard's is 1" },
    ]);
    expect(await headerFindings(mounted({ kind: 'oracle' }, 7), rules)).toEqual([]);
  });

  test('says whether a call of a tool outside of the chain could reach a server', async () => {
    const attempt = await attemptAt('u_1', 1, 'source');
    const steps = attempt.trace.steps.map((each, at) => (at === 0 ? { ...each, tool: 'trees/cedar' } : each));
    const line = { ...withTrace(attempt, { steps }), sha256: '' };
    const findWith = async (mounting: Mounting) => {
      const of = mounted(mounting);
      const configuration = await configurationDigest(of.configuration);
      const found = await attemptFindings({ ...line, configuration }, 7, {
        header: of,
        configuration,
        rules: { ...rules, mounting },
      });
      return found.map(({ kind }) => kind);
    };
    expect(await findWith({ kind: 'oracle' })).toEqual(['unmounted-tool']);
    expect(await findWith(drawn)).toEqual([]);
    expect(await findWith({ kind: 'max-scale' })).toEqual([]);
  });
});

describe('an attempt of a trace file', () => {
  test('is accepted unchanged', async () => {
    for (const attempt of await allAttempts())
      expect(
        await attemptFindings({ ...attempt, sha256: '' }, 2, { header, configuration: attempt.configuration, rules }),
      ).toEqual([]);
  });

  const step = (attempt: Attempt, place: number) => attempt.trace.steps[place] ?? expect.fail('no such step');
  const wrong: [string, (attempt: Attempt) => Attempt, string, RegExp][] = [
    ['by another agent', (a) => ({ ...a, agent: 'hasty' }), 'configuration', /by hasty; the file is of steady/],
    [
      'by another configuration',
      (a) => ({ ...a, configuration: '0'.repeat(64) }),
      'configuration',
      /another configuration/,
    ],
    ['at a unit that is not there', (a) => ({ ...a, unit: 'u_9' }), 'unknown-unit', /no such public unit/],
    ['at a request that is not there', (a) => ({ ...a, side: 'fuzzy' }), 'unknown-request', /source and followUp/],
    ['of a trial too many', (a) => ({ ...a, trial: 3 }), 'trials', /wants 2 trials/],
    [
      'whose score was changed',
      (a) => ({ ...a, scores: { ...a.scores, tcs: 0.5 } }),
      'changed-content',
      /TCS is said to be 0\.5; its calls give 1/,
    ],
    [
      'from which the first call was taken',
      (a) => withTrace(a, { steps: a.trace.steps.slice(1) }),
      'impossible-size',
      /a call is missing/,
    ],
    [
      'from which the last call was taken',
      (a) => withTrace(a, { steps: a.trace.steps.slice(0, 1) }),
      'impossible-size',
      /took 3 turns; its calls and its answer make 2/,
    ],
    [
      'that says it was cheaper than its tokens',
      (a) => withTrace(a, { costUsd: a.trace.costUsd / 2 }),
      'changed-content',
      /its cost is said to be \$0\.00215; by the prices of its configuration its tokens cost \$0\.0043/,
    ],
    [
      'that took less than its trace',
      (a) => ({ ...a, spent: { ...a.spent, promptTokens: 249, relaunched: true } }),
      'impossible-size',
      /took 250 promptTokens; with what came before it that is said to be 249/,
    ],
    [
      'that took more than its trace, with nothing before it',
      (a) => ({ ...a, spent: { ...a.spent, completionTokens: 61 } }),
      'impossible-size',
      /took 60 completionTokens; .* said to be 61/,
    ],
    [
      'with a result that was changed',
      (a) => withTrace(a, { steps: [step(a, 0), { ...step(a, 1), text: 'better' }] }),
      'changed-content',
      /result of call 2/,
    ],
    [
      'that begins in the future',
      (a) => withTrace(a, { startedAt: '2026-03-02T13:00:00.000Z' }),
      'impossible-time',
      /in the future/,
    ],
    [
      'that ends after the file was written',
      (a) => withTrace(a, { durationMs: 7_200_000 }),
      'impossible-time',
      /still under way/,
    ],
    [
      'whose calls take longer than itself',
      (a) => withTrace(a, { durationMs: 15, steps: [{ ...step(a, 0), latencyMs: 2_000 }, step(a, 1)] }),
      'impossible-time',
      /calls took 2010 ms/,
    ],
    [
      'with a call of a tool that was not mounted',
      (a) => withTrace(a, { steps: [step(a, 0), { ...step(a, 1), tool: 'trees/cedar' }] }),
      'unmounted-tool',
      /trees\/cedar was not mounted/,
    ],
    [
      'with a call to a server that was not mounted, which is said to have broken',
      (a) => {
        const fault = { where: 'server', name: 'trees', code: 'timeout', detail: 'no answer in time' } as const;
        const late = { kind: 'fault', fault } as const;
        const call = { tool: 'trees/cedar', arguments: {}, latencyMs: 5, turn: step(a, 1).turn, turnTokens: null };
        return withTrace(a, { steps: [step(a, 0), makeSentStep({ ...call, outcome: late })] });
      },
      'unmounted-tool',
      /trees\/cedar was not mounted/,
    ],
    [
      'with a response that nobody would read',
      (a) => withTrace(a, { finalText: 'x'.repeat(32_001) }),
      'impossible-size',
      /response has 32001 characters/,
    ],
    [
      'with more calls than the gateway lets pass',
      (a) => withTrace(a, { steps: Array.from({ length: 1_001 }, () => step(a, 0)) }),
      'impossible-size',
      /made 1001 calls/,
    ],
    [
      'with more turns than the agent may take',
      (a) => withTrace(a, { turns: 3, steps: a.trace.steps }),
      'impossible-size',
      /limit is 2/,
    ],
    [
      'whose turns take more tokens than itself',
      (a) => withTrace(a, { promptTokens: 10 }),
      'impossible-size',
      /took 200 tokens/,
    ],
  ];
  test.each(wrong)('is refused with %s', async (_name, change, kind, message) => {
    const tight = { ...header, configuration: { ...header.configuration, limits: { turns: 2, parallelCalls: true } } };
    const isLimit = message.source.startsWith('limit');
    const all = await found(change, isLimit ? tight : header);
    expect(all).toContainEqual({
      kind,
      where: expect.stringContaining('line 7'),
      message: expect.stringMatching(message),
    });
  });

  test('may contain a failed call of a tool that does not exist', async () => {
    const failed = (a: Attempt) =>
      withTrace(a, {
        turns: 4,
        steps: [
          ...a.trace.steps,
          {
            tool: 'fruit/banana',
            arguments: {},
            outcome: 'failure',
            text: 'Unknown tool',
            truncated: false,
            sha256: null,
            fault: null,
            failure: { source: 'undecided' },
            turn: 3,
            turnTokens: 10,
            latencyMs: 0,
          },
        ],
      });
    expect(await found(failed)).toEqual([]);
  });
});

describe('the attempts of a trace file', () => {
  const placesOf = (attempts: readonly Attempt[]) =>
    attempts.map((attempt, at) => ({ place: traceLineSortKey(attempt), number: at + 2 }));

  test('are accepted if each is there once', async () => {
    expect(listDoubleAndMissingFindings(placesOf(await allAttempts()), rules)).toEqual([]);
  });

  test('are refused if one is there twice', async () => {
    const [first = expect.fail(), ...others] = await allAttempts();
    expect(listDoubleAndMissingFindings(placesOf([first, ...others, first]), rules)).toEqual([
      { kind: 'unit-twice', where: 'line 10', message: 'this attempt stands in line 2 too' },
    ]);
  });

  test('are refused if one or all are missing', async () => {
    const all = await allAttempts();
    expect(listDoubleAndMissingFindings(placesOf(all.slice(1)), rules)).toEqual([
      { kind: 'missing-unit', where: 'the file', message: 'these attempts are missing: u_1, trial 1, source' },
    ]);
    expect(listDoubleAndMissingFindings([], rules)[0]?.message).toMatch(/; and 3 more$/);
  });

  test('may be broken by faults occasionally', () => {
    expect(findingsOfTooManyFaults({ attempts: 99, notEvaluated: 0 })).toEqual([]);
    expect(findingsOfTooManyFaults({ attempts: 100, notEvaluated: 1 })).toEqual([]);
    expect(findingsOfTooManyFaults({ attempts: 20, notEvaluated: 1 })).toEqual([]);
    expect(findingsOfTooManyFaults({ attempts: 19, notEvaluated: 1 })).toMatchObject([{ kind: 'not-evaluated' }]);
    expect(findingsOfTooManyFaults({ attempts: 199, notEvaluated: 2 })).toMatchObject([{ kind: 'not-evaluated' }]);
    expect(
      findingsOfTooManyFaults({ attempts: 10, notEvaluated: 1 }, ['the server a: gone (1 time)'])[0]?.message,
    ).toMatch(/at most 1% may be missing\. What broke them: the server a: gone \(1 time\)$/);
  });

  test('are given up as soon as too many are broken for any split', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), fc.nat(20), fc.nat(20), (open, closed, brokenOpen, brokenClosed) => {
        const isFine = (attempts: number, notEvaluated: number) =>
          findingsOfTooManyFaults({ attempts, notEvaluated }).length === 0;
        const all = { attempts: open + closed, notEvaluated: brokenOpen + brokenClosed };
        expect(hasTooManyFaultsHoweverItEnds(all) && isFine(open, brokenOpen) && isFine(closed, brokenClosed)).toBe(
          false,
        );
      }),
    );
    expect(hasTooManyFaultsHoweverItEnds({ attempts: 120, notEvaluated: 2 })).toBe(false);
    expect(hasTooManyFaultsHoweverItEnds({ attempts: 120, notEvaluated: 3 })).toBe(true);
  });
});

describe('an attempt at a negative unit', () => {
  const negative: SubmissionRules = {
    ...rules,
    units: new Map([['u_n', { requests: ['source', 'followUp'], chain: [], arguments: [], looksLike: 'fruit/apple' }]]),
  };
  const findingsOf = async (scores: Attempt['scores'], tool?: string) => {
    const attempt = await attemptAt('u_1', 1, 'source');
    const steps = attempt.trace.steps.flatMap((step) => (tool === undefined ? [] : [{ ...step, tool }])).slice(0, 1);
    const line = { ...attempt, unit: 'u_n', scores, trace: { ...attempt.trace, steps }, sha256: '' };
    const configuration = await configurationDigest(header.configuration);
    const listed = await attemptFindings(line, 7, { header, configuration, rules: negative });
    return listed.map(({ message }) => message).filter((message) => /said to be|mounted/.test(message));
  };

  test('may state no score that its calls would give elsewhere', async () => {
    expect(await findingsOf({ tcs: null, tfd: null })).toEqual([]);
    expect(await findingsOf({ tcs: null, tfd: null }, 'fruit/apple')).toEqual([]);
    expect(await findingsOf({ tcs: 1, tfd: null })).toEqual([expect.stringContaining('TCS is said to be 1')]);
  });

  test('may call the tools of the server that it looks like something for, and no others under oracle', async () => {
    expect(await findingsOf({ tcs: null, tfd: null }, 'fruit/pear')).toEqual([]);
    expect(await findingsOf({ tcs: null, tfd: null }, 'trees/birch')).not.toEqual([]);
  });
});
