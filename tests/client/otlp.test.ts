import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CaseDetail } from '#core/evaluation/record.ts';
import { parseCollectorUrl, parseOtlpHeaders, sendToCollector } from '../../client/otlp/collector.ts';
import { startCollector } from '../support/otlp-collector.ts';
import { makeStep, makeTrace } from '../support/traces.ts';
import { chain, finished } from '../unit/evaluation/cases.ts';
import { fakeApi, json, type FakeApi, type Handler } from './fake-api.ts';
import { evaluation } from './records.ts';
import { runVerb } from './run-verb.ts';

const run = evaluation({ status: 'completed' });

const detailOf = (agent: string, calls = 1): CaseDetail => ({
  case: { ...finished({ unit: 'u_1', agent }, { tools: chain }), id: `u_1.${agent}.01` },
  traces: {
    source: makeTrace(
      Array.from({ length: calls }, () => makeStep('fruit/apple')),
      { startedAt: '2026-01-01T00:00:00.000Z' },
    ),
    followUp: makeTrace([], { startedAt: '2026-01-01T00:01:00.000Z' }),
  },
  asked: { source: 'Find an apple.', followUp: 'An apple, please.' },
  chain,
  plan: null,
});

/** An API with an evaluation of these cases. */
const startApi = (...details: readonly CaseDetail[]): Promise<FakeApi> =>
  fakeApi((request, response, body) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://api.test');
    const wanted = details.find((each) => pathname.endsWith(`/cases/${each.case.id}`));
    const agent = searchParams.get('agent');
    const items = details.map((each) => each.case).filter((each) => agent === null || each.agent === agent);
    const answer = wanted ?? (pathname.includes('/cases') ? { items, nextCursor: null } : run);
    return json(answer)(request, response, body);
  });

const send = (api: FakeApi, collector: FakeApi, ...words: readonly string[]) =>
  runVerb(api, 'export-results', 'evl_1', '--otlp', collector.url, ...words);

afterEach(() => vi.unstubAllEnvs());

describe('"export-results --otlp"', () => {
  test('sends every attempt to the collector, which takes it by the encoding of OTLP', async () => {
    await using api = await startApi(detailOf('steady'), detailOf('hasty'));
    await using collector = await startCollector();
    const { lines } = await send(api, collector);
    expect(lines).toEqual([`4 attempts sent as 10 spans to ${collector.url}/v1/traces`]);
    expect(collector.taken.flat().map(({ name }) => name)).toContain('invoke_agent hasty');
    expect(new Set(collector.taken.flat().map(({ traceId }) => traceId)).size).toBe(4);
  });

  test('sends the same ids when it is repeated, and one agent alone where one is named', async () => {
    await using api = await startApi(detailOf('steady'), detailOf('hasty'));
    await using collector = await startCollector();
    await send(api, collector, '--agent', 'steady');
    await send(api, collector, '--agent', 'steady');
    const [first, second] = collector.taken;
    expect(first).toEqual(second);
    expect(first?.filter(({ name }) => name.startsWith('invoke_agent')).map(({ name }) => name)).toEqual([
      'invoke_agent steady',
      'invoke_agent steady',
    ]);
  });

  test('sends texts only where they are wanted', async () => {
    await using api = await startApi(detailOf('steady'));
    await using collector = await startCollector();
    await send(api, collector);
    await send(api, collector, '--texts');
    expect(collector.requests.map(({ body }) => body.includes('Find an apple'))).toEqual([false, true]);
  });

  test('keeps requests below the number of spans that collectors take', async () => {
    await using api = await startApi(detailOf('steady', 600), detailOf('hasty', 600));
    await using collector = await startCollector();
    const { lines } = await send(api, collector, '--json');
    expect(collector.taken.map((spans) => spans.length)).toEqual([512, 512, 184]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ attempts: 4, spans: 1_208, rejected: 0 });
  });

  test('sends the headers of the environment, and shows no value of a wrong one', async () => {
    await using api = await startApi(detailOf('steady'));
    await using collector = await startCollector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Basic%20YQ%3D%3D, x-project = one');
    await send(api, collector);
    expect(collector.requests[0]?.headers).toMatchObject({ authorization: 'Basic YQ==', 'x-project': 'one' });
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'a=b,secret');
    await expect(send(api, collector)).rejects.toThrow(/^OTEL_EXPORTER_OTLP_HEADERS: pair 2 is not name=value$/);
  });

  test('reports what a collector rejected and warned of, and fails', async () => {
    const partial = json({ partialSuccess: { rejectedSpans: '3', errorMessage: 'attributes too long' } });
    const warning = json({ partialSuccess: { errorMessage: 'use gRPC' } });
    await using api = await startApi(detailOf('steady'));
    await using collector = await startCollector(warning, partial);
    const { notes } = await send(api, collector);
    expect(notes).toContain('the collector says: use gRPC');
    await expect(send(api, collector)).rejects.toThrow('the collector rejected 3 of 5 spans');
    expect(collector.requests).toHaveLength(2);
  });

  test('says how much was sent before a collector refused', async () => {
    await using api = await startApi(detailOf('steady', 600));
    await using collector = await startCollector(json({}), json({ message: 'quota' }, 400));
    await expect(send(api, collector)).rejects.toThrow(
      `${collector.url}/v1/traces answers 400: quota. It took 512 spans before; sent again, they have the same ids`,
    );
  });

  test('refuses what does not fit together', async () => {
    await using api = await startApi();
    const ask = (...words: string[]) => runVerb(api, 'export-results', 'evl_1', ...words);
    await expect(ask()).rejects.toThrow('give --format or --otlp');
    await expect(ask('--otlp', 'http://c', '--out', 'x')).rejects.toThrow('--otlp writes no file');
    await expect(ask('--otlp', 'http://c', '--agent', 'nobody')).rejects.toThrow('it has steady, hasty');
    await expect(ask('--format', 'csv', '--texts')).rejects.toThrow('--texts is for --otlp');
    await expect(ask('--otlp', 'localhost:4318')).rejects.toThrow('give an address such as http://localhost:4318');
  });
});

describe('a request to a collector', () => {
  const options = (collector: FakeApi, signal = new AbortController().signal) => ({
    url: `${collector.url}/v1/traces`,
    headers: {},
    fetch: globalThis.fetch,
    signal,
    firstWaitMs: 1,
  });
  const busy = (status: number, headers: Readonly<Record<string, string>> = {}): Handler =>
    json({ message: 'busy' }, status, headers);

  test.each([429, 502, 503, 504])('is repeated after %s', async (status) => {
    await using collector = await startCollector(busy(status), busy(status, { 'retry-after': '0' }), json({}));
    expect(await sendToCollector('{}', options(collector))).toMatchObject({ rejected: 0 });
    expect(collector.requests).toHaveLength(3);
  });

  test('waits as long as Retry-After says, in seconds or until a date', async () => {
    await using collector = await startCollector(
      busy(429, { 'retry-after': '1' }),
      (request, response, body) =>
        busy(503, { 'retry-after': new Date(Date.now() + 2_000).toUTCString() })(request, response, body),
      json({}),
    );
    const begun = performance.now();
    await sendToCollector('{}', options(collector));
    expect(performance.now() - begun).toBeGreaterThan(1_900);
  });

  test('is given up after six tries, or at once where the collector asks for more than a minute', async () => {
    await using collector = await startCollector(...Array.from({ length: 6 }, () => busy(503)));
    await expect(sendToCollector('{}', options(collector))).rejects.toThrow('answers 503: busy, 6 times');
    await using patient = await startCollector(busy(429, { 'retry-after': '90' }));
    await expect(sendToCollector('{}', options(patient))).rejects.toThrow('asks to wait 90 seconds');
    expect(patient.requests).toHaveLength(1);
  });

  test.each([
    [400, 'answers 400: busy'],
    [401, 'answers 401: busy; headers are taken from OTEL_EXPORTER_OTLP_HEADERS'],
    [404, 'is this the address of OTLP over HTTP?'],
    [500, 'answers 500: busy'],
  ])('is not repeated after %s', async (status, words) => {
    await using collector = await startCollector(busy(status));
    await expect(sendToCollector('{}', options(collector))).rejects.toThrow(words);
    expect(collector.requests).toHaveLength(1);
  });

  test('follows no redirect, because it could lead the headers elsewhere', async () => {
    await using collector = await startCollector(busy(307, { location: 'http://127.0.0.1:1/' }));
    await expect(sendToCollector('{}', options(collector))).rejects.toThrow('answers 307');
  });

  test('is refused where a page answers instead of a collector', async () => {
    await using page = await fakeApi((_, response) => void response.writeHead(200).end('<html>'));
    await expect(sendToCollector('{}', options(page))).rejects.toThrow('answers with something else than OTLP');
  });

  test('is taken with an empty answer', async () => {
    await using collector = await fakeApi((_, response) => void response.writeHead(200).end());
    expect(await sendToCollector('{}', options(collector))).toMatchObject({ rejected: 0, message: '' });
  });

  test('is repeated while nobody listens, then says so', async () => {
    const collector = await startCollector();
    await collector[Symbol.asyncDispose]();
    await expect(sendToCollector('{}', options(collector))).rejects.toThrow(
      /cannot be reached: .*ECONNREFUSED.*, 6 times/,
    );
  });

  test('ends as soon as the user interrupts', async () => {
    const interrupted = new AbortController();
    await using collector = await startCollector((request, response, body) => {
      interrupted.abort(new Error('interrupted'));
      return busy(503, { 'retry-after': '30' })(request, response, body);
    });
    await expect(sendToCollector('{}', options(collector, interrupted.signal))).rejects.toThrow();
    expect(collector.requests).toHaveLength(1);
  });

  test('that the stand-in would refuse is shown with what is wrong', async () => {
    await using collector = await startCollector();
    const body = JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans: [] }] });
    await expect(sendToCollector(body, options(collector))).rejects.toThrow(/answers 400: .*attributes/s);
  });
});

describe('the address of a collector', () => {
  test.each([
    ['http://localhost:4318', 'http://localhost:4318/v1/traces'],
    ['http://localhost:4318/', 'http://localhost:4318/v1/traces'],
    ['https://c.test/otlp/', 'https://c.test/otlp/v1/traces'],
    ['https://c.test/v1/traces', 'https://c.test/v1/traces'],
    ['https://c.test/otlp?team=a', 'https://c.test/otlp/v1/traces?team=a'],
  ])('%s is completed', (given, whole) => {
    expect(parseCollectorUrl(given)).toBe(whole);
  });

  test.each(['ftp://c.test', 'c.test', 'http://user:secret@c.test'])('%s is refused', (given) => {
    expect(() => parseCollectorUrl(given)).toThrow(/give/);
  });

  test('has no headers where none are given', () => {
    expect(parseOtlpHeaders('')).toEqual({});
    expect(() => parseOtlpHeaders('a=%zz')).toThrow('the value of a is not percent-encoded');
  });
});
