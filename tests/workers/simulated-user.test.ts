import { beforeAll, describe, expect, test } from 'vitest';
import { evaluationResults } from '#core/evaluation/record.ts';
import {
  askedFor,
  caseOf,
  casesOf,
  evaluateToEnd,
  evaluationBody,
  frozen,
  withRules,
  type TestBed,
} from '../support/evaluation.ts';
import { exploreToEnd } from '../support/exploration.ts';
import { claim, connected, evaluateGuest, respond } from '../support/external.ts';
import { expectStatus, problemOf } from '../support/workspace.ts';
import { tools } from '../support/world.ts';

/** A benchmark over a server whose tools ask their user before they answer. */
let bed: TestBed;

const asking = (tools('apple', 'pear') ?? []).map((tool) => ({ ...tool, does: 'ask' as const }));

beforeAll(async () => {
  bed = await frozen(1, { servers: { fruit: { tools: asking } } });
});

const answered = { message: 'Which colour?', fields: ['colour'], answer: { colour: 'blue' }, by: { model: 'judge' } };

async function stepsOf(ground: TestBed, run: string) {
  const details = await Promise.all((await casesOf(ground, run)).map(({ id }) => caseOf(ground, run, id)));
  return details.flatMap(({ traces }) => [traces.source, traces.followUp]).flatMap((trace) => trace?.steps ?? []);
}

describe('an evaluation whose user answers', () => {
  test('gives servers what the request says, keeps it in the steps, and counts the model as the judge', async () => {
    const ground = await withRules(bed);
    const { run, cases, record } = await evaluateToEnd(ground, ['steady'], { user: 'answer' });
    expect(record.config.user).toBe('answer');
    expect(record.provenance.prompts).toContain('simulated-user@v1');
    const steps = await stepsOf(ground, run);
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) {
      expect(step).toMatchObject({ outcome: 'success', asked: [answered] });
      expect(step.text).toContain('{"action":"accept","content":{"colour":"blue"}}');
    }
    const asked = await askedFor(ground);
    expect(asked['user-answer']).toBe(steps.length);
    const judged = Object.entries(asked).filter(([form]) => !['turn', 'text', 'user-answer'].includes(form));
    expect(judged.length).toBeGreaterThan(0);
    expect(cases[0]?.judgeUsage.calls).toBeGreaterThanOrEqual(steps.length);
    const results = await ground.workspace.get(`/v1/evaluations/${run}/results`);
    expect(evaluationResults.parse(expectStatus(results, 200)).user).toBe('answer');
  });

  test('answers for external agents as for its own, and keeps what that took', async () => {
    const ground = await withRules(bed);
    const run = await evaluateGuest(ground, { user: 'answer', judges: true });
    const attempt = await claim(ground, run);
    const client = await connected(attempt);
    const result = await client.callTool({ name: 'fruit__apple', arguments: { code: 'K1' } });
    expect(JSON.stringify(result.content)).toContain('blue');
    await client.close();
    expectStatus(await respond(ground, attempt, 'It is done.'), 200);
    expectStatus(await respond(ground, await claim(ground, run), 'It is done.'), 200);
    const [first] = await casesOf(ground, run);
    expect((await stepsOf(ground, run))[0]).toMatchObject({ asked: [answered] });
    expect(first?.judgeUsage.calls).toBeGreaterThan(0);
    expect((await askedFor(ground))['user-answer']).toBe(1);
  });

  test('needs a judge', async () => {
    const body = evaluationBody(bed, ['steady'], { user: 'answer', judges: false });
    const refused = await bed.workspace.post('/v1/evaluations', body);
    expect(problemOf(refused)).toEqual([400, 'invalid-request']);
    expect(JSON.stringify(refused.body)).toContain("the judge's model plays the user");
  });
});

test('an evaluation that declines tells legacy servers that nobody can be asked', async () => {
  const ground = await withRules(bed);
  const { run, record } = await evaluateToEnd(ground, ['steady']);
  expect(record.provenance.prompts).not.toContain('simulated-user@v1');
  for (const step of await stepsOf(ground, run)) {
    expect(step.asked).toBeUndefined();
    expect(step.text).toContain('nobody can be asked');
  }
  expect((await askedFor(ground))['user-answer']).toBeUndefined();
  const results = await ground.workspace.get(`/v1/evaluations/${run}/results`);
  expect(evaluationResults.parse(expectStatus(results, 200)).user).toBe('decline');
});

test("the base agent of an exploration has a user too, whom the critic's model plays", async () => {
  const ground = await withRules(bed);
  const { units } = await exploreToEnd(ground, { batch: 1, more: { user: 'answer' } });
  const steps = units.flatMap(({ traces }) => [traces.source, traces.followUp]).flatMap((trace) => trace?.steps ?? []);
  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps) expect(step.asked).toMatchObject([{ answer: { colour: 'blue' } }]);
});
