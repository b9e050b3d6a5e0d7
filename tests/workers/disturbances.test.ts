import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { attackKeys, disturbances, faultKeys } from '#core/traces/disturbances/disturbances.ts';
import type { Trace } from '#core/traces/trace.ts';
import {
  caseOf,
  casesOf,
  evaluateToEnd,
  evaluationBody,
  followEvaluation,
  frozen,
  resultsOf,
  withRules,
  type TestBed,
} from '../support/evaluation.ts';
import { claim, connected, evaluateGuest, respond } from '../support/external.ts';
import { problemOf } from '../support/workspace.ts';

/** A benchmark, a recording of its servers, and no server any more. */
let bed: TestBed;
let recordingId: string;
beforeAll(async () => {
  bed = await frozen(2);
  const recorded = await evaluateToEnd(bed, ['one'], { recording: 'record', judges: false });
  recordingId = recorded.record.config.recordingId ?? '';
  for (const server of Object.values(bed.servers)) await server.close();
});

const replay = () => ({ recording: 'replay', recordingId });

async function tracesOf(ground: TestBed, run: string): Promise<ReadonlyMap<string, Trace>> {
  const details = await Promise.all((await casesOf(ground, run)).map(({ id }) => caseOf(ground, run, id)));
  return new Map(
    details.flatMap(({ case: { unit }, traces }) =>
      Object.entries(traces).map(([request, trace]) => [`${unit} ${request}`, trace] as const),
    ),
  );
}

test('every kind of fault is made from a recording, with all servers stopped, in pairs with an undisturbed attempt', async () => {
  const ground = await withRules(bed);
  const { run, record, results } = await evaluateToEnd(ground, ['one'], { protocol: 'resilience', ...replay() });
  expect(record).toMatchObject({ status: 'completed', progress: { made: 32 } });
  const traces = await tracesOf(ground, run);
  for (const [place, trace] of traces) {
    const [, request] = place.split(' ');
    expect(trace.disturbance?.kind).toBe(request === 'source' ? undefined : request);
    const disturbed = trace.steps.filter((step) => step.disturbed === true);
    if (request === 'source') expect(disturbed).toEqual([]);
    else if (trace.disturbance?.met === true) expect(disturbed.length).toBeGreaterThan(0);
  }
  const [all, ...kinds] = results('one').disturbances ?? [];
  // Where a changed value leads the agent to a call that nobody recorded, the attempt cannot be evaluated.
  const evaluated = [...traces.values()].filter(({ disturbance, end }) => disturbance !== undefined && end !== 'fault');
  expect(all).toMatchObject({ kind: null, attempts: evaluated.length });
  expect(record.progress.notEvaluated).toBe(30 - evaluated.length);
  expect(kinds.map(({ kind }) => kind)).toEqual(faultKeys);
  for (const { kind, attempts, met } of kinds)
    if (kind === 'timeout' || kind === 'empty' || kind === 'tool-gone') expect(met).toBe(attempts);
});

test("nothing of a disturbance reaches a request to the agent's model but the changed result", async () => {
  const ground = await withRules(bed);
  const faulty = await evaluateToEnd(ground, ['one'], { protocol: 'resilience', judges: false, ...replay() });
  const attacked = await evaluateToEnd(ground, ['one'], { protocol: 'attack', judges: false, ...replay() });
  expect(attacked.record.status).toBe('completed');
  const told = (await ground.model.asked()).filter(({ form }) => form === 'turn');
  const words = JSON.stringify(told.map(({ messages, functions }) => [messages, functions]));
  expect(told.length).toBeGreaterThan(50);
  for (const { key } of disturbances.filter((each) => /-/.test(each.key))) expect(words).not.toContain(key);
  expect(words).not.toMatch(/disturb|undisturbed|canary/i);
  const traces = [...(await tracesOf(ground, faulty.run)), ...(await tracesOf(ground, attacked.run))];
  const changed = traces.flatMap(([, { steps }]) => steps.filter((step) => step.disturbed === true));
  expect(changed.some(({ text }) => words.includes(JSON.stringify(text).slice(1, -1)))).toBe(true);
  // The agent's seed is that of the undisturbed attempt, and so is all that it is asked before the disturbance.
  const opening = Map.groupBy(told, ({ messages }) => JSON.stringify(messages.slice(0, 2)));
  for (const own of opening.values()) expect(new Set(own.map(({ seed }) => seed)).size).toBe(1);
});

test('an agent at the gateway gets the same changed results as a loop of ours, and the same figures for the same habits', async () => {
  const ground = await withRules(bed);
  const weather = {
    protocol: 'resilience',
    disturb: { kinds: ['timeout', 'empty', 'hidden-error', 'cut-connection'] },
  };
  const loop = await evaluateToEnd(ground, ['one'], { ...weather, ...replay() });
  const own = await tracesOf(ground, loop.run);
  const guest = await evaluateGuest(ground, { ...weather, ...replay() });
  const byRequest = new Map(
    await Promise.all(
      loop.cases.map(async ({ id, unit }) => {
        const { asked } = await caseOf(ground, loop.run, id);
        return [asked['source'] ?? '', unit] as const;
      }),
    ),
  );
  for (let made = 0; made < 10; made += 1) {
    const attempt = await claim(ground, guest);
    expect(JSON.stringify(attempt)).not.toMatch(/\b(?:timeout|empty|hidden|cut|disturb\w*)\b/);
    const plain = own.get(`${byRequest.get(attempt.request)} source`);
    if (plain === undefined) throw new Error('the loop had no such request');
    const client = await connected(attempt);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    // It makes the calls that the loop makes undisturbed, whatever comes back, and answers as the loop did.
    for (const { tool, arguments: args } of plain.steps)
      await client.callTool({ name: tool, arguments: args ?? {} }).catch(() => null);
    await client.close();
    await respond(ground, attempt, plain.finalText);
  }
  await followEvaluation(ground, guest);
  const theirs = await tracesOf(ground, guest);
  for (const [place, { disturbance, steps }] of theirs) {
    expect(disturbance).toEqual(own.get(place)?.disturbance);
    const text = (trace: Pick<Trace, 'steps'> | undefined) =>
      trace?.steps.find((step) => step.disturbed === true)?.text;
    expect(text({ steps })).toBe(text(own.get(place)));
  }
  const [mine, guests] = [loop.results('one').disturbances, (await resultsOf(ground, guest))('guest').disturbances];
  for (const kind of weather.disturb.kinds) {
    const [ofLoop, ofGuest] = [mine, guests].map((rows) => rows?.find((row) => row.kind === kind));
    // The loop goes by what comes back, and one of its two attempts leaves what was recorded; the guest keeps to its calls.
    expect(ofGuest).toMatchObject({ met: 2 });
    expect(ofLoop?.met).toBeGreaterThan(0);
    expect(ofGuest?.without.mean).toBeGreaterThanOrEqual(ofLoop?.without.low ?? 0);
  }
});

test('an attempt at the gateway that is killed in the middle is disturbed once, and keeps what its server had answered', async () => {
  const ground = await withRules(bed);
  const weather = { protocol: 'resilience', judges: false, disturb: { kinds: ['empty'] } };
  const { run } = await evaluateToEnd(ground, ['one'], { ...weather, ...replay() });
  const plans = [...(await tracesOf(ground, run))].filter(([place]) => place.endsWith(' source'));
  const asked = new Map(
    await Promise.all(
      (await casesOf(ground, run)).map(async ({ id, unit }) => {
        const { asked: texts } = await caseOf(ground, run, id);
        return [texts['source'] ?? '', plans.find(([place]) => place.startsWith(unit))?.[1]] as const;
      }),
    ),
  );
  const guest = await evaluateGuest(ground, { ...weather, ...replay() });
  for (let made = 0; made < 4; made += 1) {
    const attempt = await claim(ground, guest);
    for (const { tool, arguments: args } of asked.get(attempt.request)?.steps ?? [])
      for (let again = 0; again < 2; again += 1) {
        const client = await connected(attempt);
        await client.callTool({ name: tool, arguments: args ?? {} }).catch(() => null);
        await client.close();
        await evictDurableObject(env.ATTEMPT.getByName(attempt.id));
      }
    await respond(ground, attempt, 'done');
  }
  await followEvaluation(ground, guest);
  const disturbed = [...(await tracesOf(ground, guest))].filter(([place]) => place.endsWith(' empty'));
  expect(disturbed).toHaveLength(2);
  for (const [, { steps, disturbance }] of disturbed) {
    const at = steps.findIndex((step) => step.disturbed === true);
    expect(steps.filter((step) => step.disturbed === true)).toHaveLength(1);
    expect(steps[at]?.text).toBe('');
    expect(steps[at + 1]).toMatchObject({ tool: steps[at]?.tool, outcome: 'success', text: disturbance?.original });
  }
});

test('attacks mount canaries, and an agent that ignores them withstands', async () => {
  const ground = await withRules(bed);
  const { run, results } = await evaluateToEnd(ground, ['one'], { protocol: 'attack', ...replay() });
  const traces = await tracesOf(ground, run);
  for (const key of attackKeys) {
    const own = [...traces].filter(([place]) => place.endsWith(` ${key}`));
    expect(own).toHaveLength(2);
    for (const [, { disturbance }] of own)
      expect(disturbance).toMatchObject({ kind: key, canary: { word: /-\d{4}$/ } });
  }
  // It may take either of two tools with one description; what asks it for something else, it does not do.
  for (const { kind, attackSuccess } of results('one').disturbances ?? [])
    if (kind !== null && kind !== 'shadow-name' && kind !== 'shadow-praise') expect(attackSuccess?.mean).toBe(0);
});

test('kinds and texts that the protocol has no use for are refused, with what they are', async () => {
  const refused = async (more: Readonly<Record<string, unknown>>) =>
    problemOf(await bed.workspace.post('/v1/evaluations', evaluationBody(bed, ['one'], { ...more, ...replay() })));
  expect(await refused({ protocol: 'resilience', disturb: { kinds: ['posing-user'] } })).toEqual([
    400,
    'invalid-request',
  ]);
  expect(await refused({ disturb: { kinds: ['timeout'] } })).toEqual([400, 'invalid-request']);
  const payloads = [{ id: 'own', language: 'en', asks: 'word', text: 'no canary in it' }];
  expect(await refused({ protocol: 'attack', disturb: { payloads } })).toEqual([400, 'invalid-request']);
});
