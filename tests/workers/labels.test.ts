import { beforeAll, describe, expect, test } from 'vitest';
import { attemptPlace, label, storedCounts, type AttemptPlace } from '#core/evaluation/labels.ts';
import { verdictAgreement } from '#core/evaluation/verdict-agreement.ts';
import { evaluateToEnd, frozen, withRules, type TestBed } from '../support/evaluation.ts';
import { expectStatus, pageOf, problemOf } from '../support/workspace.ts';

/** Labels of people and votes of other judges, on an evaluation by the real workflow. */

let bed: TestBed;
let run: string;
let attempts: AttemptPlace[];
beforeAll(async () => {
  bed = await withRules(await frozen(2));
  ({ run } = await evaluateToEnd(bed, ['steady']));
  attempts = await openFor('nobody');
});

async function openFor(labeller: string, query = ''): Promise<AttemptPlace[]> {
  const answer = await bed.workspace.get(`/v1/evaluations/${run}/labels/open?labeller=${labeller}${query}`);
  return pageOf(attemptPlace).parse(expectStatus(answer, 200)).items;
}

const post = (what: 'labels' | 'votes', body: unknown) => bed.workspace.post(`/v1/evaluations/${run}/${what}`, body);
const stored = async (what: 'labels' | 'votes', body: unknown) =>
  storedCounts.parse(expectStatus(await post(what, body), 200));
const agreement = async () =>
  verdictAgreement.parse(expectStatus(await bed.workspace.get(`/v1/evaluations/${run}/agreement`), 200));
const first = (): AttemptPlace => {
  const [place] = attempts;
  if (place === undefined) throw new Error('there are attempts');
  return place;
};

describe('labels', () => {
  test('are kept once for each attempt and labeller, and labelling continues where it stopped', async () => {
    expect(attempts).toHaveLength(4);
    const two = attempts.slice(0, 2).map((place) => ({ ...place, verdict: 'success' }));
    expect(await stored('labels', { labeller: 'ana', labels: two })).toEqual({ stored: 2, unchanged: 0 });
    expect(await stored('labels', { labeller: 'ana', labels: two })).toEqual({ stored: 0, unchanged: 2 });
    expect(await openFor('ana')).toEqual(attempts.slice(2));
    expect(await openFor('ben')).toEqual(attempts);
    const page = await bed.workspace.get(`/v1/evaluations/${run}/labels/open?labeller=ana&limit=1`);
    const { items, nextCursor } = pageOf(attemptPlace).parse(expectStatus(page, 200));
    expect(items).toEqual(attempts.slice(2, 3));
    expect(await openFor('ana', `&cursor=${encodeURIComponent(nextCursor ?? '')}`)).toEqual(attempts.slice(3));
  });

  test('are replaced by what the same labeller says later, and attributed to the key', async () => {
    const said = { ...first(), verdict: 'failure', error: 'completeness', note: 'half of it' };
    expect(await stored('labels', { labeller: 'cy', labels: [{ ...first(), verdict: 'cannot-tell' }] })).toMatchObject({
      stored: 1,
    });
    expect(await stored('labels', { labeller: 'cy', labels: [said] })).toEqual({ stored: 1, unchanged: 0 });
    const listed = await bed.workspace.get(`/v1/evaluations/${run}/labels?labeller=cy`);
    const { items } = pageOf(label).parse(expectStatus(listed, 200));
    expect(items).toEqual([{ ...said, labeller: 'cy', key: expect.any(String), at: expect.any(String) }]);
    expect(await stored('labels', { labels: [said] })).toMatchObject({ stored: 1 });
    const all = pageOf(label).parse(
      expectStatus(await bed.workspace.get(`/v1/evaluations/${run}/labels?limit=500`), 200),
    ).items;
    expect(all.find(({ labeller }) => labeller === items[0]?.key)).toMatchObject({ verdict: 'failure' });
  });

  test('of which one is about no attempt are all refused', async () => {
    const unknown = { ...first(), trial: 2, verdict: 'success' };
    const refused = await post('labels', {
      labeller: 'dee',
      labels: [{ ...first(), verdict: 'success' }, unknown],
    });
    expect(problemOf(refused)).toEqual([404, 'not-found']);
    expect(await openFor('dee')).toEqual(attempts);
    expect(problemOf(await post('labels', { labels: [{ ...first(), verdict: 'maybe' }] }))[0]).toBe(400);
  });
});

describe('the agreement of an evaluation', () => {
  test('has its judge, the judges whose votes were added, and their majority', async () => {
    const votes = attempts.map((place, at) => ({ ...place, verdict: at === 0 ? null : at % 2 === 0 }));
    expect(await stored('votes', { judge: 'elsewhere', votes })).toEqual({ stored: 4, unchanged: 0 });
    expect(await stored('votes', { judge: 'elsewhere', votes })).toEqual({ stored: 0, unchanged: 4 });
    const labels = attempts.map((place) => ({ ...place, verdict: 'success' }));
    await stored('labels', { labeller: 'zoe', labels });
    const { withLabels, panel } = await agreement();
    const own = withLabels.judges.find(({ judge }) => judge === 'judge');
    expect(own?.n).toBeGreaterThanOrEqual(3);
    expect(withLabels.judges.find(({ judge }) => judge === 'elsewhere')?.unparsed).toBeLessThanOrEqual(1);
    expect(panel).toMatchObject({ attempts: 4 });
    expect(panel?.undecided).toBe(0.5);
  });
});
