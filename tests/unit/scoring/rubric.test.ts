import { describe, expect, it } from 'vitest';
import { scoreOverall } from '#core/scoring/overall.ts';
import { repetitions, rubric, rubricAnswer, scoreRubric, type RubricAnswer } from '#core/scoring/rubric.ts';
import { rubricParts, shuffleRubric } from '#core/scoring/rubric-parts.ts';
import { defaultScoring } from '#core/scoring/parameters.ts';
import type { Judges } from '#core/scoring/scorer.ts';
import { makeScore, makeUnscored, type Judged, type Score } from '#core/scoring/score.ts';
import { traceOf } from './steps.ts';

const marks = (...values: readonly number[]): RubricAnswer => ({
  marks: rubricParts.map((part, at) => ({ part, why: `why ${part}`, mark: values[at] ?? values[0] ?? 1 })),
});
const read = (...values: readonly number[]): Judged<RubricAnswer> => ({ ok: true, value: marks(...values) });
const unread = { ok: false, reason: 'judge-unparsed' } as const;
const attempt = { ...traceOf('s/a'), finalText: 'Done.' };

describe('the rubric', () => {
  it('is the mean of the marks of the answers, a tenth each, with their spread', () => {
    const score = scoreRubric(attempt, [read(6), read(8), read(10, 8, 6, 4, 2, 6)]);
    expect(score.value).toBeCloseTo(2 / 3);
    expect(score.parts).toMatchObject({ fulfilment: [6, 8, 10], economy: [6, 8, 6], parsed: 3 });
    expect(score.parts.spread).toBeCloseTo(Math.sqrt((2 * (2 / 30) ** 2 + (4 / 30) ** 2) / 2));
    expect(score.parts.reasons[0]).toBe('why fulfilment');
  });

  it('leaves out answers that cannot be read, and is unscored without any: never 0', () => {
    expect(scoreRubric(attempt, [unread, read(5), unread])).toMatchObject({
      value: 0.5,
      parts: { parsed: 1, spread: null },
    });
    expect(scoreRubric(attempt, [unread, unread])).toMatchObject({ value: null, reason: 'judge-unparsed' });
  });

  it('takes no answer that lacks a mark, gives one twice or leaves the scale', () => {
    const whole = marks(5);
    expect(rubricAnswer.safeParse(whole).success).toBe(true);
    const [first, ...rest] = whole.marks;
    if (first === undefined) throw new Error('there are marks');
    for (const broken of [
      rest,
      [first, ...rest.slice(1), first],
      [{ ...first, mark: 11 }, ...rest],
      [{ ...first, mark: 0 }, ...rest],
    ])
      expect(rubricAnswer.safeParse({ marks: broken }).success).toBe(false);
  });

  it('has the lowest marks without a call and an answer, and asks nobody', async () => {
    const judges: Judges = {
      ask: () => Promise.reject(new Error('asked')),
      soleJudge: null,
      askPanel: () => Promise.reject(new Error('asked')),
      embed: () => Promise.reject(new Error('asked')),
      getSubIntents: () => Promise.reject(new Error('asked')),
    };
    const asked = { request: 'Do it.', response: ' ', steps: [], sawWholeResults: false, scoring: defaultScoring };
    const grading = await rubric.grade(asked, judges);
    const trace = { steps: [], finalText: ' ' };
    const scoreOf = (): Score => makeUnscored('not-judged', {});
    expect(grading({ scoring: defaultScoring, chain: [], origins: [], trace, scoreOf })).toMatchObject({ value: 0.1 });
  });

  it('is asked five times, each with its own repetition and the rubric in an order that the task determines', async () => {
    const asked: { readonly repetition: number | undefined; readonly variables: Readonly<Record<string, unknown>> }[] =
      [];
    const judges: Judges = {
      ask: async ({ schema }, variables, repetition) => {
        asked.push({ repetition, variables });
        return { ok: true, value: schema.parse(marks(7)) };
      },
      soleJudge: null,
      askPanel: () => Promise.reject(new Error('asked')),
      embed: () => Promise.reject(new Error('asked')),
      getSubIntents: () => Promise.reject(new Error('asked')),
    };
    const { steps } = traceOf('s/a', 's/b');
    await rubric.grade(
      {
        request: 'Well, you know.',
        response: 'Done.',
        steps: [...steps, ...traceOf('s/c').steps],
        sawWholeResults: false,
        scoring: defaultScoring,
        background: {
          concrete: 'Do a, then b.',
          dependencies: 'b needs a',
          tools: [{ name: 's/a', description: 'A' }],
        },
      },
      judges,
    );
    expect(asked.map(({ repetition }) => repetition)).toEqual([0, 1, 2, 3, 4]);
    expect(asked).toHaveLength(repetitions);
    expect(asked[0]?.variables).toMatchObject({
      request: 'Well, you know.',
      task: 'Do a, then b.',
      dependencies: 'b needs a',
      tools: [{ name: 's/a', description: 'A' }],
      rounds: [
        {
          round: 1,
          calls: [
            { call: 1, tool: 's/a' },
            { call: 3, tool: 's/c' },
          ],
        },
        { round: 2, calls: [{ call: 2, tool: 's/b' }] },
      ],
    });
    expect(asked.map(({ variables }) => variables['rubric'])).toEqual(
      [0, 1, 2, 3, 4].map((at) => shuffleRubric('Do a, then b.', at)),
    );
  });

  it('keeps its words in every order, and comes in several', () => {
    const orders = Array.from({ length: 20 }, (_, at) => shuffleRubric('x', at));
    const texts = orders.map((order) =>
      order.flatMap(({ parts }) => parts.map(({ part, asks }) => `${part}: ${asks}`)),
    );
    for (const text of texts) expect(text.toSorted()).toEqual(texts[0]?.toSorted());
    expect(new Set(texts.map((text) => text.join())).size).toBeGreaterThan(10);
  });
});

describe('the overall score', () => {
  const scores = (given: Readonly<Record<string, Score>>) => (scorer: { readonly key: string }) =>
    given[scorer.key] ?? makeUnscored('not-judged', {});
  const of = (request: number, fuzzy: number): Score => makeScore((request + fuzzy) / 2, { request, fuzzy });

  it('is the mean of the rules and the three axes of the rubric, by request', () => {
    const score = scoreOverall(
      scores({ validnames: of(1, 1), validarguments: of(1, 0.5), callsuccess: of(1, 0), rubric: of(0.6, 0.2) }),
    );
    expect(score.parts.request).toBeCloseTo((1 + 3 * 0.6) / 4);
    expect(score.parts.fuzzy).toBeCloseTo((0.5 + 3 * 0.2) / 4);
    expect(score.value).toBeCloseTo((0.7 + 0.275) / 2);
    expect(score.parts).toMatchObject({ rules: 0.75, judged: 0.4 });
  });

  it('counts an attempt without calls as 0 by the rules', () => {
    const none = makeUnscored('no-calls', { request: null });
    const score = scoreOverall(
      scores({ validnames: none, validarguments: none, callsuccess: none, rubric: makeScore(0.4, { request: 0.4 }) }),
    );
    expect(score).toMatchObject({ value: expect.closeTo(0.3), parts: { rules: 0, fuzzy: null } });
  });

  it('is unscored where the rubric is, or where a share is missing for another reason', () => {
    const share = of(1, 1);
    const shares = { validnames: share, validarguments: share, callsuccess: share };
    expect(scoreOverall(scores({ ...shares, rubric: makeUnscored('judge-unparsed', {}) }))).toMatchObject({
      value: null,
      reason: 'judge-unparsed',
    });
    const old = makeUnscored('earlier-release', {});
    expect(scoreOverall(scores({ ...shares, validnames: old, rubric: share }))).toMatchObject({
      value: null,
      reason: 'earlier-release',
    });
  });
});
