import { sha256Hex } from '#core/values/canonical.ts';
import { scoreToolCalls } from '#core/scoring/tcs.ts';
import { scoreFaultDensity } from '#core/scoring/tfd.ts';
import { costUsdOrZero } from '#core/models/prices.ts';
import { listCalledTools } from '#core/traces/tool-sequence.ts';
import {
  configurationDigest,
  digestLine,
  traceLineSortKey,
  sealOfTraceHeader,
  sealAfterLineDigest,
  traceFileFormat,
  type TraceHeader,
  type TraceLine,
  type TraceSeal,
} from '#core/leaderboards/submissions/trace-file.ts';
import { requestSide, type RequestSide } from '#core/units/unit.ts';

/** Files of traces: made up ones, and real ones that were taken apart, changed and put together again. */

export const chains: Readonly<Record<string, readonly string[]>> = {
  u_1: ['fruit/apple', 'fruit/pear'],
  u_2: ['fruit/pear', 'trees/birch'],
};

const prices = { promptPricePerMTok: 10, completionPricePerMTok: 30 };
const tokens = { promptTokens: 250, completionTokens: 60 };

export const header: TraceHeader = {
  type: 'traces',
  format: traceFileFormat,
  benchmark: 'bm_1',
  protocol: 'sgvef',
  catalog: 'cat_1',
  harness: 'sextant@0.1.0',
  prompts: ['agent@v1'],
  agent: 'steady',
  configuration: { loop: 'function-calling', model: 'm', limits: { turns: 20, parallelCalls: true }, prices },
  trials: 2,
  split: 'public',
  seed: 1,
  createdAt: '2026-03-01T12:00:00.000Z',
};

type Attempt = Omit<TraceLine, 'sha256'>;

/** An attempt that calls the unit's chain, a call a turn, and answers. */
export async function attemptAt(unit: string, trial: number, side: RequestSide): Promise<Attempt> {
  const tools = chains[unit] ?? [];
  const steps = await Promise.all(
    tools.map(async (tool, index) => {
      const text = `result ${index + 1} of ${tool}`;
      return {
        tool,
        arguments: { code: `${unit}-${trial}` },
        outcome: 'success' as const,
        text,
        truncated: false,
        sha256: await sha256Hex(text),
        fault: null,
        failure: null,
        turn: index + 1,
        turnTokens: 100,
        latencyMs: 10,
      };
    }),
  );
  return scoredAnew({
    type: 'attempt',
    unit,
    trial,
    side,
    agent: header.agent,
    configuration: await configurationDigest(header.configuration),
    scores: { tcs: null, tfd: null },
    spent: { ...tokens, relaunched: false },
    trace: {
      steps,
      finalText: 'It is done.',
      end: 'answered',
      fault: null,
      turns: steps.length + 1,
      ...tokens,
      costUsd: costUsdOrZero(tokens, prices),
      durationMs: 500,
      startedAt: '2026-03-01T11:00:00.000Z',
    },
  });
}

/** The attempt with the scores that its calls give. */
export function scoredAnew(attempt: Attempt, chain = chains[attempt.unit]): Attempt {
  const { trace } = attempt;
  if (chain === undefined) return attempt;
  const tcs = scoreToolCalls(chain, listCalledTools(trace)).value;
  return { ...attempt, scores: { tcs, tfd: scoreFaultDensity(trace).value } };
}

export async function allAttempts(): Promise<Attempt[]> {
  const places = Object.keys(chains).flatMap((unit) =>
    [1, 2].flatMap((trial) => requestSide.options.map((side) => ({ unit, trial, side }))),
  );
  return Promise.all(places.map(({ unit, trial, side }) => attemptAt(unit, trial, side)));
}

/** A file as somebody writes it who knows how: every digest fits. */
export async function sealedFile(
  of: TraceHeader,
  attempts: readonly Attempt[],
): Promise<{ readonly header: TraceHeader; readonly lines: readonly TraceLine[]; readonly seal: TraceSeal }> {
  const sorted = attempts.toSorted((a, b) => (traceLineSortKey(a) < traceLineSortKey(b) ? -1 : 1));
  let chain = await sealOfTraceHeader(of);
  const lines: TraceLine[] = [];
  for (const attempt of sorted) {
    const sha256 = await digestLine(attempt);
    chain = await sealAfterLineDigest(chain, sha256);
    lines.push({ ...attempt, sha256 });
  }
  return { header: of, lines, seal: { type: 'seal', attempts: lines.length, sha256: chain } };
}

export const fileText = ({ header: first, lines, seal }: Awaited<ReturnType<typeof sealedFile>>): string =>
  [first, ...lines, seal].map((line) => `${JSON.stringify(line)}\n`).join('');
