import { beforeAll, describe, expect, test } from 'vitest';
import { wordingProposal, type WordingProposal } from '#core/reports/wording-proposal/record.ts';
import { casesOf, evaluateToEnd, frozen, withRules, type TestBed } from '../support/evaluation.ts';
import { modelKey } from '../support/exploration.ts';
import { call, expectStatus, keyFor, problemOf } from '../support/workspace.ts';

/** The agent calls nothing, so that every unit shows trouble, whichever are drawn. */
const callsNothing = {
  form: 'turn',
  behaviour: { kind: 'content', content: 'done' },
} as const;
const path = (run: string): string => `/v1/evaluations/${run}/wording`;
const writerAt = ({ model }: TestBed) => ({
  model: 'writer',
  endpoint: { baseUrl: model.baseUrl, apiKey: modelKey, promptPricePerMTok: 1, completionPricePerMTok: 2 },
});

let bed: TestBed;
let run: string;
beforeAll(async () => {
  bed = await withRules(await frozen(6), callsNothing);
  ({ run } = await evaluateToEnd(bed, ['steady'], { mounting: { kind: 'max-scale' }, judges: false }));
}, 120_000);

const unitsIn = async (of: string): Promise<string[]> =>
  [...new Set((await casesOf(bed, of)).map(({ unit }) => unit))].toSorted();

async function propose(ground: TestBed, more: Readonly<Record<string, unknown>> = {}): Promise<WordingProposal> {
  const answer = await ground.workspace.post(path(run), { ...writerAt(ground), ...more });
  return wordingProposal.parse(expectStatus(answer, 200));
}

const proposedIn = ({ overlay }: WordingProposal) => overlay.writtenFrom?.units ?? [];

describe('a wording that a model writes', () => {
  test('is about the tools that agents missed in the units that it saw, and names these units', async () => {
    const ground = await withRules(bed);
    const proposal = await propose(ground, { name: 'clearer' });
    const all = await unitsIn(run);
    expect(proposal).toMatchObject({ benchmark: bed.benchmark.id, seen: { units: 3, of: 6 }, leftOut: [] });
    expect(proposedIn(proposal)).toHaveLength(3);
    expect(all).toEqual(expect.arrayContaining(proposedIn(proposal)));
    const [worst = { tool: '', missed: 0 }] = proposal.asked;
    expect(worst.missed).toBeGreaterThan(0);
    expect(proposal.overlay).toMatchObject({
      name: 'clearer',
      tools: { [worst.tool]: { description: `Takes care of every ${worst.tool.slice('fruit/'.length)} by its code` } },
      writtenFrom: { evaluation: run, model: 'writer', prompt: 'propose-wording@v1', offline: false },
    });
    expect(proposal.usage).toMatchObject({ calls: 1 });
    expect(proposal.usage.costUsd).toBeGreaterThan(0);

    const [question] = (await ground.model.asked()).filter(({ form }) => form === 'wording');
    const shown = question?.messages.map(({ content }) => content).join('\n') ?? '';
    const requests = await requestsByUnit();
    for (const [unit, texts] of requests)
      if (!proposedIn(proposal).includes(unit)) for (const text of texts) expect(shown).not.toContain(text);
    const seen = requests.filter(([unit]) => proposedIn(proposal).includes(unit)).flatMap(([, texts]) => texts);
    expect(seen.some((text) => shown.includes(text))).toBe(true);
    expect(question?.authorization).toBe(`Bearer ${modelKey}`);
  });

  test('sees the same units for the same seed, others for another, and more for a larger share', async () => {
    const [first, again, other, more] = [
      await propose(bed),
      await propose(bed),
      await propose(bed, { seed: 2 }),
      await propose(bed, { seenShare: 0.8 }),
    ].map(proposedIn);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(more?.length).toBe(5);
  });

  test('is judged on the other units when its overlay is evaluated', async () => {
    const { overlay } = await propose(bed);
    const { model, endpoint } = writerAt(bed);
    const { run: judged, record } = await evaluateToEnd(bed, [], {
      agents: [
        { name: 'a', model, endpoint },
        { name: 'b', model, endpoint, overlay },
      ],
      judges: false,
    });
    const seen = overlay.writtenFrom?.units ?? [];
    expect(await unitsIn(judged)).toEqual((await unitsIn(run)).filter((unit) => !seen.includes(unit)));
    expect(record.progress.units).toBe(3);
    const compared = await bed.workspace.get(`/v1/evaluations/${judged}/compare-anytime?a=a&b=b`);
    expect(expectStatus(compared, 200)).toMatchObject({ of: 3 });
    // Nobody improves a wording by what it was judged on without knowing it: attempts under an overlay are none of the servers' words.
    expect(problemOf(await bed.workspace.post(path(judged), { ...writerAt(bed), agent: 'b' }))).toEqual([
      422,
      'no-wording',
    ]);
  });

  test('is about tools that a client names, also where nothing was wrong with them', async () => {
    const { asked, overlay } = await propose(bed, { tools: ['fruit/quince'] });
    expect(asked.map(({ tool }) => tool)).toEqual(['fruit/quince']);
    expect(Object.keys(overlay.tools)).toEqual(['fruit/quince']);
    const unknown = await bed.workspace.post(path(run), { ...writerAt(bed), tools: ['fruit/melon'] });
    expect(problemOf(unknown)).toEqual([404, 'not-found']);
  });

  test('leaves out what cannot be an overlay, and is refused where nothing is left', async () => {
    const answerWith = (...tools: readonly unknown[]) =>
      withRules(bed, { form: 'wording', behaviour: { kind: 'content', content: JSON.stringify({ tools }) } });
    const fine = { n: 1, title: null, description: 'Fine', arguments: [{ name: 'kode', description: 'x' }] };
    const hidden = { n: 1, title: null, description: 'Ignore\u202e all', arguments: [] };
    const kept = await propose(await answerWith(fine, { ...fine, n: 99 }), { tools: ['fruit/apple'] });
    expect(kept.overlay.tools).toEqual({ 'fruit/apple': { description: 'Fine' } });
    expect(kept.leftOut).toEqual([
      { tool: 'fruit/apple', part: 'kode', reason: 'unknown-argument' },
      { tool: '99', part: null, reason: 'unknown-tool' },
    ]);
    const ground = await answerWith(hidden);
    const refused = await ground.workspace.post(path(run), { ...writerAt(ground), tools: ['fruit/apple'] });
    expect(problemOf(refused)).toEqual([422, 'no-wording']);
    expect(refused.body).toMatchObject({
      detail: expect.stringContaining('fruit/apple (description): hidden-characters'),
    });
  });
});

describe('a proposal is refused', () => {
  test.each([
    [{ kind: 'content', content: 'no JSON' }, 'no-wording'],
    [{ kind: 'refusal' }, 'no-wording'],
    [{ kind: 'status', status: 401 }, 'model-refused'],
    [{ kind: 'cut', when: 'before-headers' }, 'model-unreachable'],
  ] as const)('where the model answers with %o', async (behaviour, code) => {
    const ground = await withRules(bed, { form: 'wording', behaviour });
    expect(problemOf(await ground.workspace.post(path(run), writerAt(ground)))).toEqual([422, code]);
  });

  test('where agents had no trouble, and no model is asked', async () => {
    const fine = await withRules(bed);
    const { run: clean } = await evaluateToEnd(fine, ['steady'], { judges: false });
    const refused = await fine.workspace.post(path(clean), writerAt(fine));
    expect(problemOf(refused)).toEqual([422, 'no-wording']);
    expect((await fine.model.asked()).filter(({ form }) => form === 'wording')).toEqual([]);
  });

  test('for an agent that is not there, an address inside, an endpoint without a model, and a key that may only read', async () => {
    expect(problemOf(await bed.workspace.post(path(run), { ...writerAt(bed), agent: 'nobody' }))).toEqual([
      404,
      'not-found',
    ]);
    const { endpoint } = writerAt(bed);
    expect(problemOf(await bed.workspace.post(path(run), { endpoint }))).toEqual([400, 'invalid-request']);
    const inside = { model: 'm', endpoint: { baseUrl: 'http://169.254.169.254/v1' } };
    expect(problemOf(await bed.workspace.post(path(run), inside))).toEqual([422, 'address-forbidden']);
    const reader = await keyFor(bed.workspace.id, 'read');
    expect(problemOf(await call(reader, 'POST', path(run), writerAt(bed)))).toEqual([403, 'forbidden']);
    expect(problemOf(await bed.workspace.post(path('evl_none'), writerAt(bed)))).toEqual([404, 'not-found']);
  });
});

async function requestsByUnit(): Promise<[string, string[]][]> {
  const text = expectStatus(await bed.workspace.get(`/v1/benchmarks/${bed.benchmark.id}/export`), 200);
  return String(text)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .flatMap((line) => (line.type === 'unit' ? [[line.unit.id, [line.unit.source, line.unit.followUp]]] : []));
}
