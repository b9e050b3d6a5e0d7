import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestHarness } from 'wrangler';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { closeServer, listenOnFreePort } from '../../bench/stubs/stub-mcp-server.ts';
import { report, type Report } from '../support/platform/report.ts';

/** The double of the platform's rules, in a Worker that breaks them: a rule that could be broken unseen would hold nobody. */

const harness = createTestHarness({
  workers: [
    {
      config: {
        name: 'rule-breaker',
        main: join(import.meta.dirname, '../support/platform/rule-breaker.ts'),
        compatibility_date: '2026-10-01',
        compatibility_flags: ['nodejs_compat'],
        durable_objects: { bindings: [{ name: 'BREAKER', class_name: 'Breaker' }] },
        migrations: [{ tag: 'v1', new_sqlite_classes: ['Breaker'] }],
        workflows: [{ name: 'breaker', binding: 'BREAKER_WORKFLOW', class_name: 'BreakerWorkflow' }],
      },
    },
  ],
});

/** How many requests were at the server at once, before any got its headers. */
let waiting = 0;
let mostWaiting = 0;
const slow = createServer((_, response) => {
  waiting += 1;
  mostWaiting = Math.max(mostWaiting, waiting);
  setTimeout(() => {
    waiting -= 1;
    response.end('late');
  }, 100);
});
let url = '';

beforeAll(async () => {
  url = `http://127.0.0.1:${await listenOnFreePort(slow)}/`;
  await harness.listen();
}, 60_000);
afterAll(async () => {
  await Promise.all([harness.close(), closeServer(slow)]);
});

const answered = z.object({ error: z.string().nullable(), seen: report });

async function broken(how: string): Promise<{ error: string | null; seen: Report }> {
  mostWaiting = 0;
  const response = await harness.fetch('/', { method: 'POST', body: JSON.stringify({ how, url }) });
  return answered.parse(await response.json());
}

/** What is seen once something is; a Workflow and an alarm begin after the request that sets them off. */
async function untilSeen(): Promise<Report> {
  for (let waits = 0; waits < 100; waits += 1) {
    const seen = report.parse(await (await harness.fetch('/')).json());
    if (seen.breaches.length > 0) return seen;
    await pause(50);
  }
  throw new Error('nothing was seen');
}

const rulesOf = ({ breaches }: Report) => breaches.map(({ rule, kind }) => `${rule} in ${kind}`);

test('six requests at once break no rule', async () => {
  const { error, seen } = await broken('nothing');
  expect(error).toBeNull();
  expect(seen.breaches).toEqual([]);
  expect(seen.figures['Breaker.send']).toMatchObject({ subrequests: 6, waitingConnections: 6 });
});

test.each([
  ['request-connections', 'Worker.fetch'],
  ['object-connections', 'Breaker.send'],
  ['nested-connections', 'Breaker.sendTwice'],
  ['calls-of-an-object', 'Breaker.send'],
  ['calls-of-a-part', 'Breaker.part.send'],
])('a seventh request that waits for headers is reported and queued: %s', async (how, kind) => {
  const { error, seen } = await broken(how);
  expect(error).toBeNull();
  expect(rulesOf(seen)).toEqual([`waitingConnections in ${kind}`]);
  expect(mostWaiting).toBe(6);
});

test('the requests of an alarm are counted', async () => {
  await broken('alarm');
  expect(rulesOf(await untilSeen())).toEqual(['waitingConnections in Breaker.alarm']);
});

test('requests that a stream causes count for the call that created the stream', async () => {
  expect(rulesOf((await broken('stream')).seen)).toEqual(['waitingConnections in Breaker.fetch']);
});

test('a request of an unknown invocation is reported', async () => {
  expect(rulesOf((await broken('stray')).seen)).toEqual(['unaccounted in none']);
});

test.each([
  ['argument', 'messageBytes in Worker.fetch'],
  ['argument-of-a-part', 'messageBytes in Worker.fetch'],
  ['answer', 'messageBytes in Worker.fetch'],
  ['row', 'rowBytes in Breaker.store'],
  ['payload', 'payloadBytes in Worker.fetch'],
  ['batch', 'instancesAtOnce in Worker.fetch'],
])('an oversized value is reported and refused: %s', async (how, breach) => {
  const { error, seen } = await broken(how);
  expect(error).toMatch(/at most [\d]+ allowed/);
  expect(rulesOf(seen)).toEqual([breach]);
});

test('rows read and written are counted', async () => {
  const { seen } = await broken('rows');
  expect(seen.figures['Breaker.store']).toMatchObject({ rowsRead: 3, rowsWritten: 3 });
});

test('a stub that threw throws the same error again, and its use is reported', async () => {
  const { error, seen } = await broken('stub');
  expect(error).toContain('the object was reset');
  expect(rulesOf(seen)).toEqual(['stubsReused in Worker.fetch']);
});

test.each(['reset', 'reset-at-a-part'])(
  'an object is reset on request: its caller gets an error, and a new stub works: %s',
  async (how) => {
    const { error, seen } = await broken(how);
    expect(error).toMatch(/threw: .*reset by the double of the platform; a new stub heard 4/);
    expect(seen.breaches).toEqual([]);
  },
);

test('parallel steps of a Workflow count together', async () => {
  await broken('in connections');
  expect(rulesOf(await untilSeen())).toEqual(['waitingConnections in BreakerWorkflow']);
  expect(mostWaiting).toBe(6);
});

test.each(['subrequests', 'steps'])('consecutive steps of a Workflow count together: %s', async (how) => {
  await broken(`in ${how}`);
  expect(rulesOf(await untilSeen())).toContain(`${how} in BreakerWorkflow`);
});

test('an oversized step result is reported', async () => {
  await broken('in result');
  expect(rulesOf(await untilSeen())).toEqual(['stepResultBytes in BreakerWorkflow']);
});

test('a stub that threw in one step and is used in another is reported', async () => {
  await broken('in stub');
  expect(rulesOf(await untilSeen())).toEqual(['stubsReused in BreakerWorkflow']);
});
