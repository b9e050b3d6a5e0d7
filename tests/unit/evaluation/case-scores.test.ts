import { expect, test } from 'vitest';
import { caseAfterStageResult, type EvaluationCase } from '#core/evaluation/case.ts';
import { makeFiguresOfFinishedCaseOrNull, computeCaseScoresOrNone } from '#core/evaluation/case-figures.ts';
import { scorerKeys } from '#core/evaluation/scorers.ts';
import { begun, chain, finished, judged, made } from './cases.ts';

const traits = new Map(chain.map((tool) => [tool, { server: 'fruit', domain: 'food', category: 'read' }]));
const done = finished({ unit: 'u', agent: 'a' }, { tools: chain }, { tools: chain.slice(0, 1) });

test('a finished case has a score by each scorer, with its parts', () => {
  const scores = computeCaseScoresOrNone(done, traits);
  expect(Object.keys(scores).toSorted()).toEqual([...scorerKeys].toSorted());
  expect(scores.mtc?.parts).toEqual({ sa: 0.5, so: 0.5, pa: 0.5, fa: 0.5 });
  expect(scores.tcs).toMatchObject({ value: 0.875, parts: { source: 1, followUp: 0.75 } });
});

test('a case with one request has scores, but no consistency and no failure pattern', () => {
  const results = [made('request', ['fruit/apple']), judged('request')];
  const one = results.reduce<EvaluationCase>(
    (before, result) => caseAfterStageResult(before, result, { chain, origins: [], judges: true }),
    begun({ requests: ['request'] }),
  );
  const scores = computeCaseScoresOrNone(one, traits);
  expect(scores.tcs).toMatchObject({ value: 0.75, parts: { request: 0.75 } });
  expect(scores.mtc).toMatchObject({ value: null, reason: 'not-a-pair' });
  expect(makeFiguresOfFinishedCaseOrNull(one, chain, traits, { protocol: 'sgvef' })).toMatchObject({
    pattern: null,
    values: { tcs: 0.75, mtc: null },
  });
});

test('a case that is not finished, or not evaluated, has no scores as a whole', () => {
  expect(computeCaseScoresOrNone(begun(), traits)).toEqual({});
  expect(
    computeCaseScoresOrNone(finished({ unit: 'u', agent: 'a' }, { tools: chain }, { tools: null }), traits),
  ).toEqual({});
});

test('the figures of a case are the same, whether its scores were kept or have to be computed', () => {
  const kept = { ...done, scores: computeCaseScoresOrNone(done, traits) };
  const { mtc, ...fewer } = kept.scores;
  expect(mtc).toBeDefined();
  for (const each of [kept, { ...done, scores: fewer }])
    expect(makeFiguresOfFinishedCaseOrNull(each, chain, traits, { protocol: 'sgvef' })).toEqual(
      makeFiguresOfFinishedCaseOrNull(done, chain, traits, { protocol: 'sgvef' }),
    );
});
