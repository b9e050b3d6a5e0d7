import { sgvef } from '#core/benchmarks/protocols/sgvef.ts';
import {
  caseAfterStageResult,
  newCase,
  type CasePlace,
  type AttemptRecord,
  type CaseResult,
  type EvaluationCase,
} from '#core/evaluation/case.ts';
import { makeScore, type Score } from '#core/scoring/score.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { trace, type Trace } from '#core/traces/trace.ts';
import { type RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import { traceOf } from '../scoring/steps.ts';

export const chain = ['fruit/apple', 'fruit/pear'];

export const fault: InfrastructureFault = {
  where: 'server',
  name: 'fruit',
  code: 'unreachable',
  detail: 'nothing listens there',
};

export const paid: ModelCall = {
  role: 'agent',
  model: 'm',
  prompt: 'agent@v1',
  promptTokens: 10,
  completionTokens: 2,
  costUsd: 0.5,
  latencyMs: 1,
  retries: 0,
};

export const traceWith = (tools: readonly string[], more: Partial<Trace> = {}): Trace =>
  trace.parse({
    ...traceOf(...tools),
    finalText: 'It is done.',
    end: 'answered',
    fault: null,
    turns: 1,
    promptTokens: 10,
    completionTokens: 2,
    costUsd: 0.5,
    durationMs: 7,
    ...more,
  });

export const made = (side: RequestName, tools: readonly string[] = chain) =>
  ({ kind: 'attempt', side, trace: traceWith(tools), fault: null, calls: [paid] }) as const;

export const broken = (side: RequestName) =>
  ({
    kind: 'attempt',
    side,
    trace: traceWith(['fruit/apple?'], { end: 'fault', fault, finalText: '' }),
    fault,
    calls: [paid],
  }) as const;

export interface Grades {
  readonly ar?: Score;
  readonly uic?: Score;
  readonly success?: Score;
}

export const judged = (
  side: RequestName,
  { ar = makeScore(0.8, {}), uic = makeScore(0.9, {}), success = makeScore(1, {}) }: Grades = {},
) =>
  ({
    kind: 'judgement',
    side,
    scores: { ar, uic, success },
    classes: [],
    calls: [{ ...paid, role: 'judge' as const }],
  }) as const;

export const begun = (more: Partial<CasePlace> = {}) =>
  newCase({ id: 'u.a.01', unit: 'u', agent: 'a', trial: 1, requests: sgvef.requests.pair, ...more });

/** What one attempt of a finished case is to be: its tools, or null where a fault broke it twice. */
export interface Made {
  readonly tools: readonly string[] | null;
  readonly grades?: Grades;
}

/** A case that is done. */
export function finished(
  place: { readonly unit: string; readonly agent: string; readonly trial?: number },
  source: Made,
  followUp: Made = source,
): EvaluationCase {
  const about = { chain, origins: [], judges: true };
  const sides = [
    ['source', source],
    ['followUp', followUp],
  ] as const;
  const attempts = sides.flatMap(([side, { tools }]): CaseResult[] =>
    tools === null ? [broken(side), broken(side)] : [made(side, tools)],
  );
  const judgements = sides.flatMap(([side, { tools, grades }]) => (tools === null ? [] : [judged(side, grades)]));
  return [...attempts, ...judgements].reduce<EvaluationCase>(
    (before, result) => caseAfterStageResult(before, result, about),
    begun({ trial: 1, ...place }),
  );
}

export function attemptOf({ attempts }: EvaluationCase, side: RequestName): AttemptRecord {
  const found = attempts[side];
  if (found === undefined) throw new Error(`there is no attempt at ${side}`);
  return found;
}
