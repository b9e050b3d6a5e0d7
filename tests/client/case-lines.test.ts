import { expect, test } from 'vitest';
import { caseLines } from '../../client/display/case-lines.ts';
import { makeScore, makeUnscored } from '#core/scoring/score.ts';
import { finished } from '../unit/evaluation/cases.ts';
import { runVerb } from './run-verb.ts';
import { fakeApi, json } from './fake-api.ts';
import { evaluation } from './records.ts';

const grades = {
  success: makeScore(
    0,
    { achieved: [true, false], reasons: ['call 1 found it', 'no call weighs it'] },
    'It guessed\u001B[2J.',
  ),
  ar: makeUnscored('judge-unparsed', { judge: null, cosines: [0.5, 1, 0.25] }),
};
const detail = {
  case: finished({ unit: 'u_1', agent: 'steady' }, { tools: ['fruit/apple', 'fruit/pear!'], grades }),
  traces: {},
  asked: { source: 'Which apple is heaviest?\u001B[2J' },
  chain: ['fruit/apple', 'fruit/scale'],
  plan: { ok: true as const, value: ['Find an apple', 'Weigh it'] },
};

test('tools of an agent that are its own are shown beside those of the servers', () => {
  const { source } = detail.case.attempts;
  if (source === undefined) throw new Error('no attempt');
  const linesOf = (more: Partial<typeof source>): string[] =>
    caseLines({ ...detail, case: { ...detail.case, attempts: { source: { ...source, ...more } } } });
  expect(linesOf({ ownToolCalls: { Bash: 3, Read: 1 } })).toContain('  own tools: Bash (3), Read (1)');
  expect(linesOf({ ownToolCalls: { Bash: 1 }, calls: [] })).toContain(
    '  own tools: Bash (1); the tools of the servers were not called',
  );
  expect(linesOf({}).join('\n')).not.toContain('own tools');
});

test('a case is shown with its goals, calls, answers, and the reasons and parts of every score', () => {
  const lines = caseLines(detail);
  const text = lines.join('\n');
  expect(lines[0]).toContain('steady on u_1, trial 1, done');
  expect(lines.slice(1, 5)).toEqual([
    'expected: fruit/apple > fruit/scale',
    'goals:',
    '  1. Find an apple',
    '  2. Weigh it',
  ]);
  expect(lines).toContain('  request: Which apple is heaviest?[2J');
  expect(lines).toContain('  2. fruit/pear: failure');
  expect(text).toMatch(/success 0\.000: It guessed/);
  expect(text).toContain('    reasons ["call 1 found it","no call weighs it"]');
  expect(text).toContain('  AR unscored, judge-unparsed\n    judge null\n    cosines [0.5,1,0.25]');
  expect(text).not.toContain('\u001B');
});

test('a case without a plan or an attempt is shown as far as it is known', () => {
  const open = { ...detail, case: { ...detail.case, attempts: {}, scores: {} }, plan: null };
  expect(caseLines({ ...open, chain: [] })).toHaveLength(1);
});

test('an attempt of an agent that crashed is told from one with an empty answer', () => {
  const [name = '', attempt] = Object.entries(detail.case.attempts)[0] ?? [];
  if (attempt === undefined) throw new Error('no attempt');
  const attempts = { ...detail.case.attempts, [name]: { ...attempt, crashed: true as const } };
  expect(caseLines({ ...detail, case: { ...detail.case, attempts } })).toContain(
    `${name}: the agent crashed, which counts as an empty answer`,
  );
  expect(caseLines(detail).join('\n')).not.toContain('crashed');
});

test('"case" asks for one case, and "cases" lists them', async () => {
  await using api = await fakeApi(json(detail), json(evaluation()), json({ items: [detail.case], nextCursor: null }));
  const { lines } = await runVerb(api, 'case', 'evl_1', detail.case.id);
  expect(api.requests[0]?.line).toBe(`GET /v1/evaluations/evl_1/cases/${detail.case.id}`);
  expect(lines.join('\n')).toContain('1. Find an apple');
  const listed = (await runVerb(api, 'cases', 'evl_1')).lines;
  expect(listed[0]).toMatch(/^case +agent +unit +trial +outcome +success +calls$/);
  expect(listed[1]).toContain('steady');
});
