import type { Split } from '#core/units/split.ts';
import {
  benchmarkLine,
  benchmarkRecord,
  benchmarkUnit,
  type BenchmarkHeader,
  type BenchmarkLine,
  type BenchmarkRecord,
  type BenchmarkUnit,
  type UnprovenUnits,
} from '#core/benchmarks/benchmark.ts';
import { ConnectionError } from '../http/errors.ts';
import { readLines } from '../http/read-lines.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { parseJsonAnswer, escapedPath, type Transport } from '../http/transport.ts';

export interface FreezeRequest {
  readonly explorations: readonly string[];
  readonly name?: string | undefined;
  readonly seed?: number | undefined;
  /** The share of private units, from 0 to below 1. */
  readonly privateShare?: number | undefined;
  /** How many units to draw by the seed; default all. */
  readonly sample?: number | undefined;
  /** What happens to accepted units that are not proven; default `leave-out`. */
  readonly unproven?: UnprovenUnits | undefined;
  /** Whether to measure its floor; default true. */
  readonly floor?: boolean | undefined;
}

/** A line of a benchmark's file: its bytes, which determine the benchmark's id, and its parsed content. */
export interface ExportedLine {
  readonly text: string;
  readonly line: BenchmarkLine;
}

/** Comparing the most units that a benchmark can have takes up to four minutes, and Node waits five for an answer. */
const longestFreezeMs = 5 * 60_000;

/** Frozen sets of units. */
export const makeBenchmarksClient = (transport: Transport) => ({
  /**
   * Freezes the accepted units of runs over one catalog. The same content gives the same benchmark, so the call can be
   * repeated; but each repetition compares all units again, so its answer has five minutes.
   */
  freeze: (request: FreezeRequest): Promise<BenchmarkRecord> =>
    transport.requestJson(benchmarkRecord, {
      method: 'POST',
      path: '/v1/benchmarks',
      json: request,
      repeatable: true,
      longestMs: longestFreezeMs,
    }),

  list: (options?: ListOptions): AsyncGenerator<BenchmarkRecord, void, undefined> =>
    yieldItemsOfAllPages(transport, benchmarkRecord, '/v1/benchmarks', {}, options),

  get: (id: string): Promise<BenchmarkRecord> =>
    transport.requestJson(benchmarkRecord, {
      method: 'GET',
      path: escapedPath`/v1/benchmarks/${id}`,
      repeatable: true,
    }),

  /** Needs a key with the scope `run`; without one, only `publicUnits` can be read. */
  units: (
    id: string,
    { split, ...options }: ListOptions & { readonly split?: 'all' | Split } = {},
  ): AsyncGenerator<BenchmarkUnit, void, undefined> =>
    yieldItemsOfAllPages(transport, benchmarkUnit, escapedPath`/v1/benchmarks/${id}/units`, { split }, options),

  publicUnits: (id: string, options?: ListOptions): AsyncGenerator<BenchmarkUnit, void, undefined> =>
    yieldItemsOfAllPages(transport, benchmarkUnit, escapedPath`/v1/benchmarks/${id}/public`, {}, options),

  exportLines: (id: string, options?: ExportOptions): AsyncGenerator<ExportedLine, void, undefined> =>
    exportLines(transport, id, options),

  /** Uploads an exported file. The same content gives the same id. `floor: false` measures no null agents on it. */
  importFile: (
    file: Blob,
    { floor, signal }: { readonly floor?: boolean | undefined; readonly signal?: AbortSignal } = {},
  ): Promise<BenchmarkRecord> =>
    transport.requestJson(benchmarkRecord, {
      method: 'POST',
      path: '/v1/benchmarks/import',
      query: { floor },
      upload: file,
      headers: { 'content-type': 'text/jsonl' },
      repeatable: true,
      signal,
    }),
});

interface ExportOptions {
  readonly split?: 'all' | 'public' | undefined;
  readonly signal?: AbortSignal;
}

/** Yields the lines of the file as they arrive. Throws if the file ends before everything that its header promises. */
async function* exportLines(
  transport: Transport,
  id: string,
  { split, signal }: ExportOptions = {},
): AsyncGenerator<ExportedLine, void, undefined> {
  // The public part needs no key.
  const path =
    split === 'public' ? escapedPath`/v1/benchmarks/${id}/public/export` : escapedPath`/v1/benchmarks/${id}/export`;
  const query = split === 'public' ? {} : { split };
  const { body } = await transport.requestResponseWithRetries({ method: 'GET', path, query, repeatable: true, signal });
  let header: BenchmarkHeader | null = null;
  let count = 0;
  for await (const text of body === null ? [] : readLines(body)) {
    const line = parseJsonAnswer(benchmarkLine, text, path);
    if (line.type === 'benchmark') header = line;
    count += 1;
    yield { text, line };
  }
  if (header === null || count !== 1 + header.tools + header.units) {
    throw new ConnectionError(`the export of ${id} was cut after ${count} lines`, { unsent: false });
  }
}
