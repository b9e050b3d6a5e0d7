import { quantileOfSorted } from '#core/statistics/quantile.ts';
import { createClient, type Client } from '../client/client.ts';
import type { Development } from '../engine/development.ts';
import { findExactNearestIndexes } from './knowledge/exact-search.ts';
import { readBenchOptions, makeLogOutsideJson } from './shared/options.ts';
import { watchPeakMemory } from './shared/peak-memory.ts';
import { roundToHundredths } from './shared/rounded.ts';
import { makeSentenceVectorGenerator } from './knowledge/sentence-vectors.ts';
import { startStubModels } from './stubs/stub-models.ts';
import { measureOnTemporaryWorker } from './shared/with-worker.ts';

/**
 * `npm run bench:knowledge`: how fast passages with vectors are loaded into an embedded index, the speed and recall of
 * searches, and the memory needed: docs/measurements.md.
 */
const options = readBenchOptions('Measures how fast passages are loaded into an index and found in it.');
const say = makeLogOutsideJson(options);
const sizes = options.smallest ? [100, 200] : [1_000, 10_000, 50_000];
/** Passages that are written into one file, so that the bench itself needs little memory. */
const perFile = 2_500;
const queries = options.smallest ? { warmUp: 2, measured: 10 } : { warmUp: 50, measured: 300 };
const topK = 10;

const vectorsFor = makeSentenceVectorGenerator();
const asked = vectorsFor('queries', queries.warmUp + queries.measured);
const models = await startStubModels({
  vectorOf: (text) => [...(asked[Number(/^q(\d+)$/.exec(text)?.[1] ?? 0)] ?? [])],
});
try {
  await measureOnTemporaryWorker(options, measureAndPrintKnowledgeFigures, {
    EMBEDDER_BASE_URL: models.url,
    EMBEDDER_MODEL: 'stub',
  });
} finally {
  await models.close();
}

interface SizeFigures {
  readonly loadPerSecond: number;
  readonly searchP50Ms: number;
  readonly searchP95Ms: number;
  readonly recallAt10: number;
}

async function measureAndPrintKnowledgeFigures(
  worker: Development,
  restart: () => Promise<Development>,
): Promise<void> {
  let client = createClient(worker);
  const memory = watchPeakMemory(worker.runtime());
  const figures: Record<string, SizeFigures> = {};
  const largest = { index: '', perSecond: [0] };
  for (const size of sizes) {
    const vectors = vectorsFor(`passages of ${size}`, size);
    const { id } = await client.knowledge.create({ store: { kind: 'embedded' } });
    const perSecond = await loadPassagesAndMeasureSpeeds(client, id, vectors);
    const times = await searchAndTimeQueries(client, id);
    figures[size] = {
      loadPerSecond: roundToHundredths(perSecond.length / perSecond.reduce((sum, each) => sum + 1 / each, 0)),
      searchP50Ms: roundToHundredths(quantileOfSorted(times.ms, 0.5)),
      searchP95Ms: roundToHundredths(quantileOfSorted(times.ms, 0.95)),
      recallAt10: computeRecall(vectors, times.found),
    };
    Object.assign(largest, { index: id, perSecond });
    say(`${size} passages: ${JSON.stringify(figures[size])}`);
  }
  const workerdPeakMb = roundToHundredths(memory.stop());

  client = createClient(await restart());
  // This warms up the path, but not the index.
  await client.knowledge.get(largest.index);
  const begunMs = performance.now();
  await client.knowledge.search(largest.index, 'q0');
  const firstSearchMs = roundToHundredths(performance.now() - begunMs);

  const { perSecond } = largest;
  printFigures({
    sizes: figures,
    loadPerSecondAtStart: roundToHundredths(perSecond[0] ?? 0),
    loadPerSecondAtEnd: roundToHundredths(perSecond.at(-1) ?? 0),
    firstSearchMs,
    workerdPeakMb,
  });
}

/** Loads passages with their vectors; returns passages per second, file by file. */
async function loadPassagesAndMeasureSpeeds(
  client: Client,
  index: string,
  vectors: readonly Float32Array[],
): Promise<number[]> {
  const perSecond: number[] = [];
  for (let from = 0; from < vectors.length; from += perFile) {
    const lines = vectors.slice(from, from + perFile).map((vector, n) => {
      const passage = { id: `${from + n}`, text: `Passage ${from + n} says what its vector says.`, source: 'bench' };
      return `${JSON.stringify({ ...passage, vector: Array.from(vector, (each) => Number(each.toPrecision(6))) })}\n`;
    });
    const file = new Blob(lines);
    const begunMs = performance.now();
    const { loaded } = await client.knowledge.load(index, file);
    if (loaded !== lines.length) throw new Error(`${loaded} of ${lines.length} passages were loaded`);
    perSecond.push((1_000 * loaded) / (performance.now() - begunMs));
  }
  return perSecond;
}

/** Asks every query sequentially; returns the sorted times of those after the warm-up, and the results. */
async function searchAndTimeQueries(
  client: Client,
  index: string,
): Promise<{ ms: number[]; found: Map<number, string[]> }> {
  const ms: number[] = [];
  const found = new Map<number, string[]>();
  for (const n of asked.keys()) {
    const begunMs = performance.now();
    const passages = await client.knowledge.search(index, `q${n}`, { limit: topK });
    if (n < queries.warmUp) continue;
    ms.push(performance.now() - begunMs);
    found.set(
      n,
      passages.map(({ id }) => id),
    );
  }
  return { ms: ms.toSorted((a, b) => a - b), found };
}

/** Returns the share of the exactly nearest passages that were found. */
function computeRecall(vectors: readonly Float32Array[], found: ReadonlyMap<number, readonly string[]>): number {
  let hits = 0;
  for (const [n, ids] of found) {
    const exact = findExactNearestIndexes(vectors, asked[n] ?? new Float32Array(), topK);
    hits += ids.filter((id) => exact.has(Number(id))).length;
  }
  return Number((hits / (topK * found.size)).toFixed(4));
}

interface Figures {
  readonly sizes: Readonly<Record<string, SizeFigures>>;
  /** For the first and the last file of the largest index. */
  readonly loadPerSecondAtStart: number;
  readonly loadPerSecondAtEnd: number;
  readonly firstSearchMs: number;
  readonly workerdPeakMb: number;
}

function printFigures(figures: Figures): void {
  if (options.json) return console.log(JSON.stringify(figures));
  const { sizes: bySize, ...single } = figures;
  console.table(bySize);
  console.table(single);
}
