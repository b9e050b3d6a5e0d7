import { z } from 'zod';
import { makeCatalog } from '#core/catalog/catalog.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { RankingMetric } from '#core/leaderboards/metrics.ts';
import { makeRandom } from '#core/values/random.ts';
import { quantileOfSorted } from '#core/statistics/quantile.ts';
import { createClient } from '../client/client.ts';
import type { Development } from '../engine/development.ts';
import { makeStubBenchmarkFile } from './stubs/stub-benchmark-file.ts';
import { readBenchOptions, makeLogOutsideJson } from './shared/options.ts';
import { watchPeakMemory } from './shared/peak-memory.ts';
import { roundToHundredths } from './shared/rounded.ts';
import { measureOnTemporaryWorker } from './shared/with-worker.ts';

/**
 * `npm run bench:leaderboard`: the cost of publishing and reading on leaderboards of different sizes, and the memory
 * needed: docs/measurements.md.
 */
const options = readBenchOptions('Measures publishing and reading on a leaderboard of up to 10,000 entries.');
const say = makeLogOutsideJson(options);
const sizes = options.smallest ? [100, 200] : [100, 1_000, 10_000];
const units = 100;
/** Entries that are published one by one and timed before a size is reached; the others are sent in larger requests. */
const timed = 50;
const perRequest = 50;
const pageSize = 50;
/** What a leaderboard of this protocol can be ordered by, for any number of trials. */
const orders = ['success', 'cost', 'tokens', 'duration'] as const satisfies readonly RankingMetric[];
const reads = { ...(options.smallest ? { warmUp: 5, measured: 24 } : { warmUp: 100, measured: 1_500 }), atOnce: 8 };

const unlimited = { REQUESTS_PER_MINUTE_PER_KEY: '1000000000', REQUESTS_PER_MINUTE_PER_ADDRESS: '1000000000' };
interface Figures {
  /** Time of one publication as the client sees it. */
  readonly publishMedianMs: number;
  readonly publishP95Ms: number;
  /** Mean number of ranking rows that a publication wrote. */
  readonly rowsPerPublication: number;
  readonly pagesPerSecond: number;
  readonly pageMedianMs: number;
  readonly pageP95Ms: number;
  /** Requests whose entity tag still matches, answered with 304. */
  readonly unchangedPerSecond: number;
  readonly rowsPerPage: number;
}

const opened = z.object({ id: z.string() });
const rankingRows = z.object({ read: z.int(), written: z.int() });
const page = z.object({ total: z.int(), items: z.array(z.object({ rank: z.int() })) });

await measureOnTemporaryWorker(
  { ...options, entry: 'bench/leaderboard/bench-worker.ts' },
  measureAndPrintLeaderboardFigures,
  unlimited,
);

async function measureAndPrintLeaderboardFigures(worker: Development): Promise<void> {
  const memory = watchPeakMemory(worker.runtime());
  const board = await openBenchLeaderboard(worker);
  const figures: Record<string, Figures> = {};
  let published = 0;
  for (const size of sizes) {
    while (published < size - timed) {
      const to = Math.min(published + perRequest, size - timed);
      await publishSyntheticEntries(worker, board, published, to);
      published = to;
      if (published % 1_000 === 0) say(`${published} entries`);
    }
    const times: number[] = [];
    const before = await readCountsOfRowsReadAndWritten(worker, board);
    for (; published < size; published += 1)
      times.push(await measureMs(() => publishSyntheticEntries(worker, board, published, published + 1)));
    const rowsPerPublication = ((await readCountsOfRowsReadAndWritten(worker, board)).written - before.written) / timed;
    const reading = await measurePageReads(worker, board, size);
    figures[size] = { ...publicationFigures(times), rowsPerPublication, ...reading };
    say(`${size} entries: ${JSON.stringify(figures[size])}`);
  }
  printFigures(figures, {
    workerdStartMb: roundToHundredths(memory.startMb),
    workerdPeakMb: roundToHundredths(memory.stop()),
  });
  const [few, ...more] = sizes.map((size) => figures[size]?.rowsPerPage);
  if (more.some((many) => many !== few)) throw new Error('a page reads more rows where there are more entries');
}

/** Opens the leaderboard of a benchmark on tools that do not exist, because nobody works on it. */
async function openBenchLeaderboard(worker: Development): Promise<string> {
  const tools: Tool[] = [1, 2].map((n) => ({
    name: `bench/step-1-${n}`,
    server: 'bench',
    domain: 'bench',
    category: 'read',
    inputSchema: { type: 'object' },
  }));
  const { id } = await makeCatalog(tools);
  const benchmark = await createClient(worker).benchmarks.importFile(await makeStubBenchmarkFile(id, tools, units), {
    floor: false,
  });
  const response = await fetch(`${worker.url}/v1/leaderboards`, {
    method: 'POST',
    headers: { authorization: `Bearer ${worker.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ benchmark: benchmark.id, name: 'Bench' }),
  });
  return opened.parse(await readJsonOrThrow(response)).id;
}

async function publishSyntheticEntries({ url }: Development, board: string, from: number, to: number): Promise<void> {
  const response = await fetch(`${url}/bench/publish`, {
    method: 'POST',
    body: JSON.stringify({ board, from, to, units }),
  });
  if (!response.ok) throw new Error(`not published: ${await response.text()}`);
  await response.arrayBuffer();
}

function publicationFigures(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    publishMedianMs: roundToHundredths(quantileOfSorted(sorted, 0.5)),
    publishP95Ms: roundToHundredths(quantileOfSorted(sorted, 0.95)),
  };
}

/** Reads pages by all metrics, from anywhere in the ranking, some at once. */
async function measurePageReads(worker: Development, board: string, size: number) {
  const random = makeRandom('pages', size);
  const base = `${worker.url}/v1/leaderboards/${board}/entries?limit=${pageSize}`;
  const pages = Array.from({ length: reads.warmUp + reads.measured }, (_, n) => {
    const metric = orders[n % orders.length] ?? 'success';
    return `${base}&metric=${metric}&cursor=${random.below(size - pageSize + 1)}`;
  });
  await timeItemsInLanes(pages.slice(0, reads.warmUp), (url) => readAndCheckPage(url, size));
  const before = await readCountsOfRowsReadAndWritten(worker, board);
  const all = await timeItemsInLanes(pages.slice(reads.warmUp), (url) => readAndCheckPage(url, size));
  const read = (await readCountsOfRowsReadAndWritten(worker, board)).read - before.read;
  const held = await fetch(base);
  await held.arrayBuffer();
  const headers = { 'if-none-match': held.headers.get('etag') ?? '' };
  const unchanged = await timeItemsInLanes(
    Array.from({ length: reads.measured }, () => base),
    async (url) => {
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      if (response.status !== 304) throw new Error(`${url}: ${response.status} instead of 304`);
    },
  );
  return {
    pagesPerSecond: Math.round((reads.measured / all.wallMs) * 1_000),
    pageMedianMs: roundToHundredths(quantileOfSorted(all.ms, 0.5)),
    pageP95Ms: roundToHundredths(quantileOfSorted(all.ms, 0.95)),
    unchangedPerSecond: Math.round((reads.measured / unchanged.wallMs) * 1_000),
    rowsPerPage: read / reads.measured,
  };
}

async function readAndCheckPage(url: string, size: number): Promise<void> {
  const { total, items } = page.parse(await readJsonOrThrow(await fetch(url)));
  if (total !== size || items.length !== pageSize) throw new Error(`${url}: ${items.length} of ${total}`);
}

async function readCountsOfRowsReadAndWritten(
  { url }: Development,
  board: string,
): Promise<z.infer<typeof rankingRows>> {
  return rankingRows.parse(await readJsonOrThrow(await fetch(`${url}/bench/rows?board=${board}`)));
}

async function readJsonOrThrow(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Processes all items, some at once; returns the sorted time of each, and of all. */
async function timeItemsInLanes<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<{ ms: number[]; wallMs: number }> {
  const ms: number[] = [];
  const left = items.values();
  const wallMs = await measureMs(async () => {
    await Promise.all(
      Array.from({ length: reads.atOnce }, async () => {
        for (const item of left) ms.push(await measureMs(() => work(item)));
      }),
    );
  });
  return { ms: ms.toSorted((a, b) => a - b), wallMs };
}

async function measureMs(work: () => Promise<void>): Promise<number> {
  const begunMs = performance.now();
  await work();
  return performance.now() - begunMs;
}

function printFigures(bySize: Readonly<Record<string, Figures>>, memory: Readonly<Record<string, number>>): void {
  if (options.json) return console.log(JSON.stringify({ sizes: bySize, ...memory }));
  console.table(bySize);
  console.table(memory);
}
