import { describe, expect, it } from 'vitest';
import type { Check, CheckResult } from '#core/traces/checks/check.ts';
import {
  askJudgesForGradings,
  computeRuleScoresOfJudgedScorers,
  scoresChangedByJudging,
} from '#core/evaluation/attempt-scores.ts';
import type { OutcomeVerdict } from '#core/scoring/outcome.ts';
import type { Judges, MemberAnswer, UnitTruth } from '#core/scoring/scorer.ts';
import type { Score } from '#core/scoring/score.ts';
import type { Trace } from '#core/traces/trace.ts';
import { makeStep, makeTrace } from '../../support/traces.ts';

const check: Check = { when: 'after', tool: 'disk/read', arguments: {}, expect: { kind: 'equal', value: 1 } };
const held: CheckResult = { held: true, why: 'The result has 1.' };
const missed: CheckResult = { held: false, why: 'The result has 2.' };
const unknown: CheckResult = { held: null, why: 'no answer in time' };

const traceOf = (more: Partial<Trace>): Trace =>
  makeTrace([makeStep('disk/write')], { finalText: 'It is done.', ...more });

const factsOf = (truth: UnitTruth | undefined, more: Partial<Trace>, chain: readonly string[] = []) => ({
  chain,
  origins: [],
  truth,
  trace: traceOf(more),
});

const byRule = (
  truth: UnitTruth | undefined,
  more: Partial<Trace> = {},
  chain?: readonly string[],
): Score | undefined => computeRuleScoresOfJudgedScorers(factsOf(truth, more, chain), ['outcome']).outcome;

/** Scores an attempt with a panel that answers this. */
async function judged(verdicts: readonly (boolean | 'unparsed')[], truth: UnitTruth, more: Partial<Trace> = {}) {
  const asked: unknown[] = [];
  const fail = (): never => {
    throw new Error('nobody asks this');
  };
  const judges: Judges = {
    ask: fail,
    embed: fail,
    getSubIntents: fail,
    soleJudge: null,
    async askPanel<Answer>({ schema }: { schema: { parse(value: unknown): Answer } }, variables: unknown) {
      asked.push(variables);
      return verdicts.map((agrees, place): MemberAnswer<Answer> => ({
        judge: `judge-${place + 1}`,
        answer:
          agrees === 'unparsed'
            ? { ok: false, reason: 'judge-unparsed' }
            : { ok: true, value: schema.parse({ why: 'so', agrees } satisfies OutcomeVerdict) },
      }));
    },
  };
  const facts = factsOf(truth, more);
  const { steps, finalText: response } = facts.trace;
  const attempt = { request: 'What is it?', response, steps, truth, sawWholeResults: false };
  const gradings = await askJudgesForGradings(attempt, judges, ['outcome']);
  return { score: scoresChangedByJudging(facts, gradings).outcome, asked };
}

describe('an outcome by checks', () => {
  const two = { checks: [check, check] };

  it.each([
    ['all hold', [held, held], 1],
    ['one does not hold', [held, missed], 0],
    ['one does not hold and another could not be carried out', [unknown, missed], 0],
  ] as const)('is decided without a judge where %s', async (_, checks, value) => {
    expect(byRule(two, { checks: [...checks] })?.value).toBe(value);
    const { score, asked } = await judged([false], two, { checks: [...checks] });
    expect([score?.value, asked]).toEqual([value, []]);
  });

  it.each([
    ['one could not be carried out', [held, unknown]],
    ['nobody carried them out', undefined],
    ['some of them were not carried out', [held]],
  ] as const)('is unscored, not failed, where %s', (_, checks) => {
    const score = byRule(two, checks === undefined ? {} : { checks: [...checks] });
    expect(score).toMatchObject({ value: null, reason: 'checks-not-run' });
  });

  it('counts an outcome without the chain as another path, and one without calls as from memory', () => {
    const one = { checks: [check] };
    expect(byRule(one, { checks: [held] }, ['disk/append'])?.parts).toMatchObject({
      alternative: true,
      fromMemory: false,
    });
    expect(byRule(one, { checks: [held] }, ['disk/write'])?.parts).toMatchObject({ alternative: false });
    expect(byRule(one, { checks: [held], steps: [] })?.parts).toMatchObject({ alternative: null, fromMemory: true });
    expect(byRule(one, { checks: [missed] }, ['disk/append'])?.parts).toMatchObject({ alternative: null });
  });

  it('counts calls that repeat a failed one letter by letter in a later turn', () => {
    const failing = (turn: number, text: string) =>
      makeStep('disk/write', { outcome: 'failure', arguments: { text }, turn });
    const steps = [
      failing(1, 'a'),
      failing(1, 'a'),
      failing(2, 'b'),
      failing(3, 'a'),
      failing(4, 'a'),
      makeStep('disk/read'),
    ];
    expect(byRule({ checks: [check] }, { checks: [held], steps })?.parts).toMatchObject({ repeatedFailures: 2 });
  });

  it('counts calls of tools that do not exist, overflow and falling back', () => {
    const failure = { source: 'rule', rule: 'unknown-tool', class: 'invalid-artifact-reference' } as const;
    const steps = [makeStep('fly', { outcome: 'failure', failure }), makeStep('disk/write')];
    const parts = byRule(
      { checks: [check] },
      { checks: [held], steps, overflowed: true, fellBack: 'prompted-calling' },
    )?.parts;
    expect(parts).toMatchObject({ unknownTools: 1, overflow: true, fellBack: true, held: [true] });
  });
});

describe('an outcome by a text', () => {
  const truth = { truth: 'It is 7.' };

  it('is what the judge says, who sees request, truth and response', async () => {
    const { score, asked } = await judged([true], truth);
    expect(score).toMatchObject({ value: 1, explanation: 'so' });
    expect(score?.votes).toBeUndefined();
    expect(asked).toEqual([{ request: 'What is it?', truth: 'It is 7.', response: 'It is done.' }]);
    expect((await judged([false], truth)).score?.value).toBe(0);
  });

  it('is what most members of a panel say, and keeps their votes', async () => {
    const { score } = await judged([true, false, true, 'unparsed'], truth);
    expect(score).toMatchObject({ value: 1 });
    expect(score?.votes?.map(({ verdict }) => verdict)).toEqual([true, false, true, null]);
  });

  it('is unscored without a verdict, and without a majority', async () => {
    expect((await judged(['unparsed'], truth)).score).toMatchObject({ value: null, reason: 'judge-unparsed' });
    expect((await judged([true, false], truth)).score).toMatchObject({ value: null, reason: 'undecided' });
  });

  it('is 0 without an answer, and nobody is asked', async () => {
    const { score, asked } = await judged([true], truth, { finalText: ' ' });
    expect(score?.value).toBe(0);
    expect(score?.parts).toMatchObject({ judged: false });
    expect(asked).toEqual([]);
  });

  it('is unscored without judges, also without an answer', () => {
    expect(byRule(truth, { finalText: ' ' })).toBeUndefined();
    expect(byRule(truth)).toBeUndefined();
  });

  it('waits for a judge where there is an answer', () => {
    expect(byRule(truth)).toBeUndefined();
  });
});

describe('a unit without truth', () => {
  it.each([undefined, {}])('has no outcome', (truth) => {
    expect(byRule(truth)).toMatchObject({ value: null, reason: 'no-truth' });
  });
});
