import { expect, test } from 'vitest';
import { chooseWatchedCalls } from '#core/reports/watch/choose-calls.ts';
import type { Incident } from '#core/reports/watch/incident.ts';
import { pauseBeforeRetry } from '#core/reports/watch/message.ts';
import { pauseAfterVisit, type WatchRecord } from '#core/reports/watch/record.ts';
import { watchBadgeSvg, watchFeed, watchVerdict } from '#core/reports/watch/show-watch.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { signedHeaders } from '#api/watching/sign-message.ts';

const watch: WatchRecord = {
  id: 'wch_1',
  server: { id: 'srv_1', name: 'shop' },
  createdAt: '2026-01-01T00:00:00.000Z',
  everyHours: 24,
  hold: false,
  public: true,
  webhook: null,
  status: 'steady',
  paused: false,
  calls: 3,
  visits: 30,
  lastVisitAt: '2026-02-01T03:00:00.000Z',
  nextVisitAt: null,
  problem: null,
  agents: null,
  open: [],
  undelivered: null,
};
const incident: Incident = {
  number: 4,
  kind: 'definitions',
  tools: ['list'],
  class: 'hostile',
  since: '2026-02-01T03:00:00.000Z',
  foundAt: '2026-02-01T03:00:00.000Z',
  overAt: null,
  end: null,
  what: 'list: <script> & hidden\u{e0041}',
  changes: [{ tool: 'list', class: 'hostile', what: ']]><b>' }],
  call: null,
};

test('the verdict names how a server stands and the day', () => {
  expect(watchVerdict(watch)).toBe('steady, 2026-02-01');
  expect(watchVerdict({ ...watch, status: 'changed', open: [incident] })).toBe('turned hostile, 2026-02-01');
  expect(watchVerdict({ ...watch, status: 'unreached' })).toBe('not reached, 2026-02-01');
  expect(watchVerdict({ ...watch, paused: true, lastVisitAt: null })).toBe('paused, not visited yet');
  expect(watchBadgeSvg(watch)).toContain('<title>Sextant: shop: steady, 2026-02-01</title>');
});

test('nothing in a feed can be markup, and what is hidden is shown', () => {
  const feed = watchFeed(watch, [incident], 'https://example.com/watches/wch_1');
  expect(feed).toContain('list: &lt;script&gt; &amp; hidden[U+E0041]');
  expect(feed).toContain(']]&gt;&lt;b&gt;');
  expect(feed).toContain('<updated>2026-02-01T03:00:00.000Z</updated>');
  expect(feed).toContain('<id>https://example.com/watches/wch_1#incident-4</id>');
});

const tool = (name: string, more: Partial<Tool>): Tool => ({
  name: `shop/${name}`,
  server: 'shop',
  domain: 'shop',
  category: 'other',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  ...more,
});

test('calls are chosen of tools that only read: with good arguments, and without those that are required', () => {
  const needs = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const calls = chooseWatchedCalls([
    tool('list_orders', {}),
    tool('get_weather', { inputSchema: needs }),
    tool('delete_order', { annotations: { destructiveHint: true } }),
  ]);
  expect(calls).toEqual([
    { tool: 'list_orders', arguments: {} },
    { tool: 'get_weather', arguments: { city: 'Berlin' } },
    { tool: 'get_weather', arguments: { city: 'Paris' } },
    { tool: 'get_weather', arguments: {} },
  ]);
});

test('a server that was missed is tried again soon, then hourly, and visits spread over a tenth of the time', () => {
  const minutes = (missed: number, draw = 0.5): number => pauseAfterVisit({ missed }, 24, draw) / 60_000;
  expect([minutes(0, 0), minutes(0), minutes(0, 1)]).toEqual([1_368, 1_440, 1_512]);
  expect([minutes(1), minutes(2), minutes(3), minutes(9)]).toEqual([10, 10, 60, 60]);
});

test('a message that is not taken is sent again ever later, and given up', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7].map((attempts) => pauseBeforeRetry(attempts));
  expect(pauses).toEqual([...[5, 15, 60, 240, 720, 1_440].map((minutes) => minutes * 60_000), null]);
});

test('messages are signed as Standard Webhooks has it', async () => {
  // The example of the specification's libraries.
  const headers = await signedHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    now: new Date(1_614_265_330_000),
  });
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});
