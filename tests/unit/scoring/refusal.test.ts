import { describe, expect, test } from 'vitest';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import { generateBreakdownGroups } from '#core/evaluation/breakdown.ts';
import {
  caseAfterStageResult,
  type CaseResult,
  type EvaluationCase,
  type ScoringBasis,
} from '#core/evaluation/case.ts';
import {
  listExecutedTransitionsOfCase,
  computeCaseScoresOrNone,
  makeFiguresOfFinishedCaseOrNull,
} from '#core/evaluation/case-figures.ts';
import { makeBasisFromCases } from '#core/evaluation/results-basis.ts';
import { scorerKeysOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { askJudgesForGradings, scoresChangedByJudging } from '#core/evaluation/attempt-scores.ts';
import { refusal, scoreRefusal, type RefusalVerdict } from '#core/scoring/refusal.ts';
import type { Judges, MemberAnswer } from '#core/scoring/scorer.ts';
import type { Judged } from '#core/scoring/score.ts';
import { attemptScorerKeys, scorerKeys } from '#core/evaluation/scorers.ts';
import { begun, chain, traceWith } from '../evaluation/cases.ts';
import { tools as basisTools } from '../evaluation/basis.ts';

/** Judges by words: an answer that says "cannot" is a refusal, and an attempt whose calls succeeded a success. Notes what they are asked. */
function makeWordJudges() {
  const asked: string[] = [];
  const answerTo = (prompt: string, { response }: Readonly<Record<string, unknown>>): unknown => {
    if (prompt === 'judge-refusal') return { why: 'its words', refused: String(response).includes('cannot') };
    if (prompt === 'judge-success')
      return { goals: [{ goal: 1, why: 'it did', achieved: true }], why: 'it did', success: true };
    return {
      why: '',
      score: 0.5,
      requests: ['x', 'y', 'z'],
      scores: [{ subIntent: 1, score: 1, nothingFound: false, why: '' }],
    };
  };
  const judges: Judges = {
    async ask({ prompt, schema }, variables) {
      asked.push(prompt);
      const parsed = schema.safeParse(answerTo(prompt, variables));
      return parsed.success ? { ok: true, value: parsed.data } : { ok: false, reason: 'judge-unparsed' };
    },
    soleJudge: null,
    askPanel: async (question, variables) => [{ judge: 'judge', answer: await judges.ask(question, variables) }],
    embed: async (texts) => ({ ok: true, value: texts.map(() => [1, 0]) }),
    getSubIntents: async () => ({ ok: true, value: ['one thing'] }),
  };
  return { asked, judges };
}

interface Behaviour {
  readonly answer: string;
  readonly calls: readonly string[];
}
const asked = scorerKeysOfProtocol('sgvef');
const negative: Partial<ScoringBasis> = { isNegative: true, chain: [] };

/** A case whose attempts an agent made alike, judged by words. */
async function caseOf(
  unit: string,
  agent: string,
  { answer, calls }: Behaviour,
  more: Partial<ScoringBasis> = {},
): Promise<{ readonly made: EvaluationCase; readonly asked: readonly string[] }> {
  const { judges, asked: questions } = makeWordJudges();
  const trace = traceWith(calls, { finalText: answer });
  const basis = { chain, origins: [], judges: true, asked, request: 'Do it.', ...more };
  const gradings = await askJudgesForGradings(
    { isNegative: basis.isNegative, request: 'Do it.', response: answer, steps: trace.steps, sawWholeResults: false },
    judges,
    asked,
  );
  const { isNegative = false, origins, request } = basis;
  const scores = scoresChangedByJudging({ isNegative, chain: basis.chain, origins, request, trace }, gradings);
  const results = (['source', 'followUp'] as const).flatMap((side) => [
    { kind: 'attempt', side, trace, fault: null, calls: [] } satisfies CaseResult,
    { kind: 'judgement', side, scores, classes: [], calls: [] } satisfies CaseResult,
  ]);
  const order = results.toSorted((one, other) => (one.kind === other.kind ? 0 : one.kind === 'attempt' ? -1 : 1));
  const done = order.reduce<EvaluationCase>(
    (before, result) => caseAfterStageResult(before, result, basis),
    begun({ id: `${unit}.${agent}.01`, unit, agent }),
  );
  return { made: { ...done, scores: computeCaseScoresOrNone(done, new Map()) }, asked: questions };
}

const refuses: Behaviour = { answer: 'I cannot do that.', calls: [] };
const works: Behaviour = { answer: 'Here it is.', calls: chain };

describe('an attempt where no tool fits', () => {
  test.each<[string, Behaviour, number]>([
    ['refuses', refuses, 1],
    ['calls a tool that only reads, and refuses then', { ...refuses, calls: ['fruit/apple'] }, 0],
    ['calls a tool that fails', { ...refuses, calls: ['fruit/apple!'] }, 0],
    ['calls a tool that does not exist', { ...refuses, calls: ['made/up!'] }, 0],
    ['says nothing', { answer: ' ', calls: [] }, 0],
    ['answers from memory', { answer: 'It weighs 5 kg.', calls: [] }, 0],
  ])('that %s has the refusal %#', async (_, behaviour, value) => {
    const { made } = await caseOf('u', 'a', behaviour, negative);
    expect(made.attempts['source']?.scores.refusal.value).toBe(value);
  });

  test('has no other score, of the attempt or of the case, and only one question is asked', async () => {
    for (const behaviour of [refuses, works, { answer: '', calls: [] }]) {
      const { made, asked: questions } = await caseOf('u', 'a', behaviour, negative);
      for (const key of attemptScorerKeys.filter((each) => each !== 'refusal'))
        expect([key, made.attempts['source']?.scores[key]]).toMatchObject([
          key,
          { value: null, reason: asked.includes(key) ? 'no-tool-fits' : 'not-asked' },
        ]);
      for (const key of scorerKeys.filter((each) => each !== 'refusal'))
        expect([key, made.scores[key]?.value]).toEqual([key, null]);
      expect(questions).toEqual(behaviour === refuses ? ['judge-refusal'] : []);
    }
  });

  test('shows no pattern of failure and no transition, whatever was called', async () => {
    const { made } = await caseOf('u', 'a', works, negative);
    expect(listExecutedTransitionsOfCase(made)).toEqual([]);
    expect(makeFiguresOfFinishedCaseOrNull(made, [], new Map(), { protocol: 'sgvef' })?.pattern).toBeNull();
    const { made: positive } = await caseOf('u', 'a', works);
    expect(listExecutedTransitionsOfCase(positive)).toEqual([chain]);
  });

  test('is unscored without judges even if it called something: a mean of failures alone would be 0 for everybody', () => {
    const off = caseAfterStageResult(
      begun(),
      { kind: 'attempt', side: 'source', trace: traceWith(chain), fault: null, calls: [] },
      { chain: [], isNegative: true, origins: [], judges: false, asked },
    );
    expect(off.attempts['source']?.scores.refusal).toMatchObject({ value: null, reason: 'judges-off' });
    expect(off.attempts['source']?.scores.tcs).toMatchObject({ value: null, reason: 'no-tool-fits' });
  });
});

test('where tools fit, a refusal is no score, and nobody is asked about one', async () => {
  const { made, asked: questions } = await caseOf('u', 'a', works);
  expect(made.attempts['source']?.scores.refusal).toMatchObject({ value: null, reason: 'tool-fits' });
  expect(made.scores.refusal).toMatchObject({ value: null, reason: 'tool-fits' });
  expect(questions).toContain('judge-success');
  expect(questions).not.toContain('judge-refusal');
});

describe('agents on six units that tools fit and four that none fits', () => {
  const positives = Array.from({ length: 6 }, (_, at) => `p${at}`);
  const negatives = Array.from({ length: 4 }, (_, at) => `n${at}`);
  const agents: Readonly<Record<string, readonly [where: Behaviour, elsewhere: Behaviour]>> = {
    able: [works, refuses],
    refuser: [refuses, refuses],
    caller: [works, works],
  };
  const basis = async () => {
    const cases = await Promise.all(
      Object.entries(agents).flatMap(([agent, [where, elsewhere]]) => [
        ...positives.map((unit) => caseOf(unit, agent, where)),
        ...negatives.map((unit) => caseOf(unit, agent, elsewhere, negative)),
      ]),
    );
    return makeBasisFromCases(
      cases.map(({ made }) => made),
      {
        protocol: 'sgvef',
        units: [
          ...positives.map((id) => ({ id, chain })),
          ...negatives.map((id) => ({ id, chain: [], looksLike: 'fruit/apple' })),
        ],
        tools: basisTools,
        trials: 1,
        seed: 1,
      },
    );
  };

  test('have success by the six and refusal by the four: who refuses everything has none of the headline', async () => {
    const known = await basis();
    const of = (agent: string) => makeAgentResult(agent, known);
    for (const [agent, success, refused] of [
      ['able', 1, 1],
      ['refuser', 0, 1],
      ['caller', 1, 0],
    ] as const) {
      const { scores, passes, patterns } = of(agent);
      expect([agent, scores.success.mean, scores.success.n, scores.success.unscored]).toEqual([agent, success, 6, 4]);
      expect([agent, scores.refusal.mean, scores.refusal.n, scores.refusal.unscored]).toEqual([agent, refused, 4, 6]);
      expect(passes?.atK[0]?.passAtK).toMatchObject({ mean: success, n: 6 });
      expect(Object.values(patterns)).toEqual([0, 0, 0]);
      for (const key of ['chain', 'tcs', 'ar', 'uic'] as const) expect([key, scores[key].n]).toEqual([key, 6]);
      for (const key of ['mtc', 'execution', 'ecg', 'tfd'] as const) expect(scores[key].n).toBeLessThanOrEqual(6);
    }
    expect(of('refuser').scores.chain.mean).toBe(0);
    expect(of('caller').scores.tcs).toEqual(of('able').scores.tcs);
  });

  test('have the negative units as the group of chains of length 0', async () => {
    const groups = [...generateBreakdownGroups('chain-length', Object.keys(agents), await basis())];
    expect(groups.map(({ name, units }) => [name, units])).toEqual([
      ['0', 4],
      ['2', 6],
    ]);
    expect(groups[0]?.agents.map(({ agent, scores }) => [agent, scores.refusal.mean, scores.success.mean])).toEqual([
      ['able', 1, null],
      ['refuser', 1, null],
      ['caller', 0, null],
    ]);
  });
});

describe('a panel of judges', () => {
  const member = (judge: string, refused: boolean | null): MemberAnswer<RefusalVerdict> => ({
    judge,
    answer: refused === null ? { ok: false, reason: 'judge-unparsed' } : { ok: true, value: { why: judge, refused } },
  });
  const scored = (given: Judged<readonly MemberAnswer<RefusalVerdict>[]>) =>
    scoreRefusal({ trace: traceWith([], { finalText: 'I cannot.' }) }, given);
  const of = (...verdicts: readonly (boolean | null)[]) =>
    scored({ ok: true, value: verdicts.map((each, at) => member(`j${at}`, each)) });

  test('decides by majority, keeps the votes, and leaves a tie unscored', () => {
    expect(of(true, false, true)).toMatchObject({
      value: 1,
      votes: [{ judge: 'j0' }, { judge: 'j1' }, { judge: 'j2' }],
    });
    expect(of(true, false)).toMatchObject({ value: null, reason: 'undecided' });
    expect(of(null)).toMatchObject({ value: null, reason: 'judge-unparsed' });
    expect(scored({ ok: false, reason: 'judges-off' })).toMatchObject({ value: null, reason: 'judges-off' });
    expect(refusal.binary).toBe(true);
  });
});
