import type { z } from 'zod';
import {
  agentTransition,
  breakdown,
  unitResult,
  type AgentTransition,
  type BreakdownGroup,
  type ExportFormat,
  type UnitResult,
} from '#core/evaluation/breakdown-record.ts';
import { evaluationCase, type EvaluationCase } from '#core/evaluation/case.ts';
import type { agentChoice, evaluationConfig } from '#core/evaluation/config.ts';
import {
  caseDetail,
  comparison,
  evaluationRecord,
  evaluationResults,
  type CaseDetail,
  type Comparison,
  type EvaluationRecord,
  type EvaluationResults,
} from '#core/evaluation/record.ts';
import type { modelChoice } from '#core/models/choices.ts';
import type { StreamTiming } from '../http/event-stream.ts';
import { piecesOf } from '../http/lines.ts';
import { items, type ListOptions } from '../http/pages.ts';
import { path, type Transport } from '../http/transport.ts';
import { runsOf } from './runs.ts';

/** The configuration of an evaluation; everything except the benchmark and the agents has a default. */
export type NewEvaluation = z.input<typeof evaluationConfig> & {
  readonly agents: readonly z.input<typeof agentChoice>[];
  readonly judge?: z.input<typeof modelChoice>;
  readonly embedder?: z.input<typeof modelChoice>;
};

/** Evaluations of agents on a benchmark. */
export const evaluationsOf = (transport: Transport, timing: StreamTiming) => {
  const runs = runsOf(transport, timing, 'evaluations', evaluationRecord);
  const groups = async (id: string, by: 'servers' | 'domains'): Promise<BreakdownGroup[]> => {
    const at = path`/v1/evaluations/${id}/results/${by}`;
    return (await transport.json(breakdown, { method: 'GET', path: at, repeatable: true })).items;
  };
  return {
    ...runs,

    /**
     * Starts a run. The idempotency key makes the call repeatable; callers that repeat it themselves pass their own.
     */
    create: (config: NewEvaluation, idempotencyKey?: string): Promise<EvaluationRecord> =>
      runs.create(config, idempotencyKey),

    /** The means of each agent with their intervals, over the finished units. */
    results: (id: string): Promise<EvaluationResults> =>
      transport.json(evaluationResults, { method: 'GET', path: path`/v1/evaluations/${id}/results`, repeatable: true }),

    /** The results of each agent in each unit. */
    unitResults: (id: string, options?: ListOptions): AsyncGenerator<UnitResult, void, undefined> =>
      items(transport, unitResult, path`/v1/evaluations/${id}/results/units`, {}, options),

    /** The agents on the units of each server. */
    servers: (id: string): Promise<BreakdownGroup[]> => groups(id, 'servers'),

    /** The agents on the units of each domain. */
    domains: (id: string): Promise<BreakdownGroup[]> => groups(id, 'domains'),

    /** The cells of each agent's heat map: the transitions that it executed or that a unit expects. */
    transitions: (id: string, options?: ListOptions): AsyncGenerator<AgentTransition, void, undefined> =>
      items(transport, agentTransition, path`/v1/evaluations/${id}/results/transitions`, {}, options),

    /** A Markdown document for people. */
    report: (id: string): Promise<string> =>
      transport.text({ method: 'GET', path: path`/v1/evaluations/${id}/report`, repeatable: true }),

    /** The attempts, one per line or row, as the text of the file arrives. */
    async *exportAttempts(
      id: string,
      format: ExportFormat,
      signal?: AbortSignal,
    ): AsyncGenerator<string, void, undefined> {
      const at = path`/v1/evaluations/${id}/export`;
      const { body } = await transport.stream({ method: 'GET', path: at, query: { format }, repeatable: true, signal });
      if (body !== null) yield* piecesOf(body);
    },

    /** The attempts of an agent at public units, as the text of a trace file arrives. */
    async *traces(id: string, agent: string, signal?: AbortSignal): AsyncGenerator<string, void, undefined> {
      const at = path`/v1/evaluations/${id}/traces`;
      const { body } = await transport.stream({ method: 'GET', path: at, query: { agent }, repeatable: true, signal });
      if (body !== null) yield* piecesOf(body);
    },

    /** Compares two agents unit by unit: the first minus the second. */
    compare: (id: string, a: string, b: string): Promise<Comparison> =>
      transport.json(comparison, {
        method: 'GET',
        path: path`/v1/evaluations/${id}/compare`,
        query: { a, b },
        repeatable: true,
      }),

    /** Cases without their traces: one agent, one unit, one trial each. */
    cases: (id: string, options?: ListOptions): AsyncGenerator<EvaluationCase, void, undefined> =>
      items(transport, evaluationCase, path`/v1/evaluations/${id}/cases`, {}, options),

    /** A case with its two traces. */
    case: (id: string, wanted: string): Promise<CaseDetail> =>
      transport.json(caseDetail, {
        method: 'GET',
        path: path`/v1/evaluations/${id}/cases/${wanted}`,
        repeatable: true,
      }),
  };
};
