import { connect } from 'node:net';
import { createClient } from '../client/client.ts';
import { makeRandom } from '#core/values/random.ts';
import { quantileOfSorted } from '#core/statistics/quantile.ts';
import type { Development } from '../engine/development.ts';
import { drawNormal } from './shared/normal-quantile.ts';
import { readBenchOptions, makeLogOutsideJson } from './shared/options.ts';
import { roundToHundredths } from './shared/rounded.ts';
import { measureOnTemporaryWorker } from './shared/with-worker.ts';
import { startStubModels } from './stubs/stub-models.ts';
import { startStubServers } from './stubs/stub-mcp-server.ts';

/**
 * `npm run bench:streams`: how far behind a run's events its listeners are when there are many of them: docs/measurements.md.
 */
const options = readBenchOptions('Measures how far behind a run its listeners are when there are a thousand.');
const say = makeLogOutsideJson(options);
const clients = options.smallest ? 50 : 1_000;
/** Opened at once, so that the backlog of the system's sockets holds them. */
const openedAtOnce = 50;
const servers = 10;
const toolsPerServer = 10;
const rounds = options.smallest ? 2 : 8;
const batch = 10;
/** What answers take: a run makes its events at the pace of its models. Many events come at once where all take the same. */
const equalDelayMs = 400;
const medianDelayMs = options.smallest ? 200 : 1_500;
/** Nineteen of twenty answers take between 0.56 and 4 seconds. */
const delaySpread = 0.5;

/** A thousand listeners get each event: to parse its whole JSON would take longer than to send it. */
const eventLine = /^data: \{"id":(\d+),"at":"([^"]+)"/;

/** What a listener received, and how late. */
interface Listener {
  readonly lastId: number;
  /** Milliseconds between an event and its arrival, of those that happened after all listeners were there. */
  readonly lagsMs: readonly number[];
}

// Made before the measurement below, which runs while the module is read.
const received = Buffer.alloc(256 * 1_024);
const stubs = await startStubServers({ servers, toolsPerServer });
try {
  const varied = await measureLagsUnderLoad('varied answers', makeModelDelays());
  const equal = await measureLagsUnderLoad('equal answers', equalDelayMs);
  if (options.json) console.log(JSON.stringify({ clients, varied, equal }));
} finally {
  await stubs.close();
}

async function measureLagsUnderLoad(load: string, delayMs: number | (() => number)): Promise<Lags> {
  const models = await startStubModels({ delayMs });
  try {
    return await measureOnTemporaryWorker(options, async (worker) => {
      const lags = computeLags(await measureListenerLags(worker, models.url));
      say(
        `${load}: ${clients} listeners, ${lags.measured} events each: half of them ${lags.p50Ms} ms behind, 99% ${lags.p99Ms} ms, all ${lags.maxMs} ms`,
      );
      return lags;
    });
  } finally {
    await models.close();
  }
}

/** Returns a source of log-normal delays, the same ones in every measurement. */
function makeModelDelays(): () => number {
  const random = makeRandom('delays of models');
  return () => medianDelayMs * Math.exp(delaySpread * drawNormal(random));
}

async function measureListenerLags(worker: Development, baseUrl: string): Promise<readonly Listener[]> {
  const client = createClient({ url: worker.url, key: worker.key });
  const ids: string[] = [];
  for (let n = 0; n < servers; n += 1)
    ids.push(
      (await client.servers.add({ name: `s${n}`, domain: 'bench', url: stubs.urlOf(n), allows: 'destroys' })).id,
    );
  const { id: catalog } = await client.catalogs.create(ids);
  const model = { baseUrl, model: 'stub' };
  const run = await client.explorations.create({
    catalog,
    batch,
    budget: { rounds },
    models: { writer: model, critic: model, agent: model },
  });
  const listening: Promise<Listener>[] = [];
  const started = { all: Number.POSITIVE_INFINITY };
  for (let n = 0; n < clients; n += openedAtOnce) {
    const opened = Array.from({ length: openedAtOnce }, () =>
      openListenerUntilRunEnds(worker, run.id, () => started.all),
    );
    await Promise.all(opened.map(({ open }) => open));
    listening.push(...opened.map(({ ended }) => ended));
  }
  started.all = Date.now();
  say(`${clients} listeners are there`);
  return Promise.all(listening);
}

/**
 * Listens until the run has ended. It speaks to the socket itself, with one buffer for all: a thousand listeners of
 * `node:http` would take as long to read an event as the Worker takes to send it.
 */
function openListenerUntilRunEnds(
  { url, key }: Development,
  run: string,
  since: () => number,
): { readonly open: Promise<void>; readonly ended: Promise<Listener> } {
  const { promise: open, resolve: opened, reject: failed } = Promise.withResolvers<void>();
  const { hostname, port, host } = new URL(url);
  const ended = new Promise<Listener>((resolve, reject) => {
    const fail = (error: Error): void => {
      failed(error);
      reject(error);
    };
    const lagsMs: number[] = [];
    let [rest, lastId, started, over] = ['', 0, false, false];
    const readLine = (line: string, now: number): void => {
      if (line.startsWith('event: end')) over = true;
      const [, number, at = ''] = eventLine.exec(line) ?? [];
      if (number === undefined) return;
      const id = Number(number);
      if (id !== lastId + 1) fail(new Error(`event ${id} followed ${lastId}`));
      lastId = id;
      if (Date.parse(at) > since()) lagsMs.push(now - Date.parse(at));
    };
    const readText = (text: string): boolean => {
      const now = Date.now();
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      if (!started && !text.startsWith('HTTP/1.1 200')) fail(new Error(`a stream answered ${text.slice(0, 40)}`));
      started = true;
      opened();
      for (const line of lines) readLine(line, now);
      return true;
    };
    const socket = connect({
      port: Number(port),
      host: hostname,
      onread: {
        buffer: received,
        callback: (length, buffer) => readText(Buffer.from(buffer.buffer, 0, length).latin1Slice()),
      },
    });
    socket.write(
      `GET /v1/explorations/${run}/events HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n\r\n`,
    );
    socket.on('error', fail);
    socket.on('close', () => (over ? resolve({ lastId, lagsMs }) : fail(new Error('a stream broke off'))));
  });
  return { open, ended };
}

interface Lags {
  readonly events: number;
  /** Those after all listeners were there. */
  readonly measured: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

function computeLags(listeners: readonly Listener[]): Lags {
  const events = Math.max(...listeners.map(({ lastId }) => lastId));
  if (listeners.some(({ lastId }) => lastId !== events)) throw new Error('not every listener has every event');
  const lags = listeners.flatMap(({ lagsMs }) => lagsMs).toSorted((a, b) => a - b);
  const at = (share: number): number => roundToHundredths(quantileOfSorted(lags, share));
  return {
    events,
    measured: Math.max(...listeners.map(({ lagsMs }) => lagsMs.length)),
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    maxMs: at(1),
  };
}
