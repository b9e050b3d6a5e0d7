import { toldBeforehandText } from '#core/evaluation/figure-texts.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { PairUnit } from '#core/benchmarks/benchmark.ts';
import { evaluationConfig, type StoredAgent } from '#core/evaluation/config.ts';
import { estimateEvaluation } from '#core/evaluation/estimate-evaluation.ts';
import { estimateEvolution } from '#core/exploration/estimates/estimate-evolution.ts';
import {
  estimateExploration,
  isSimilarExplorationWithEnoughUnits,
} from '#core/exploration/estimates/estimate-exploration.ts';
import { measured } from '#core/exploration/estimates/measured-costs.ts';
import { evolutionConfig } from '#core/exploration/evolution/config.ts';
import { explorationConfig } from '#core/exploration/config.ts';
import type { StoredModel } from '#core/models/choices.ts';
import { agentLimits } from '#core/models/limits.ts';
import { describe, expect, test } from 'vitest';
import { exploration } from '../../client/records.ts';

const model = (promptPricePerMTok: number, completionPricePerMTok = promptPricePerMTok): StoredModel => ({
  baseUrl: 'http://models',
  model: 'm',
  key: { kind: 'deployment' },
  promptPricePerMTok,
  completionPricePerMTok,
});
const priced = { writer: model(1), critic: model(1), agent: model(1) };
const tools: Tool[] = ['a', 'b', 'c'].flatMap((server) =>
  Array.from({ length: 10 }, (_, place) => ({
    name: `${server}/tool-${place}`,
    server,
    domain: 'd',
    category: 'c',
    description: 'x'.repeat(780),
    inputSchema: { type: 'object' },
  })),
);
const configOf = (changes: object = {}) =>
  explorationConfig.parse({ catalog: 'cat_1', budget: { rounds: 10 }, ...changes });

describe('the estimate of an exploration', () => {
  test('counts the units of all rounds, and what each is measured to take', () => {
    const { tokens, costUsd, basis } = estimateExploration(configOf({ batch: 9 }), tools, priced, null);
    // 24 of the 30 tools, and 4,000 of their tokens, fit into what the base agent sees.
    const perUnit = tokens / 100;
    expect(perUnit).toBeGreaterThan(19_000 + 9 * 3_000);
    expect(perUnit).toBeLessThan(19_500 + 9 * 4_720 + 700);
    expect(costUsd).toBeCloseTo(tokens / 1_000_000, 4);
    expect(basis).toContain('10 rounds of 9 units and a probe');
    expect(basis).toContain(`Measured on ${measured.on} with rules in place of models`);
    expect(basis).toContain('standard:24,4000');
  });

  test('grows with the tools that the base agent sees, and with nothing else', () => {
    const of = (mounting: object) => estimateExploration(configOf({ mounting }), tools, priced, null).tokens;
    const [few, all] = [of({ kind: 'standard', tools: 5, schemaTokens: 1_000 }), of({ kind: 'max-scale' })];
    expect(all).toBeGreaterThan(few);
  });

  test('has no cost if a model has no price, and says so', () => {
    const { tokens, costUsd, basis } = estimateExploration(configOf(), tools, { ...priced, critic: model(0) }, null);
    expect(tokens).toBeGreaterThan(0);
    expect(costUsd).toBeNull();
    expect(basis).toContain('No cost, because a model has no price');
  });

  test('takes the mean of an earlier run with the same catalog, mounting and models', () => {
    const units = { accepted: 18, review: 0, rejected: 0, lost: 0, dropped: 0, probes: 2 };
    const usage = { calls: 1, promptTokens: 1_900_000, completionTokens: 100_000, costUsd: 0 };
    const models = {
      writer: { baseUrl: '', model: 'm' },
      critic: { baseUrl: '', model: 'm' },
      agent: { baseUrl: '', model: 'm' },
    };
    const earlier = exploration({ id: 'exp_before', config: configOf(), units, usage, models });
    expect(isSimilarExplorationWithEnoughUnits(earlier, configOf(), priced)).toBe(true);
    const { tokens, basis } = estimateExploration(configOf({ batch: 9 }), tools, priced, earlier);
    expect(tokens).toBe(100 * 100_000);
    expect(basis).toContain('The mean of 20 units of exp_before');
    const other = [
      isSimilarExplorationWithEnoughUnits(earlier, configOf({ catalog: 'cat_2' }), priced),
      isSimilarExplorationWithEnoughUnits(earlier, configOf({ mounting: { kind: 'oracle' } }), priced),
      isSimilarExplorationWithEnoughUnits(earlier, configOf(), { ...priced, agent: { model: 'other' } }),
      isSimilarExplorationWithEnoughUnits({ ...earlier, units: { ...units, accepted: 1 } }, configOf(), priced),
    ];
    expect(other).toEqual([false, false, false, false]);
  });
});

test('the estimate of an evolution is what the explored units took, for as many as its target lacks', () => {
  const usage = { calls: 1, promptTokens: 900_000, completionTokens: 100_000, costUsd: 0 };
  const config = { ...evolutionConfig.parse({}), targetUnits: 30 };
  const estimate = estimateEvolution(config, { units: 25, accepted: 20, kept: 20, usage }, priced);
  // 10 more accepted units need 13 variants if 20 of 25 are accepted.
  expect(estimate.tokens).toBe(13 * 40_000);
  expect(estimate.costUsd).toBeCloseTo(0.52, 6);
  expect(estimate.basis).toContain('13 variants for 10 more accepted units');
  expect(
    estimateEvolution({ ...config, targetUnits: 20 }, { units: 25, accepted: 20, kept: 20, usage }, priced).tokens,
  ).toBe(0);
});

describe('the estimate of an evaluation', () => {
  const agent = (name: string, changes: object = {}): StoredAgent => ({
    name,
    loop: 'function-calling',
    model: model(1),
    limits: agentLimits.parse({}),
    ...changes,
  });
  const unit = (id: string): PairUnit => ({
    id,
    source: '',
    followUp: '',
    chain: ['a/tool-0', 'b/tool-1'],
    arguments: [],
    facts: [],
    semanticEquivalence: 90,
    parameterSolvability: 90,
    split: 'public',
    provenance: { exploration: 'exp_1', unit: id, round: 1, models: {}, prompts: [], harness: '' },
  });
  const config = evaluationConfig.parse({ benchmark: 'bm_1', trials: 2, mounting: { kind: 'max-scale' } });
  const asked = {
    agents: [agent('one'), agent('two')],
    judge: model(2),
    panel: [],
    embedder: model(0.02),
    protocol: 'sgvef',
    config,
  } as const;
  const basis = { units: 10, tools, sample: [unit('u1')] };

  test('counts the attempts, what agents see in each turn, and the judges', () => {
    const { tokens, costUsd, basis: words } = estimateEvaluation(asked, basis, null);
    const mounted = 30 * 209;
    const attempts = 2 * 10 * 2 * 2;
    expect(tokens / attempts).toBeGreaterThan(4.5 * mounted * 0.95 + 8_000);
    expect(tokens / attempts).toBeLessThan(4.5 * (mounted * 1.05 + 720) + 9_000);
    expect(costUsd).toBeGreaterThan(0);
    expect(words).toContain('80 attempts: 2 agents, 10 units, 2 trials, 2 requests');
  });

  test('says what difference between two agents its units tell, and nothing for too few', () => {
    const { tells } = estimateEvaluation(asked, { ...basis, units: 30 }, null);
    expect(tells).toMatchObject({ units: 30, difference: expect.closeTo(0.256, 3), differing: 0.3 });
    expect(tells?.powerAtTenth).toBeCloseTo(0.15, 1);
    expect(tells && toldBeforehandText(tells)).toMatch(
      /^30 units tell differences of 0\.26 or more between two agents \(power 80%, error 5%, if 30% of the units come out differently\); one of 0\.10 in 1\d% of runs$/,
    );
    expect(estimateEvaluation(asked, { ...basis, units: 5 }, null)).not.toHaveProperty('tells');
  });

  test('leaves judges out that are not asked, and what external agents take', () => {
    const judged = estimateEvaluation(asked, basis, null).tokens;
    const bare = estimateEvaluation({ ...asked, config: { ...config, judges: false } }, basis, null).tokens;
    expect(bare).toBeLessThan(judged);
    const external: StoredAgent = { name: 'mine', loop: 'external', limits: { timeMs: 1_000, callTimeoutMs: 1_000 } };
    const estimate = estimateEvaluation(
      { ...asked, agents: [external], config: { ...config, judges: false } },
      basis,
      null,
    );
    expect(estimate.tokens).toBe(0);
    expect(estimate.basis).toContain('What external agents take is not known');
  });

  test('takes the means of an earlier evaluation', () => {
    const usage = { calls: 1, promptTokens: 40_000, completionTokens: 0, costUsd: 0 };
    const progress = { attempts: 40, made: 40, notEvaluated: 0, relaunched: 0, units: 10, unitsDone: 10 };
    const like = { id: 'evl_before', progress, usage, judgeUsage: { ...usage, promptTokens: 4_000 } };
    const { tokens, basis: words } = estimateEvaluation(asked, basis, like);
    expect(tokens).toBe(80 * 1_100);
    expect(words).toContain('The means of 40 attempts of evl_before');
  });
});
