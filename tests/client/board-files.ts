import { listRecomputableScorers } from '#core/leaderboards/scorers.ts';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBase64 } from '#core/values/base64.ts';
import { computePairUnitId, type BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import { makeCatalog } from '#core/catalog/catalog.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { scoreToolCalls } from '#core/scoring/tcs.ts';
import { costUsdOrZero } from '#core/models/prices.ts';
import { scoreFaultDensity } from '#core/scoring/tfd.ts';
import { emptyLogHash, logLineWithChainedHash, hashRecord } from '#core/leaderboards/log-lines.ts';
import type { LogLine, RecordContent, SignedRecord } from '#core/leaderboards/record.ts';
import { signRecord, makeSigningKeyFromSeed } from '#core/leaderboards/signature.ts';
import {
  configurationDigest,
  digestLine,
  sealOfTraceHeader,
  sealAfterLineDigest,
  traceFileFormat,
  type TraceHeader,
  type TraceLine,
  type TraceSeal,
} from '#core/leaderboards/submissions/trace-file.ts';
import { traceWith } from '../unit/evaluation/cases.ts';
import { entry } from './board-records.ts';

/** The files of a small leaderboard that fit together: a benchmark, an agent's traces, its signed record, the log. */
export interface BoardFiles {
  readonly benchmark: readonly unknown[];
  readonly header: TraceHeader;
  readonly attempts: readonly TraceLine[];
  readonly seal: TraceSeal;
  readonly record: SignedRecord;
  readonly log: readonly LogLine[];
}

export const seeds = [1, 2].map((byte) => toBase64(new Uint8Array(32).fill(byte)));

const toolOf = (name: string, category: string): Tool => ({
  name: `fruit/${name}`,
  server: 'fruit',
  domain: 'food',
  category,
  inputSchema: { type: 'object' },
});
const tools = [toolOf('apple', 'read'), toolOf('pear', 'read'), toolOf('plum', 'write')];

async function unitOf(text: string, chain: string[]): Promise<BenchmarkUnit> {
  const asked = { source: `Do ${text}.`, followUp: `Please do ${text}.`, chain };
  return {
    id: await computePairUnitId(asked),
    split: 'public',
    ...asked,
    arguments: [],
    facts: [],
    semanticEquivalence: 95,
    parameterSolvability: 95,
    provenance: { exploration: 'exp_1', unit: 'u1', round: 1, models: {}, prompts: [], harness: 'h' },
  };
}

/** An attempt's line with the digest of what it says. */
export const digested = async (line: Omit<TraceLine, 'sha256'>): Promise<TraceLine> => ({
  ...line,
  sha256: await digestLine(line),
});

/** The seal of a header and its attempts. */
export async function sealOf(header: TraceHeader, attempts: readonly TraceLine[]): Promise<TraceSeal> {
  let sha256 = await sealOfTraceHeader(header);
  for (const attempt of attempts) sha256 = await sealAfterLineDigest(sha256, attempt.sha256);
  return { type: 'seal', attempts: attempts.length, sha256 };
}

const at = '2026-01-01T00:00:00.000Z';

/** Lines of a log, each with the hash that follows from the one before. */
export async function logOf(lines: readonly Omit<LogLine, 'hash' | 'n' | 'at'>[]): Promise<LogLine[]> {
  const log: LogLine[] = [];
  for (const line of lines)
    log.push(await logLineWithChainedHash(log.at(-1)?.hash ?? emptyLogHash, { ...line, n: log.length + 1, at }));
  return log;
}

const opened = { kind: 'opened', entry: null, name: 'Board', record: 'd'.repeat(64), reason: '' } as const;
const published = (entry: string, record: string) =>
  ({ kind: 'published', entry, name: entry, record, reason: '' }) as const;

/** The units, with what the agent calls for their two requests (`!`: a failed call). */
const tried: readonly {
  readonly text: string;
  readonly chain: string[];
  readonly calls: readonly [readonly string[], readonly string[]];
}[] = [
  { text: 'one', chain: ['fruit/apple', 'fruit/pear'], calls: [['fruit/apple', 'fruit/pear'], ['fruit/apple']] },
  { text: 'two', chain: ['fruit/pear'], calls: [[], []] },
  {
    text: 'three',
    chain: ['fruit/pear', 'fruit/plum'],
    calls: [
      ['fruit/pear', 'fruit/plum!'],
      ['fruit/pear', 'fruit/plum'],
    ],
  },
];

/** The intervals of so few values reach from the lowest to the highest. */
const figure = (values: readonly (number | null)[]) => {
  const known = values.filter((value) => value !== null);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return {
    mean,
    low: Math.min(...known),
    high: Math.max(...known),
    n: known.length,
    unscored: values.length - known.length,
  };
};

/** A record states no other figure that can be recomputed. */
const unstated = Object.fromEntries(listRecomputableScorers('sgvef').map(({ key }) => [key, undefined]));

/** By hand. */
const figures = {
  execution: figure([0.6875, 0, 1]),
  mtc: figure([0.5, null, 1]),
  tcs: figure([0.875, 0, 1]),
  tfd: figure([0, null, 0.25]),
};

/** Tokens of each attempt. */
const tokens = { promptTokens: 100, completionTokens: 10 };

export async function boardFiles(): Promise<BoardFiles> {
  const { id: catalog } = await makeCatalog(tools);
  const made = await Promise.all(
    tried.map(async ({ text, chain, calls }) => ({ unit: await unitOf(text, chain), calls })),
  );
  const units = made.map(({ unit }) => unit);
  const sorted = made.toSorted((a, b) => (a.unit.id < b.unit.id ? -1 : 1));
  const prices = { promptPricePerMTok: 2, completionPricePerMTok: 8 };
  const configuration = { loop: 'function-calling', model: 'm', limits: { turns: 20 }, prices };
  const header: TraceHeader = {
    type: 'traces',
    format: traceFileFormat,
    benchmark: 'bm_1',
    protocol: 'sgvef',
    catalog,
    harness: 'h',
    prompts: [],
    agent: 'a',
    configuration,
    trials: 1,
    split: 'public',
    seed: 1,
    createdAt: at,
  };
  const attempts = await Promise.all(
    sorted.flatMap(({ unit: { id, chain }, calls }, index) =>
      (['source', 'followUp'] as const).map((side, which) => {
        // One attempt took as much again before a fault broke it.
        const relaunched = index === 0 && which === 0;
        const trace = {
          ...traceWith(calls[which] ?? []),
          startedAt: at,
          ...tokens,
          costUsd: costUsdOrZero(tokens, prices),
        };
        const tcs = scoreToolCalls(
          chain,
          trace.steps.map(({ tool }) => tool),
        ).value;
        const scores = { tcs, tfd: scoreFaultDensity(trace).value };
        const spent = relaunched
          ? { promptTokens: 2 * tokens.promptTokens, completionTokens: 2 * tokens.completionTokens, relaunched }
          : { ...tokens, relaunched };
        const place2 = { type: 'attempt', unit: id, trial: 1, side, agent: 'a' } as const;
        return configurationDigest(configuration).then((own) =>
          digested({ ...place2, configuration: own, scores, spent, trace }),
        );
      }),
    ),
  );
  const seal = await sealOf(header, attempts);
  const before = await logOf([opened, published('sub_0', '0'.repeat(64))]);
  const base = entry();
  const { execution, mtc, tcs } = figures;
  const content: RecordContent = {
    type: 'sextant-record',
    format: 1,
    entry: entry({
      configuration,
      trials: 1,
      units: units.length,
      attempts: attempts.length,
      relaunched: 1,
      tokens: (7 * 110) / 6,
      costUsd: (700 * 2 + 70 * 8) / 1_000_000 / 6,
      durationMs: { median: 7, p95: 7 },
      scores: { ...base.scores, ...unstated, ...figures },
      domains: [{ name: 'food', units: units.length, execution, mtc, tcs }],
    }),
    provenance: {
      protocol: 'sgvef',
      catalog,
      prompts: [],
      judge: { model: 'j', baseUrl: 'http://m' },
      embedder: { model: 'e', baseUrl: 'http://m' },
      harness: 'h',
      seed: 1,
    },
    traces: { public: { attempts: seal.attempts, sha256: seal.sha256 }, private: null },
    logBefore: before.at(-1)?.hash ?? emptyLogHash,
  };
  return {
    benchmark: [
      {
        type: 'benchmark',
        format: 1,
        name: 'b',
        split: 'public',
        catalog,
        explorations: ['exp_1'],
        seed: 1,
        privateShare: 0.2,
        offline: true,
        tools: tools.length,
        units: units.length,
      },
      ...tools.map((tool) => ({ type: 'tool', tool })),
      ...units.map((unit) => ({ type: 'unit', unit })),
    ],
    header,
    attempts,
    seal,
    record: await signRecord(content, await makeSigningKeyFromSeed(seeds[0] ?? '')),
    log: await logOf([
      opened,
      published('sub_0', '0'.repeat(64)),
      published('sub_1', await hashRecord(content)),
      published('sub_2', '2'.repeat(64)),
    ]),
  };
}

/** JSON Lines. */
export const linesText = (lines: readonly unknown[]): string =>
  lines.map((line) => `${canonicalJson(line)}\n`).join('');

/** Writes files into a folder of their own, and gives their names. */
export async function written<Name extends string>(
  texts: Readonly<Record<Name, string>>,
): Promise<Record<Name, string>>;
export async function written(texts: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-board-'));
  const names = Object.entries(texts).map(async ([name, text]) => {
    const file = join(folder, name);
    await writeFile(file, text);
    return [name, file];
  });
  return Object.fromEntries(await Promise.all(names));
}
