import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { costEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { evaluationAgreement } from '#core/evaluation/evaluation-agreement.ts';
import { attemptPlace } from '#core/evaluation/labels.ts';
import { evaluationRecord, evaluationResults, type EvaluationRecord } from '#core/evaluation/record.ts';
import {
  askedFor,
  caseOf,
  casesOf,
  evaluateToEnd,
  evaluationOf,
  followEvaluation,
  frozen,
  withRules,
  type TestBed,
} from '../support/evaluation.ts';
import { modelKey } from '../support/exploration.ts';
import { expectStatus, pageOf, problemOf } from '../support/workspace.ts';
import { startModel, type OutsideModel } from '../support/world.ts';

/** Attempts that are judged again, by the real workflow on scripted models. */

const failing = (goals: number) =>
  JSON.stringify({
    goals: Array.from({ length: goals }, (_, at) => ({
      goal: at + 1,
      why: 'no',
      achieved: false,
      covered: 0,
      nothingFound: false,
    })),
    relevance: { why: 'no', score: 0 },
    why: 'no',
    success: false,
  });

let bed: TestBed;
let run: string;
beforeAll(async () => {
  bed = await withRules(await frozen(2));
  ({ run } = await evaluateToEnd(bed, ['one', 'two']));
}, 120_000);

const judgesAt = ({ baseUrl }: OutsideModel) => {
  const endpoint = { baseUrl, apiKey: modelKey };
  return { judge: { ...endpoint, model: 'judge' }, embedder: { ...endpoint, model: 'embedder' } };
};

async function rejudge(model: OutsideModel, headers: Record<string, string> = {}): Promise<EvaluationRecord> {
  const answer = await bed.workspace.post(`/v1/evaluations/${run}/rejudge`, judgesAt(model), { headers });
  return evaluationRecord.parse(expectStatus(answer, 202));
}
const resultsOf = async (id: string) =>
  evaluationResults.parse(expectStatus(await bed.workspace.get(`/v1/evaluations/${id}/results`), 200));
const agreementOf = async (id: string) =>
  evaluationAgreement.parse(expectStatus(await bed.workspace.get(`/v1/evaluations/${id}/agreement`), 200));

describe('an evaluation that judges the attempts of another one again', () => {
  test('has the same traces, goals and scores under the same judge, and runs no agent', async () => {
    const open = await bed.workspace.get(`/v1/evaluations/${run}/labels/open`);
    const [place] = pageOf(attemptPlace).parse(expectStatus(open, 200)).items;
    const labels = [{ ...place, verdict: 'success' }];
    expectStatus(await bed.workspace.post(`/v1/evaluations/${run}/labels`, { labeller: 'ana', labels }), 200);
    const model = await startModel([]);
    const again = await rejudge(model);
    expect(again).toMatchObject({ rejudges: run, agents: [{ name: 'one', loop: 'uploaded' }, { name: 'two' }] });
    await followEvaluation(bed, again.id);
    expect(await evaluationOf(bed, again.id)).toMatchObject({
      status: 'completed',
      progress: { attempts: 8, made: 8, notEvaluated: 0, unitsDone: 2 },
    });
    const asked = await askedFor({ ...bed, model });
    expect([asked['turn'], asked['sub-intents'], asked['attempt-reading']]).toEqual([undefined, undefined, 8]);
    const [before, after] = [await casesOf(bed, run), await casesOf(bed, again.id)];
    // Only the cost of judging may differ: the goals were planned before.
    const withoutCost = (each: EvaluationCase) => ({ ...each, judgeUsage: null });
    expect(after.map(withoutCost)).toEqual(before.map(withoutCost));
    const id = before[0]?.id ?? '';
    const [was, is] = [await caseOf(bed, run, id), await caseOf(bed, again.id, id)];
    expect([is.traces, is.plan]).toEqual([was.traces, was.plan]);
    const [own, other] = [await resultsOf(run), await resultsOf(again.id)];
    expect(other.agents.map(({ scores, tokens }) => [scores, tokens])).toEqual(
      own.agents.map(({ scores, tokens }) => [scores, tokens]),
    );
    const { before: compared, ranking, labels: copied } = await agreementOf(again.id);
    expect(compared).toMatchObject({ n: 8, accuracy: { value: 1 } });
    expect(ranking).toMatchObject({ evaluation: run, swapped: [], tauB: null });
    expect(copied.labellers).toEqual([{ labeller: 'ana', labels: 1 }]);
  });

  test('says how the ranking changes under another judge', async () => {
    const verdicts = (await caseOf(bed, run, (await casesOf(bed, run))[0]?.id ?? '')).plan;
    const goals = verdicts?.ok === true ? verdicts.value.length : 0;
    // The judge finds no success in the first four attempts that it sees.
    const model = await startModel([
      { form: 'attempt-reading', times: 4, behaviour: { kind: 'content', content: failing(goals) } },
    ]);
    const again = await rejudge(model);
    await followEvaluation(bed, again.id);
    const { before, ranking } = await agreementOf(again.id);
    expect(before).toMatchObject({ n: 8, accuracy: { value: 0.5 } });
    expect(ranking?.agents).toHaveLength(2);
  });

  test('is created once for an idempotency key', async () => {
    const model = await startModel([]);
    const headers = { 'idempotency-key': 'again' };
    expect((await rejudge(model, headers)).id).toBe((await rejudge(model, headers)).id);
  });

  test('says what it is expected to take, and with a dry run does no more than that', async () => {
    const model = await startModel([]);
    const path = `/v1/evaluations/${run}/rejudge`;
    const { estimate } = z
      .object({ estimate: costEstimate })
      .parse(expectStatus(await bed.workspace.post(`${path}?dryRun=true`, judgesAt(model)), 200));
    expect(await model.asked()).toEqual([]);
    const { judgeUsage, progress } = await evaluationOf(bed, run);
    const taken = judgeUsage.promptTokens + judgeUsage.completionTokens;
    expect(estimate.basis).toContain(`${progress.made} attempts and 1 judge`);
    expect(estimate.basis).toContain(`The means of the judges of ${run}`);
    expect(Math.abs(estimate.tokens - taken)).toBeLessThanOrEqual(1);
    expect((await rejudge(model)).estimate).toEqual(estimate);
  });

  test('is refused while its attempts are still made, and for an evaluation that nobody has', async () => {
    const slow = await withRules(bed, { form: 'turn', behaviour: { kind: 'slow', ms: 2_000 } });
    const body = { benchmark: bed.benchmark.id, agents: [{ name: 'guest', loop: 'external' }], judges: false };
    const open = evaluationRecord.parse(expectStatus(await slow.workspace.post('/v1/evaluations', body), 202)).id;
    const judges = judgesAt(await startModel([]));
    const refused = await bed.workspace.post(`/v1/evaluations/${open}/rejudge`, judges);
    expect(problemOf(refused)).toEqual([409, 'wrong-state']);
    expect(problemOf(await bed.workspace.post('/v1/evaluations/evl_none/rejudge', judges))).toEqual([404, 'not-found']);
  });
});

describe('an evaluation of attempts that were made elsewhere', () => {
  const uploaded = { name: 'guest', loop: 'uploaded', configuration: { loop: 'elsewhere', model: null, limits: {} } };

  test('takes each attempt once, ends what is missing, and can be labelled and judged', async () => {
    const [first, second] = (await casesOf(bed, run)).filter(({ agent }) => agent === 'one');
    if (first === undefined || second === undefined) throw new Error('there are two units');
    const { traces } = await caseOf(bed, run, first.id);
    const attempts = ['followUp', 'source'].map((request) => ({
      unit: first.unit,
      agent: 'guest',
      request,
      trace: traces[request],
    }));
    const model = await startModel([]);
    const body = { benchmark: bed.benchmark.id, agents: [uploaded], ...judgesAt(model) };
    const { id } = evaluationRecord.parse(expectStatus(await bed.workspace.post('/v1/evaluations', body), 202));
    const send = async (more: Record<string, unknown>) => bed.workspace.post(`/v1/evaluations/${id}/attempts`, more);
    expect(expectStatus(await send({ attempts }), 200)).toEqual({ stored: 2, unchanged: 0, missing: 0, waiting: true });
    expect(expectStatus(await send({ attempts }), 200)).toMatchObject({ stored: 0, unchanged: 2 });
    expect(problemOf(await send({ attempts: [{ ...attempts[0], agent: 'one' }] }))).toEqual([404, 'not-found']);
    expect(expectStatus(await send({ attempts: [], complete: true }), 200)).toMatchObject({
      missing: 2,
      waiting: false,
    });
    await followEvaluation(bed, id);
    expect(await evaluationOf(bed, id)).toMatchObject({
      status: 'completed',
      progress: { made: 4, notEvaluated: 2, unitsDone: 2 },
    });
    expect(expectStatus(await send({ attempts, complete: true }), 200)).toMatchObject({ stored: 0, unchanged: 2 });
    const label = { unit: first.unit, agent: 'guest', request: 'source', verdict: 'success' };
    expectStatus(await bed.workspace.post(`/v1/evaluations/${id}/labels`, { labels: [label] }), 200);
    const { withLabels } = await agreementOf(id);
    expect(withLabels.majority).toMatchObject({ n: 1 });
    expect(
      (await casesOf(bed, id)).find(({ unit }) => unit === first.unit)?.attempts['source']?.scores.success.value,
    ).toBe(first.attempts['source']?.scores.success.value);
  });
});
