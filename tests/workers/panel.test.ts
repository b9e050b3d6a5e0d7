import { beforeAll, describe, expect, test } from 'vitest';
import { askedFor, evaluateToEnd, evaluationBody, frozen, withRules, type TestBed } from '../support/evaluation.ts';
import { modelKey } from '../support/exploration.ts';
import { problemOf } from '../support/workspace.ts';
import { startModel, type OutsideModel } from '../support/world.ts';

/** Panels of judges, by the real workflow on scripted models. */

let bed: TestBed;
beforeAll(async () => {
  bed = await frozen(1);
});

/** A member of a panel at an endpoint of its own. */
const member = ({ baseUrl }: OutsideModel, model: string) => ({
  model,
  endpoint: { baseUrl, apiKey: modelKey, promptPricePerMTok: 1, completionPricePerMTok: 2 },
});
const gibberish = { form: 'success', behaviour: { kind: 'content', content: 'Status: success' } } as const;

describe('a panel of judges', () => {
  test('votes on each attempt; a member that breaks is counted and takes no other with it', async () => {
    const ground = await withRules(bed);
    const [same, wordy, down] = await Promise.all([
      startModel([]),
      startModel([gibberish]),
      startModel([{ form: 'success', behaviour: { kind: 'status', status: 403 } }]),
    ]);
    const { record, cases, results } = await evaluateToEnd(ground, ['steady'], {
      panel: [member(same, 'judge'), member(wordy, 'wordy'), member(down, 'down')],
    });
    expect(record).toMatchObject({
      status: 'completed',
      panel: [{ model: 'judge' }, { model: 'wordy' }, { model: 'down' }],
    });
    expect(JSON.stringify(record)).not.toContain(modelKey);
    const success = cases[0]?.attempts['source']?.scores.success;
    expect(success).toMatchObject({
      value: 1,
      votes: [
        { judge: 'judge', verdict: true, reason: null },
        { judge: 'judge#2', verdict: true, reason: null },
        { judge: 'wordy', verdict: null, reason: 'judge-unparsed' },
        { judge: 'down', verdict: null, reason: 'judge-unreachable' },
      ],
    });
    expect(results('steady').scores.success).toMatchObject({ mean: 1, n: 1 });
    // Members are asked for verdicts only; the wordy one once more for each attempt.
    expect([await same.asked(), await wordy.asked()].map((asked) => asked.map(({ form }) => form))).toEqual([
      ['success', 'success'],
      ['success', 'success', 'success', 'success'],
    ]);
    const [own] = (await ground.model.asked()).filter(({ form }) => form === 'success');
    const [other] = await same.asked();
    expect(other?.messages).toEqual(own?.messages);
    expect(other?.seed).not.toBe(own?.seed);
    // Its cost is the judges'.
    const asked = await askedFor(ground);
    const judgements = Object.entries(asked).filter(([form]) => form !== 'turn');
    const answered = judgements.reduce((sum, [, count]) => sum + count, 0) + 2 + 4;
    expect(record.judgeUsage.calls).toBeGreaterThanOrEqual(answered);
  });

  test('without a majority leaves success unscored as undecided', async () => {
    const ground = await withRules(bed, gibberish);
    const { cases, results } = await evaluateToEnd(ground, ['steady'], {
      panel: [member(await startModel([gibberish]), 'wordy')],
    });
    expect(cases[0]?.attempts['source']?.scores.success).toMatchObject({ value: null, reason: 'undecided' });
    expect(results('steady').unscoredReasons.success).toEqual({ undecided: 2 });
  });

  test('has at most four members beside the judge', async () => {
    const ground = await withRules(bed);
    const panel = ['a', 'b', 'c', 'd', 'e'].map((model) => member(ground.model, model));
    const refused = await ground.workspace.post('/v1/evaluations', evaluationBody(ground, ['steady'], { panel }));
    expect(problemOf(refused)).toEqual([400, 'invalid-request']);
  });
});
