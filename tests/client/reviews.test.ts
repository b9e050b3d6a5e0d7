import { describe, expect, test } from 'vitest';
import type { Agreement, ReviewDetail, UnitSummary } from '#core/exploration/record.ts';
import { unitAfterDecision } from '#core/units/progress.ts';
import type { Unit } from '#core/units/unit.ts';
import { createClient } from '../../client/client.ts';
import { unitReviewLines } from '../../client/display/review-lines.ts';
import { wordsOnlyInEachText } from '../../client/display/review-lines.ts';
import {
  after,
  audited,
  begun,
  decision,
  entities,
  paired,
  passage,
  places,
  route,
  searched,
  searchFailed,
  written,
} from '../unit/units/units.ts';
import { fakeApi, json, problem, type FakeApi } from './fake-api.ts';
import { runVerb } from './run-verb.ts';

const text = 'The Old Town Hall stands in Prague.';
const parked = after(begun(), [
  written(),
  searched(passage('p1', text), passage('p2')),
  paired({
    facts: [
      {
        passage: 1,
        relevance: 0.95,
        use: { name: 'the Old Town Hall', settles: 'It is the one in Brno', quote: 'stands in Prague' },
      },
    ],
  }),
  audited(85, {
    issues: [{ request: 'followUp', tool: route.name, type: 'semantic-mismatch', detail: 'it asks\nfor more' }],
    suggestions: ['say \u001B[2Jless'],
    facts: [{ passage: 1, verdict: 'needed', why: 'there are several' }],
  }),
]);

const review = (unit: Unit, open = true): ReviewDetail => ({
  exploration: 'exp_1',
  unit,
  tools: [places, { ...route, description: 'Finds a way' }],
  open,
});

const summary = (id: string, changes: Partial<UnitSummary> = {}): UnitSummary => ({
  id,
  round: 1,
  index: 1,
  probe: false,
  lineage: null,
  stage: { kind: 'done', status: 'review', reason: 'audited at 85' },
  status: 'review',
  source: 'How do I get there?',
  followUp: 'Show me the way.',
  chain: [places.name, route.name],
  score: 85,
  usage: { calls: 1, promptTokens: 1, completionTokens: 1, costUsd: 0 },
  ...changes,
});

const clientOf = (api: FakeApi, retries = 0) =>
  createClient({ url: api.url, key: 'key', retries, backoff: { firstMs: 1, longestMs: 1 } });
const bodiesOf = (api: FakeApi): unknown[] => api.requests.map(({ body }): unknown => JSON.parse(body));

describe('the client of reviews', () => {
  test('lists page by page, with every filter', async () => {
    await using api = await fakeApi(
      json({ items: [summary('r0001-u01')], nextCursor: 'r0001-u01' }),
      json({ items: [summary('e01-0001-v00')], nextCursor: null }),
    );
    const filter = { state: 'decided', origin: 'evolved', tool: 'maps/route', pageSize: 1 } as const;
    const found = await Array.fromAsync(clientOf(api).reviews.list('exp_1', filter));
    expect(found.map(({ id }) => id)).toEqual(['r0001-u01', 'e01-0001-v00']);
    const query = 'exploration=exp_1&state=decided&origin=evolved&tool=maps%2Froute&limit=1';
    expect(api.requests.map(({ line }) => line)).toEqual([
      `GET /v1/reviews?${query}`,
      `GET /v1/reviews?${query}&cursor=r0001-u01`,
    ]);
  });

  test('sends each decision unchanged', async () => {
    await using api = await fakeApi(json(review(parked)));
    const { reviews } = clientOf(api);
    const edit = { source: 'a', followUp: 'b', arguments: [] };
    expect(await reviews.approve('exp_1', 'u/1')).toEqual(review(parked));
    await reviews.reject('exp_1', 'u', 'no');
    await reviews.edit('exp_1', 'u', edit);
    expect(api.requests[0]?.line).toBe('POST /v1/reviews/exp_1/u%2F1/decision');
    expect(bodiesOf(api)).toEqual([
      { decision: 'approve' },
      { decision: 'reject', reason: 'no' },
      { decision: 'edit', edit },
    ]);
  });

  test('repeats a decision whose answer was lost, but no refused one', async () => {
    await using broken = await fakeApi((_, response) => void response.destroy(), json(review(parked)));
    await clientOf(broken, 2).reviews.approve('exp_1', 'u');
    expect(broken.requests).toHaveLength(2);
    await using refused = await fakeApi(problem(409, 'review-decided'));
    await expect(clientOf(refused, 2).reviews.approve('exp_1', 'u')).rejects.toThrow('detail of review-decided');
    expect(refused.requests).toHaveLength(1);
  });

  test('reads a unit and the agreement', async () => {
    const agreement: Agreement = {
      open: 1,
      decided: 0,
      approved: 0,
      edited: 0,
      rejected: 0,
      accuracy: null,
      kappa: null,
    };
    await using api = await fakeApi(json(review(parked)), json(agreement));
    const { reviews } = clientOf(api);
    expect(await reviews.get('exp_1', 'r0001-u01')).toEqual(review(parked));
    expect(await reviews.agreement('exp_1')).toEqual(agreement);
    expect(api.requests.map(({ line }) => line)).toEqual([
      'GET /v1/reviews/exp_1/r0001-u01',
      'GET /v1/reviews/agreement?exploration=exp_1',
    ]);
  });
});

describe('the display for a reviewer', () => {
  test('shows both requests with their differences, the chain, the audits and the facts', () => {
    expect(unitReviewLines(review(parked))).toEqual([
      'r0001-u01 of exp_1: waits for a decision',
      '',
      'source:     How do I get to the Old Town Hall?',
      'follow-up:  Show me the way to the Old Town Hall.',
      '  only the source says:     How do I get',
      '  only the follow-up says:  Show me way',
      '',
      'chain:',
      '  1. maps/find_place',
      '     query <- "the Old Town Hall" in the requests',
      '  2. maps/route: Finds a way',
      '     query <- "the Old Town Hall" in the requests',
      '',
      'audits, the last one of the present wording:',
      '  1. score 85: equivalence 85, solvability 100',
      '     semantic-mismatch in followUp, maps/route: it asks for more',
      '     suggestion: say [2Jless',
      '',
      'facts:',
      '  2 passages found, 1 of them used',
      '  "the Old Town Hall": It is the one in Brno (relevance 95.0%)',
      '     passage: The Old Town Hall stands in Prague. [a book]',
      '     critic: needed, there are several',
      '     does not count: the passage does not have "Brno"',
    ]);
  });

  test('shows earlier wordings, decisions, and the origin of a variant', () => {
    const edit = { source: 'Where is it?', followUp: 'Is it far?', arguments: [] };
    const edited = unitAfterDecision(
      after(begun({ lineage: entities }), [written('variant'), searchFailed, paired(), audited(85)]),
      decision({ decision: 'edit', edit }),
    );
    const rejected = unitAfterDecision(
      after(edited, [audited(95)]),
      decision({ decision: 'reject', reason: 'no' }, 95),
    );
    const lines = unitReviewLines(review(rejected, false));
    expect(lines.slice(0, 2)).toEqual([
      'r0001-u01 of exp_1: rejected (a reviewer rejected it: no)',
      '  a variant (entities) of r0001-u00, written by evolution 1',
    ]);
    expect(lines).toContain('     query <- no source is named');
    expect(lines).toContain('     step 1, query: unsolvable, no source is named');
    expect(lines.slice(lines.indexOf('facts:'))).toEqual([
      'facts:',
      '  the index failed (unreachable): nobody answers',
      '',
      'earlier wordings:',
      '  1. source:     How do I get to the Old Town Hall?',
      '     follow-up:  Show me the way to the Old Town Hall.',
      '',
      'decisions:',
      '  2026-01-01T00:00:00.000Z key_1, at score 85: edited',
      '  2026-01-01T00:00:00.000Z key_1, at score 95: rejected, no',
    ]);
  });

  test('cannot be used to control the terminal', () => {
    expect(unitReviewLines(review(parked)).join('')).not.toMatch(/\p{Cc}/u);
  });
});

test('differing words are listed once, in order, regardless of case and punctuation', () => {
  expect(wordsOnlyInEachText('Pay 1,200.50 EUR to Ann, to Bob!', 'to ann: pay 1,200.05 eur, please')).toEqual([
    ['1,200.50', 'Bob'],
    ['1,200.05', 'please'],
  ]);
  expect(wordsOnlyInEachText('', 'a')).toEqual([[], ['a']]);
});

describe('the verb', () => {
  test('reviews list prints the queue', async () => {
    const evolved = summary('e01-0001-v00', { lineage: entities, score: null, status: null, stage: { kind: 'audit' } });
    await using api = await fakeApi(
      json({ items: [summary('r0001-u01'), evolved], nextCursor: null }),
      json({ items: [], nextCursor: null }),
    );
    expect((await runVerb(api, 'reviews', 'list', 'exp_1', '--origin', 'explored')).lines).toEqual([
      'id            status    origin    score  chain                         source',
      'r0001-u01     review    explored  85     maps/find_place > maps/route  How do I get there?',
      'e01-0001-v00  at audit  entities         maps/find_place > maps/route  How do I get there?',
    ]);
    expect(await runVerb(api, 'reviews', 'list', 'exp_1')).toEqual({ lines: [], notes: 'there are no such units\n' });
    expect(api.requests[0]?.line).toBe('GET /v1/reviews?exploration=exp_1&origin=explored');
  });

  test('reviews show prints for people or programs', async () => {
    await using api = await fakeApi(json(review(parked)));
    expect((await runVerb(api, 'reviews', 'show', 'exp_1', 'r0001-u01')).lines).toEqual(
      unitReviewLines(review(parked)),
    );
    const { lines } = await runVerb(api, 'reviews', 'show', 'exp_1', 'r0001-u01', '--json');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([review(parked)]);
  });

  test('reviews approve, reject and edit print the new state of the unit', async () => {
    const edit = { source: 'Where is the Old Town Hall?', followUp: 'Is the Old Town Hall far?' };
    await using api = await fakeApi(
      json(review(unitAfterDecision(parked, decision({ decision: 'approve' })))),
      json(review(unitAfterDecision(parked, decision({ decision: 'reject', reason: 'no' })))),
      json(review(unitAfterDecision(parked, decision({ decision: 'edit', edit })))),
    );
    const at = ['exp_1', 'r0001-u01'];
    expect((await runVerb(api, 'reviews', 'approve', ...at)).lines).toEqual(['r0001-u01: at execution']);
    expect((await runVerb(api, 'reviews', 'reject', ...at, '--reason', ' no ')).lines).toEqual([
      'r0001-u01: rejected (a reviewer rejected it: no)',
    ]);
    const wording = ['--source', edit.source, '--follow-up', edit.followUp];
    expect((await runVerb(api, 'reviews', 'edit', ...at, ...wording)).lines).toEqual(['r0001-u01: at audit']);
    expect(bodiesOf(api)).toEqual([
      { decision: 'approve' },
      { decision: 'reject', reason: 'no' },
      { decision: 'edit', edit },
    ]);
  });

  test('reviews agreement prints the agreement', async () => {
    const nobody: Agreement = { open: 4, decided: 0, approved: 0, edited: 0, rejected: 0, accuracy: null, kappa: null };
    await using api = await fakeApi(
      json(nobody),
      json({ ...nobody, open: 0, decided: 10, approved: 6, edited: 1, rejected: 3, accuracy: 0.7, kappa: 0.4 }),
      json({ ...nobody, open: 3, decided: 1, approved: 1, accuracy: 1 }),
    );
    const said = async () => (await runVerb(api, 'reviews', 'agreement', 'exp_1')).lines;
    expect(await said()).toEqual([
      '0 decided: 0 approved, 0 edited, 0 rejected; 4 open',
      'nobody has decided on a unit yet',
    ]);
    expect(await said()).toEqual([
      '10 decided: 6 approved, 1 edited, 3 rejected; 0 open',
      'reviewers and critic agree on 70.0%, kappa 0.400',
    ]);
    expect((await said())[1]).toBe(
      'reviewers and critic agree on 100.0%, kappa not known: chance alone would agree on all',
    );
  });
});

test('a negative unit is shown with the tool that it looks like, in place of a chain', () => {
  const unit = after(begun({ draws: [{ tools: [route.name], known: [], negative: true }] }), [
    paired({ chain: [], arguments: [], looksLike: route.name }),
    audited(85),
  ]);
  const lines = unitReviewLines({ ...review(unit), tools: [{ ...route, description: 'Finds a way' }] });
  const at = lines.indexOf('chain:');
  expect(lines.slice(at + 1, at + 3)).toEqual([
    '  none: no tool may fit it, though it looks like something for',
    '  maps/route: Finds a way',
  ]);
});
