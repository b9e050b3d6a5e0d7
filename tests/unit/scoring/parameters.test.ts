import { describe, expect, it } from 'vitest';

import { computeCaseScoresOrNone } from '#core/evaluation/case-figures.ts';
import { caseAfterStageResult, newCase } from '#core/evaluation/case.ts';
import { evaluationConfig } from '#core/evaluation/config.ts';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import { makeBasisFromCases } from '#core/evaluation/results-basis.ts';
import { scoreAnswerRelevance } from '#core/scoring/ar.ts';
import { scorerKeys } from '#core/evaluation/scorers.ts';
import {
  askJudgesForGradings,
  scoresChangedByJudging,
  computeScoresWithoutJudge,
} from '#core/evaluation/attempt-scores.ts';
import { scoreMetamorphicConsistency } from '#core/scoring/mtc.ts';
import { defaultScoring, isDefaultScoring, scoringParameters } from '#core/scoring/parameters.ts';
import type { Judges } from '#core/scoring/scorer.ts';
import { scoreToolCalls } from '#core/scoring/tcs.ts';
import { traceWith } from '../evaluation/cases.ts';

const chain = ['a/one', 'a/two', 'b/three'];
const traits = new Map(
  chain.map((name) => [name, { name, server: name.charAt(0), domain: 'd', category: name }] as const),
);
const scoring = scoringParameters.parse({
  tcs: { recall: 1 },
  mtc: { sa: 0, so: 1, pa: 0, fa: 0 },
  ar: { judge: 0.25, backRequests: 2 },
});

/** A case whose first attempt has two of the three tools, and one more call; the second has all three, reversed. */
const finished = (parameters: typeof scoring | undefined) =>
  [
    { side: 'source' as const, tools: ['a/one', 'a/two', 'a/one', 'a/two'] },
    { side: 'followUp' as const, tools: chain.toReversed() },
  ].reduce(
    (before, { side, tools }) =>
      caseAfterStageResult(
        before,
        { kind: 'attempt', side, trace: traceWith(tools), fault: null, calls: [] },
        { chain, origins: [], judges: false, scoring: parameters },
      ),
    newCase({ id: 'u.1', unit: 'u', agent: 'a', trial: 1, requests: ['source', 'followUp'] }),
  );

describe('the parameters of the metrics', () => {
  it('are those of the paper and of its Table 3 by default', () => {
    expect(defaultScoring).toEqual({
      tcs: { recall: 0.5 },
      mtc: { sa: 0.35, so: 0.25, pa: 0.15, fa: 0.25 },
      ar: { judge: 0.5, backRequests: 3 },
    });
    expect(evaluationConfig.parse({ benchmark: 'bm_1' }).scoring).toEqual(defaultScoring);
    expect(isDefaultScoring(defaultScoring)).toBe(true);
    expect(isDefaultScoring(scoring)).toBe(false);
  });

  it.each([
    { tcs: { recall: 1.1 } },
    { tcs: { recall: -0.1 } },
    { mtc: { sa: 0.5 } },
    { mtc: { sa: 1, so: 0.5, pa: -0.5, fa: 0 } },
    { ar: { backRequests: 0 } },
    { ar: { backRequests: 11 } },
    { ar: { judge: 2 } },
    { other: 1 },
  ])('are bounded: %j is refused', (wrong) => {
    expect(scoringParameters.safeParse(wrong).success).toBe(false);
  });

  it('weigh recall in TCS, the four shares in MTC, and the grade in AR', () => {
    expect(scoreToolCalls(chain, ['a/one', 'x', 'x', 'x'], 1).value).toBeCloseTo(1 / 3, 12);
    expect(scoreToolCalls(chain, ['a/one', 'x', 'x', 'x'], 0).value).toBeCloseTo(1 / 4, 12);
    expect(scoreMetamorphicConsistency(chain, chain.toReversed(), new Map(), scoring.mtc).value).toBe(1);
    const vectors = {
      ok: true,
      value: {
        request: [1, 0],
        back: [
          [1, 0],
          [0, 1],
        ],
      },
    } as const;
    expect(
      scoreAnswerRelevance('x', { ok: true, value: { why: '', score: 1 } }, vectors, scoring.ar).value,
    ).toBeCloseTo(0.25 + 0.75 * 0.5, 12);
    expect(scoreAnswerRelevance('x', { ok: true, value: { why: '', score: 1 } }, vectors)).toMatchObject({
      value: null,
    });
  });

  it('decide how many requests the judge writes back', async () => {
    const asked: unknown[] = [];
    const judges: Judges = {
      async ask({ form, schema }, variables) {
        if (form === 'back-requests') asked.push(variables['count']);
        const parsed = [{ score: 0.5, why: '' }, { requests: ['a', 'b'] }]
          .map((answer) => schema.safeParse(answer))
          .find(({ success }) => success);
        return parsed?.success === true ? { ok: true, value: parsed.data } : { ok: false, reason: 'judge-unparsed' };
      },
      soleJudge: null,
      askPanel: async (question, variables) => [{ judge: 'judge', answer: await judges.ask(question, variables) }],
      embed: async (texts) => ({ ok: true, value: texts.map(() => [1, 0]) }),
      getSubIntents: async () => ({ ok: false, reason: 'judge-unparsed' }),
    };
    const trace = traceWith(chain);
    const gradings = await askJudgesForGradings(
      { request: 'Do it', response: 'Done', steps: trace.steps, scoring, sawWholeResults: false },
      judges,
      scorerKeys,
    );
    expect(asked).toEqual([2]);
    expect(scoresChangedByJudging({ chain, origins: [], trace, scoring }, gradings).ar?.value).toBeCloseTo(
      0.25 * 0.5 + 0.75,
      12,
    );
  });

  it('reach the scores of attempts and cases, and the figures that are computed again from the cases', () => {
    const made = finished(scoring);
    expect(made.attempts['source']?.scores.tcs.value).toBeCloseTo(2 / 3, 12);
    expect(
      computeScoresWithoutJudge({ chain, origins: [], trace: traceWith(chain.slice(0, 1)), scoring }).tcs?.value,
    ).toBeCloseTo(1 / 3, 12);
    expect(computeCaseScoresOrNone(made, traits, scoring).mtc?.value).toBeCloseTo(2 / 3, 12);
    const about = {
      protocol: 'sgvef' as const,
      units: [{ id: 'u', chain }],
      tools: [...traits.values()],
      trials: 1,
      seed: 1,
    };
    const mtcOf = (parameters: typeof scoring | undefined) =>
      makeAgentResult('a', makeBasisFromCases([finished(parameters)], about, parameters)).scores.mtc?.mean;
    expect(mtcOf(scoring)).toBeCloseTo(2 / 3, 12);
    expect(mtcOf(undefined)).not.toBeCloseTo(2 / 3, 2);
  });
});
