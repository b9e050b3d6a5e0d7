import { expect, test } from 'vitest';
import { caseAfterStageResult, type EvaluationCase } from '#core/evaluation/case.ts';
import { makeFiguresOfFinishedCaseOrNull } from '#core/evaluation/case-figures.ts';
import { packFigures, unpackFigures } from '#core/evaluation/packed-figures.ts';
import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { unscoredReasons } from '#core/scoring/score.ts';
import { failureClass } from '#core/traces/failure.ts';
import { begun, chain, judged, made } from './cases.ts';
import { syntheticCase, syntheticTools, syntheticUnit } from '../../../bench/results/synthetic.ts';

const traits = new Map(syntheticTools.map((tool) => [tool.name, tool]));
const place = { unit: 'u', agent: 'a', trial: 1 };

test('stored figures are read back unchanged', () => {
  const broken: boolean[] = [];
  for (let n = 0; n < 200; n += 1) {
    const unit = syntheticUnit(n);
    const figures = makeFiguresOfFinishedCaseOrNull(syntheticCase(unit, 'alpha', 1, 80), unit.chain, traits, {
      protocol: 'sgvef',
    });
    if (figures === null) throw new Error('the case is done');
    const stored = packFigures(figures);
    broken.push(stored.broken !== null);
    expect(unpackFigures(figures, stored)).toEqual(figures);
  }
  expect(new Set(broken)).toEqual(new Set([true, false]));
});

test('stored figures hold as many attempts as the case has requests', () => {
  for (const requests of [['request'], ['concrete', 'fuzzy'], ['one', 'two', 'three']]) {
    const results = [...requests.map((name) => made(name)), ...requests.map((name) => judged(name))];
    const end = results.reduce<EvaluationCase>(
      (before, result) => caseAfterStageResult(before, result, { chain, origins: [], judges: true }),
      begun({ requests }),
    );
    const figures = makeFiguresOfFinishedCaseOrNull(end, chain, traits, { protocol: 'sgvef' });
    if (figures === null) throw new Error('the case is done');
    expect(figures.attempts.length).toBe(requests.length);
    expect(unpackFigures(figures, packFigures(figures))).toEqual(figures);
  }
});

test('stored figures of another form are refused', () => {
  for (const numbers of ['[]', '{}', '[1,2,3]', JSON.stringify(Array.from({ length: 9 }, () => 'x'))])
    expect(() => unpackFigures(place, { numbers, broken: null })).toThrow('stored figures');
});

test('names keep their positions in stored figures, and new ones are appended', () => {
  expect(failurePatterns.slice(0, 3)).toEqual([
    'incomplete-planning',
    'poor-noise-robustness',
    'unstable-tool-selection',
  ]);
  expect(unscoredReasons.slice(0, 11).join(' ')).toBe(
    'not-evaluated no-chain no-calls both-empty judges-off not-judged judge-unparsed judge-refused judge-unreachable embedder-unreachable embedding-unusable',
  );
  // The classes are part of the layout: with one more, stored figures are made again from their cases.
  expect(failureClass.options.join(' ')).toBe(
    'invalid-artifact-reference undefined-parameter-key precondition-violation authentication-deficit context-invalidation access-policy-rejection service-scope-limitation network-instability asynchronous-indeterminacy resource-contention implicit-business-constraint syntactic-malformation server-defect',
  );
});
