import { expect, test } from 'vitest';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { SubIntentPlan } from '#core/evaluation/sub-intent-plan.ts';
import { defaultScoring } from '#core/scoring/parameters.ts';
import type { Embedder, Questioner } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { askJudgesAndScore } from '../../workflows/steps/judge-attempt.ts';
import { chain, paid, traceWith } from '../unit/evaluation/cases.ts';

const unit: BenchmarkUnit = {
  id: `u_${'0'.repeat(24)}`,
  split: 'public',
  source: 'Find an apple and a pear.',
  followUp: 'Get me an apple, then a pear.',
  chain,
  arguments: [],
  facts: [],
  semanticEquivalence: 95,
  parameterSolvability: 95,
  provenance: { exploration: 'e', unit: 'u', round: 1, models: {}, prompts: [], harness: 'h' },
};

const answers: Readonly<Record<string, unknown>> = {
  relevance: { score: 0.9, why: 'so' },
  'back-requests': { requests: Array.from({ length: defaultScoring.ar.backRequests }, () => unit.source) },
  success: { goals: [{ goal: 1, why: 'so', achieved: true }], why: 'so', success: true },
  'sub-intent-scores': { scores: [{ subIntent: 1, score: 1, nothingFound: false, why: 'so' }] },
  'attempt-reading': {
    goals: [{ goal: 1, why: 'so', achieved: true, covered: 1, nothingFound: false }],
    relevance: { score: 0.9, why: 'so' },
    why: 'so',
    success: true,
  },
};

/** Judges that answer at once and note what they are asked for. */
function notingJudges(): { readonly judges: Questioner & Embedder; readonly asked: string[] } {
  const asked: string[] = [];
  const call: ModelCall = { ...paid, role: 'judge' };
  const judges: Questioner & Embedder = {
    async askForJson({ form, schema }) {
      asked.push(form);
      return { ok: true, value: schema.parse(answers[form]), calls: [call] };
    },
    async embed(texts) {
      asked.push('vectors');
      return { ok: true, vectors: texts.map(() => [1, 0]), call };
    },
  };
  return { judges, asked };
}

test('an attempt is read once for all that scorers ask of it, as soon as its sub-intents are planned', async () => {
  const { judges, asked } = notingJudges();
  const planned = Promise.withResolvers<SubIntentPlan>();
  const judging = askJudgesAndScore(
    {
      context: async () => ({ seed: 1, agents: [], scoring: defaultScoring, protocol: 'sgvef', rejudges: null }),
      judges: async () => judges,
      panel: async () => ({ judge: 'judge', others: [] }),
    },
    { unit, side: 'source', trace: traceWith(chain), plan: () => planned.promise, tools: [], agent: 'a', trial: 1 },
  );
  await expect.poll(() => asked).toEqual(['back-requests', 'vectors']);
  planned.resolve({ ok: true, value: ['Find both'] });
  const {
    scores: { ar, uic, success },
    calls,
  } = await judging;
  expect(asked.slice(2)).toEqual(['attempt-reading']);
  expect([ar?.value, uic?.value, success?.value]).toEqual([expect.any(Number), 1, 1]);
  expect(calls).toHaveLength(3);
});
