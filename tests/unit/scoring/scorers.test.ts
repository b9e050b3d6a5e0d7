import { describe, expect, it } from 'vitest';
import { getProtocol, protocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { getPromptOrThrow } from '#adapters/prompts/index.ts';
import { isScorerMetric, rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import {
  askJudgesForGradings,
  judgedKeys,
  scoresChangedByJudging,
  measuredKeys,
  computeScoresWithoutJudge,
} from '#core/evaluation/attempt-scores.ts';
import { computeAllScoresOfCase } from '#core/evaluation/case-figures.ts';
import type { Judges } from '#core/scoring/scorer.ts';
import {
  attemptScorerKeys,
  attemptScorers,
  buildRecordByAttemptScorer,
  buildRecordByScorer,
  scorerKeys,
  getScorerOrThrow,
  scorers,
} from '#core/evaluation/scorers.ts';
import { makeScore, makeUnscored } from '#core/scoring/score.ts';
import { traceOf } from './steps.ts';

const chain = ['s/a', 's/b'];
const trace = { ...traceOf('s/a', 's/b'), finalText: 'Done.' };

/** Judges that answer whatever fits, and note the prompts with their variables. */
function notingJudges() {
  const asked: { readonly prompt: string; readonly variables: readonly string[] }[] = [];
  const judges: Judges = {
    async ask({ prompt, schema }, variables) {
      asked.push({ prompt, variables: Object.keys(variables).toSorted() });
      const given = [
        { score: 0.5, why: '' },
        { goals: [{ goal: 1, why: '', achieved: true }], why: '', success: true },
        { requests: ['x', 'y', 'z'] },
        { scores: [{ subIntent: 1, score: 1, nothingFound: false, why: '' }] },
      ];
      for (const each of given) {
        const parsed = schema.safeParse(each);
        if (parsed.success) return { ok: true, value: parsed.data };
      }
      return { ok: false, reason: 'judge-unparsed' };
    },
    soleJudge: null,
    askPanel: async (question, variables) => [{ judge: 'judge', answer: await judges.ask(question, variables) }],
    embed: async (texts) => ({ ok: true, value: texts.map(() => [1, 0]) }),
    getSubIntents: async () => ({ ok: true, value: ['one thing'] }),
  };
  return { asked, judges };
}

describe('the table of scorers', () => {
  it('gives each scorer a key of its own, in lower case', () => {
    expect(new Set(scorerKeys).size).toBe(scorers.length);
    for (const key of scorerKeys) expect(key).toMatch(/^[a-z][a-z0-9]*$/);
  });

  it('says of each scorer what a reader needs to know', () => {
    for (const { title, name, question, formula, caveat, source, range } of scorers) {
      for (const text of [title, name, formula, caveat, source]) expect(text).not.toBe('');
      expect(question).toMatch(/^[A-Z].*\?$/);
      expect(range[0]).toBeLessThan(range[1]);
    }
  });

  it('lets only the headline of a protocol rank agents', () => {
    for (const protocol of protocolKey.options)
      expect(rankingOrdersOfProtocol(protocol).metrics.filter((metric) => isScorerMetric(metric))).toEqual([
        getProtocol(protocol).headline,
      ]);
  });

  it('finds a scorer by its key, and refuses an unknown one', () => {
    for (const key of scorerKeys) expect(getScorerOrThrow(key).key).toBe(key);
    expect(() => getScorerOrThrow('no-such')).toThrow('there is no scorer no-such');
  });

  it('parts the scorers of attempts into those that need a judge and those that do not', () => {
    expect([...measuredKeys, ...judgedKeys].toSorted()).toEqual([...attemptScorerKeys].toSorted());
  });

  it('asks only with prompts that are shipped', () => {
    for (const { questions } of attemptScorers)
      for (const { prompt } of questions) expect(getPromptOrThrow(prompt).id).toContain(prompt);
  });
});

describe('the scores of an attempt', () => {
  it('are those of all scorers, half of them before a judge is asked', async () => {
    const { asked, judges } = notingJudges();
    const before = computeScoresWithoutJudge({ chain, origins: [], trace });
    const gradings = await askJudgesForGradings(
      { request: 'Do it.', response: trace.finalText, steps: trace.steps, sawWholeResults: false },
      judges,
      scorerKeys,
    );
    const after = scoresChangedByJudging({ chain, origins: [], trace }, gradings);
    expect(Object.keys({ ...before, ...after }).toSorted()).toEqual([...attemptScorerKeys].toSorted());
    for (const { prompt, variables } of asked)
      expect(
        getPromptOrThrow(prompt)
          .variables.map(({ name }) => name)
          .toSorted(),
      ).toEqual(variables);
    expect(after.success).toMatchObject({ value: 1, parts: { achieved: [true] } });
    expect(after.ar).toMatchObject({ value: 0.75, parts: { judge: 0.5, cosines: [1, 1, 1] } });
  });
});

describe('the scores of a case', () => {
  const attempts = {
    source: buildRecordByAttemptScorer((key) => makeScore(key === 'tcs' ? 0.5 : 1, {})),
    followUp: buildRecordByAttemptScorer(() => makeScore(1, {})),
  };

  it('are the means of its attempts, and those of the scorers of whole cases', () => {
    const scores = computeAllScoresOfCase({ attempts, called: [chain, chain], categories: new Map() });
    expect(scores.tcs).toMatchObject({ value: 0.75, parts: { source: 0.5, followUp: 1 } });
    expect(scores.mtc).toMatchObject({ value: 1, parts: { sa: 1, so: 1, pa: 1, fa: 1 } });
    expect(scores.execution).toMatchObject({ value: 0.875, parts: { tcs: 0.75, mtc: 1 } });
    expect(scores.ecg).toMatchObject({ value: -0.125, parts: { planning: 0.875, response: 1 } });
  });

  it('keep the reason of a missing score', () => {
    const scores = computeAllScoresOfCase({
      attempts: { ...attempts, followUp: buildRecordByAttemptScorer(() => makeUnscored('judge-refused', {})) },
      called: [chain, chain],
      categories: new Map(),
    });
    expect(scores).toMatchObject(
      buildRecordByScorer((key) => (key === 'mtc' ? { value: 1 } : { reason: 'judge-refused' })),
    );
  });
});
