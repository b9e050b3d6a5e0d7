import { facts } from '#core/evaluation/judge-measure/facts.ts';
import {
  computeJudgeFigures,
  type JudgeFigures,
  type PlantedVerdict,
} from '#core/evaluation/judge-measure/judge-figures.ts';
import {
  listPlantedAttempts,
  measureVersion,
  type PlantedAttempt,
} from '#core/evaluation/judge-measure/planted-attempts.ts';
import {
  isAchieved,
  plantedKind,
  plantedVariant,
  type PlantedVariant,
} from '#core/evaluation/judge-measure/planted-kinds.ts';
import type { ShownMeasure } from '#core/evaluation/judge-measure/judge-measure.ts';
import { addJudgeMeasures, judgeMeasureSentences } from '#core/evaluation/judge-measure/measure-texts.ts';
import { evaluationConfig } from '#core/evaluation/config.ts';
import { findReasonOfFailureByRule } from '#core/scoring/success.ts';
import { trace } from '#core/traces/trace.ts';
import { taskUnit } from '#core/units/task-unit.ts';
import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import { makeRandom } from '#core/values/random.ts';
import { describe, expect, test } from 'vitest';
import { agentResult } from '../../client/records.ts';

const planted = listPlantedAttempts();

type Stand = (attempt: PlantedAttempt, variant: PlantedVariant) => boolean | null;

const figuresOf = (stand: Stand) =>
  computeJudgeFigures(
    planted,
    planted.flatMap((attempt) =>
      plantedVariant.options.map((variant): PlantedVerdict => ({
        unit: attempt.unit.id,
        variant,
        verdict: stand(attempt, variant),
      })),
    ),
  );

/** A judge that was measured with these figures. */
const measuredWith = (figures: JudgeFigures): ShownMeasure => ({
  model: 'm',
  baseUrl: 'u',
  measure: {
    model: 'm',
    baseUrl: 'u',
    version: '1',
    evaluation: 'e',
    startedAt: '',
    outcome: { state: 'measured', figures },
  },
});

const right: Stand = ({ kind }) => isAchieved[kind];

describe('planted attempts', () => {
  test('are at least 200, of every kind, with one goal to four', () => {
    expect(planted.length).toBeGreaterThanOrEqual(200);
    expect(new Set(planted.map(({ kind }) => kind))).toEqual(new Set(plantedKind.options));
    expect(new Set(planted.map(({ unit }) => unit.keyPoints.length))).toEqual(new Set([1, 2, 3, 4]));
    expect(new Set(planted.map(({ unit }) => unit.id)).size).toBe(planted.length);
  });

  test('are units and traces as any others, and none fails by a rule, so that the judge is always asked', () => {
    for (const { unit, traces } of planted) {
      expect(taskUnit.safeParse(unit).error).toBeUndefined();
      for (const variant of plantedVariant.options) {
        expect(trace.safeParse(traces[variant]).error).toBeUndefined();
        expect(findReasonOfFailureByRule(traces[variant])).toBeNull();
      }
    }
  });

  test('tell values that the servers returned, and wrong ones that they did not', () => {
    for (const { result, value, wrong } of facts) {
      expect(result).toContain(value);
      expect(result).not.toContain(wrong);
    }
  });

  test('change only together with their version', async () => {
    expect([measureVersion, (await sha256Hex(canonicalJson(planted))).slice(0, 16)]).toMatchInlineSnapshot(`
      [
        1,
        "01624af334bbdb8b",
      ]
    `);
  });
});

describe('the figures of a judge', () => {
  test('are full where every verdict is right', () => {
    const figures = figuresOf(right);
    expect([figures.accuracy.value, figures.kappa.value, figures.sensitivity.value, figures.specificity.value]).toEqual(
      [1, 1, 1, 1],
    );
    expect([figures.turnedByAnswer.value, figures.turnedByResult.value, figures.changedAgain.value]).toEqual([0, 0, 0]);
    expect(figures.unreadable).toBe(0);
  });

  test('show a judge that always says yes as one without any specificity, and with a kappa of 0', () => {
    const figures = figuresOf(() => true);
    expect([figures.sensitivity.value, figures.specificity.value, figures.kappa.value]).toEqual([1, 0, 0]);
    expect(figures.kinds['claimed']).toMatchObject({ count: 0, n: 36 });
  });

  test('show that a judge obeys the last order it reads', () => {
    const obeys: Stand = (attempt, variant) =>
      variant.startsWith('order') ? !isAchieved[attempt.kind] : isAchieved[attempt.kind];
    const figures = figuresOf(obeys);
    expect([figures.accuracy.value, figures.turnedByAnswer.value, figures.turnedByResult.value]).toEqual([1, 1, 1]);
    const [, second] = judgeMeasureSentences([measuredWith(figures)]);
    expect(second).toBe('An order hidden in the answer turns 100% of its right verdicts, one in a result 100%.');
  });

  test.each([0.5, 0.8])('hold the planted chance of a right verdict, %d, in their intervals', (chance) => {
    const random = makeRandom(3, 'coin', chance);
    const figures = figuresOf((attempt, variant) => random.next() < chance === right(attempt, variant));
    for (const { low, high } of [figures.accuracy, figures.sensitivity, figures.specificity]) {
      expect(low).toBeLessThanOrEqual(chance);
      expect(high).toBeGreaterThanOrEqual(chance);
    }
    // Two verdicts agree if both are right or both are wrong.
    const changes = 2 * chance * (1 - chance);
    expect(figures.changedAgain.low).toBeLessThanOrEqual(changes);
    expect(figures.changedAgain.high).toBeGreaterThanOrEqual(changes);
  });

  test('leave out verdicts that cannot be read, and count them', () => {
    const figures = figuresOf((attempt, variant) => (attempt.kind === 'partly' ? null : right(attempt, variant)));
    expect(figures.accuracy).toMatchObject({ n: planted.length - 24, value: 1 });
    expect(figures.kinds['partly']).toMatchObject({ n: 0, value: null });
    expect(figures.unreadable).toBe(24 * plantedVariant.options.length);
  });
});

describe('the success of agents', () => {
  const figures = figuresOf((attempt, variant) => (attempt.kind === 'wrong-value' ? true : right(attempt, variant)));
  const judge = measuredWith(figures);
  const one = agentResult('a', 0.5);
  const success = { ...one.scores.success, mean: 0.3, n: 10 };
  const results = {
    protocol: 'live-mcp-bench' as const,
    agents: [{ ...one, scores: { ...one.scores, success } }],
    mounted: [],
    isolation: [],
    user: 'decline' as const,
    floor: null,
    adaptations: [],
  };
  const record = (attempts: number, judges = [judge]) =>
    addJudgeMeasures(results, judges, {
      progress: { attempts, made: attempts, notEvaluated: 0, relaunched: 0, units: 10, unitsDone: 10 },
      config: evaluationConfig.parse({ benchmark: 'bm_1' }),
    }).judging?.trueSuccess;

  test('is corrected for what the one judge takes for a success', () => {
    const { specificity } = figures;
    const falseYes = 1 - (specificity.value ?? 0);
    expect(record(10)?.['a']?.value).toBeCloseTo((0.3 - falseYes) / (1 - falseYes), 10);
  });

  test('is not corrected where a case has several attempts, or several judges vote', () => {
    expect(record(20)).toEqual({});
    expect(record(10, [judge, judge])).toEqual({});
  });
});
