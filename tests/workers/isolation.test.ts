import { beforeAll, describe, expect, test } from 'vitest';
import { serverRecord } from '#core/catalog/server.ts';
import { evaluationResults } from '#core/evaluation/record.ts';
import { caseOf, casesOf, evaluateToEnd, frozen, type TestBed } from '../support/evaluation.ts';
import { claim, claimAnswer, connected, evaluateGuest, respond } from '../support/external.ts';
import { expectStatus, pageOf, problemOf } from '../support/workspace.ts';
import { tools } from '../support/world.ts';

/** A benchmark over one server whose tools may write. */
let bed: TestBed;
let server: string;

const say = (isolation: unknown) => bed.workspace.post(`/v1/servers/${server}/relist`, { isolation });
const byTool = { kind: 'reset', by: { tool: 'wipe', arguments: { code: 'reset {attempt}' } } };

beforeAll(async () => {
  bed = await frozen(3, { servers: { notes: { tools: tools('apple', 'pear', 'wipe') } } });
  const { items } = pageOf(serverRecord).parse(expectStatus(await bed.workspace.get('/v1/servers'), 200));
  server = items[0]?.id ?? '';
});

const callsOfNotes = async () => (await bed.servers['notes']?.log())?.calls ?? [];
const isReset = ({ arguments: args }: { readonly arguments: Readonly<Record<string, unknown>> }): boolean =>
  String(args['code']).startsWith('reset ');
const nameOfCall = (tool: string, args: unknown): string => `${tool.split('/').at(-1)} ${JSON.stringify(args)}`;

/** The calls of every attempt of an evaluation, as texts. */
async function callsByAttempt(run: string): Promise<string[]> {
  const details = await Promise.all((await casesOf(bed, run)).map(({ id }) => caseOf(bed, run, id)));
  return details
    .flatMap(({ traces }) => [traces.source, traces.followUp])
    .map((trace) => (trace?.steps ?? []).map((step) => nameOfCall(step.tool, step.arguments)).join('; '));
}

describe('a server that is reset by one of its tools', () => {
  test('is reset before each attempt and used by one at a time, and the results say so', async () => {
    expect(serverRecord.parse(expectStatus(await say(byTool), 200)).isolation).toEqual({ when: 'before', ...byTool });
    const before = (await callsOfNotes()).length;
    const { run, cases } = await evaluateToEnd(bed, ['steady'], { concurrency: 4, trials: 2 });
    expect(cases).toHaveLength(6);
    const groups: string[][] = [];
    const resets: unknown[] = [];
    for (const call of (await callsOfNotes()).slice(before)) {
      if (isReset(call)) {
        resets.push(call.arguments['code']);
        groups.push([]);
      } else groups.at(-1)?.push(nameOfCall(call.tool, call.arguments));
    }
    const made = (await callsByAttempt(run)).filter((calls) => calls !== '');
    expect(made.length).toBeGreaterThan(6);
    expect(groups.map((calls) => calls.join('; ')).toSorted()).toEqual(made.toSorted());
    expect(new Set(resets).size).toBe(resets.length);
    const results = await bed.workspace.get(`/v1/evaluations/${run}/results`);
    expect(evaluationResults.parse(expectStatus(results, 200)).isolation).toEqual([
      { server: 'notes', isolation: 'reset', shared: true },
    ]);
  });

  test('gives an external agent its next attempt only when the one before has ended', async () => {
    expectStatus(await say(byTool), 200);
    const run = await evaluateGuest(bed);
    const first = await claim(bed, run);
    expect(await claimAnswer(bed, run)).toMatchObject({ status: 'wait' });
    const before = (await callsOfNotes()).length;
    const client = await connected(first);
    await client.callTool({ name: 'notes__apple', arguments: { code: 'K1' } });
    await client.callTool({ name: 'notes__apple', arguments: { code: 'K2' } });
    expect((await callsOfNotes()).slice(before).map(({ arguments: args }) => args['code'])).toEqual([
      `reset ${first.id}`,
      'K1',
      'K2',
    ]);
    expectStatus(await respond(bed, first, 'It is done.'), 200);
    const second = await claim(bed, run);
    expect(second.id).not.toBe(first.id);
    // It made no call, so nothing had to be reset; its turn ends all the same.
    expectStatus(await respond(bed, second, 'Nothing to do.'), 200);
    expectStatus(await respond(bed, await claim(bed, run), 'Nothing either.'), 200);
  });
});

test('an evaluation on a server that nothing resets runs its attempts one at a time, and says that they saw each other', async () => {
  expect(serverRecord.parse(expectStatus(await say({ kind: 'none' }), 200)).isolation).toEqual({ kind: 'none' });
  const before = (await callsOfNotes()).length;
  const { run } = await evaluateToEnd(bed, ['steady'], { concurrency: 4 });
  const seen = (await callsOfNotes()).slice(before).map((call) => nameOfCall(call.tool, call.arguments));
  let left = seen.join('; ');
  for (const calls of (await callsByAttempt(run)).filter((each) => each !== '')) {
    expect(left).toContain(calls);
    left = left.replace(calls, '');
  }
  expect(left.replaceAll('; ', '')).toBe('');
  const results = await bed.workspace.get(`/v1/evaluations/${run}/results`);
  expect(evaluationResults.parse(expectStatus(results, 200)).isolation).toEqual([
    { server: 'notes', isolation: 'none', shared: true },
  ]);
});

describe("a server owner's word about isolation", () => {
  const secret = `whsec_${btoa('x'.repeat(32))}`;

  test('never shows the secret of a webhook', async () => {
    const said = { kind: 'reset', when: 'after', by: { webhook: 'http://127.0.0.1:9/reset', secret } };
    const record = serverRecord.parse(expectStatus(await say(said), 200));
    expect(record.isolation).toEqual({ ...said, by: { webhook: said.by.webhook } });
    expect(JSON.stringify(await bed.workspace.get('/v1/servers'))).not.toContain(secret.slice(6));
    expectStatus(await say({ kind: 'session' }), 200);
  });

  test.each([
    ['a tool that is not there', { kind: 'reset', by: { tool: 'mop' } }, 'invalid-request'],
    ['a webhook without a secret', { kind: 'reset', by: { webhook: 'http://127.0.0.1:9/reset' } }, 'invalid-request'],
    [
      'a webhook at a forbidden address',
      { kind: 'reset', by: { webhook: 'ftp://x.example', secret } },
      'address-forbidden',
    ],
    ['an unknown kind', { kind: 'sometimes' }, 'invalid-request'],
  ])('is refused if it names %s', async (_, said, code) => {
    expect(problemOf(await say(said))[1]).toBe(code);
  });
});
