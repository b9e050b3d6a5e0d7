import type { z } from 'zod';
import {
  agentTransition,
  breakdown,
  unitResult,
  type AgentTransition,
  type BreakdownBy,
  type BreakdownGroup,
  type ExportFormat,
  type UnitResult,
} from '#core/evaluation/breakdown-record.ts';
import { offering, type Offering } from '#core/evaluation/offering.ts';
import { anytimeComparison, type AnytimeComparison, type AnytimeQuestion } from '#core/evaluation/compare-anytime.ts';
import { evaluationCase } from '#core/evaluation/case.ts';
import type { CaseFilter } from '#core/evaluation/case-filter.ts';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import { deletedTexts, type DeletedTexts } from '#core/evaluation/delete-texts.ts';
import type { agentChoice, evaluationConfig, panelMember } from '#core/evaluation/config.ts';
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
import type { CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { importedCounts, type importedAttempts, type ImportedCounts } from '#core/evaluation/imported-attempts.ts';
import type { modelChoice } from '#core/models/choices.ts';
import type { StreamTiming } from '../http/event-stream.ts';
import { toolReport, type ToolReport } from '#core/reports/tool-report/record.ts';
import { wordingProposal, type newProposal, type WordingProposal } from '#core/reports/wording-proposal/record.ts';
import { numberedWrite, type NumberedWrite } from '#core/traces/writes.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { makeTextStreamRequester } from '../http/text-reader.ts';
import { escapedPath, type Transport } from '../http/transport.ts';
import { dryRun } from './runs.ts';
import { makeRunsClient } from './runs.ts';

/** The configuration of an evaluation; everything except the benchmark and the agents has a default. */
export type NewEvaluation = z.input<typeof evaluationConfig> & {
  readonly agents: readonly z.input<typeof agentChoice>[];
  readonly judge?: z.input<typeof modelChoice> | z.input<typeof panelMember>;
  /** Judges that are asked for verdicts beside `judge`: the majority decides. */
  readonly panel?: readonly z.input<typeof panelMember>[];
  readonly embedder?: z.input<typeof modelChoice>;
};

/** What is chosen for a wording that a model is to write; everything has a default. */
export type ProposalInput = z.input<typeof newProposal>;

/** The judges that judge attempts again; by default those of the deployment. */
export type Rejudging = Pick<NewEvaluation, 'judge' | 'panel' | 'embedder' | 'name' | 'seed' | 'concurrency'>;

/** Which cases are read, and how. */
export interface CaseListOptions extends ListOptions {
  /** All cases without it. */
  readonly filter?: CaseFilter;
}

/** Judging the attempts of an evaluation again. */
const makeRejudgingClient = (transport: Transport) => ({
  /** Has the attempts of an evaluation judged again by other judges: a new run, without agents and servers. */
  rejudge: (id: string, judges: Rejudging, idempotencyKey: string = crypto.randomUUID()): Promise<EvaluationRecord> =>
    transport.requestJson(evaluationRecord, {
      method: 'POST',
      path: escapedPath`/v1/evaluations/${id}/rejudge`,
      json: judges,
      headers: { 'Idempotency-Key': idempotencyKey },
      repeatable: true,
    }),

  /** Returns what judging them again is expected to take; starts nothing. */
  estimateRejudging: async (id: string, judges: Rejudging): Promise<CostEstimate> => {
    const answer = await transport.requestJson(dryRun, {
      method: 'POST',
      path: `${escapedPath`/v1/evaluations/${id}/rejudge`}?dryRun=true`,
      json: judges,
      repeatable: true,
    });
    return answer.estimate;
  },
});

/** What attempts of an evaluation did, and what is kept of it. */
const makeToolsWritesAndTextsClient = (transport: Transport) => ({
  /** What the attempts of an agent, or of all agents, say about each tool. */
  tools: (id: string, agent?: string): Promise<ToolReport> =>
    transport.requestJson(toolReport, {
      method: 'GET',
      path: escapedPath`/v1/evaluations/${id}/tools`,
      ...(agent === undefined ? {} : { query: { agent } }),
      repeatable: true,
    }),

  /** Lists the calls that may have changed a server's state. */
  writes: (id: string, options?: ListOptions): AsyncGenerator<NumberedWrite, void, undefined> =>
    yieldItemsOfAllPages(transport, numberedWrite, escapedPath`/v1/evaluations/${id}/writes`, {}, options),

  /** Deletes the texts of a case's attempts, or of the one at a request, and keeps their figures; returns those without texts. */
  deleteTexts: (id: string, wanted: string, request?: RequestName): Promise<DeletedTexts> =>
    transport.requestJson(deletedTexts, {
      method: 'DELETE',
      path: escapedPath`/v1/evaluations/${id}/cases/${wanted}/texts`,
      ...(request === undefined ? {} : { query: { request } }),
      repeatable: true,
    }),
});

/** How long a model may take that writes texts for several tools, and is asked again if its answer cannot be read. */
const longestProposalMs = 600_000;

/** Wordings by models. */
const makeWordingsClient = (transport: Transport) => ({
  /** Has a model write new texts for tools that agents had trouble with. It costs tokens, so the call is not repeated by itself. */
  proposeWording: (id: string, asked: ProposalInput = {}): Promise<WordingProposal> =>
    transport.requestJson(wordingProposal, {
      method: 'POST',
      path: escapedPath`/v1/evaluations/${id}/wording`,
      json: asked,
      repeatable: false,
      longestMs: longestProposalMs,
    }),
});

/** Comparisons of agents of an evaluation. */
const makeAgentComparisonsClient = (transport: Transport) => ({
  /** Compares two agents unit by unit: the first minus the second. */
  compare: (id: string, a: string, b: string): Promise<Comparison> =>
    transport.requestJson(comparison, {
      method: 'GET',
      path: escapedPath`/v1/evaluations/${id}/compare`,
      query: { a, b },
      repeatable: true,
    }),

  /** Compares the headline of two agents unit by unit, the second minus the first: the answer holds however often one asks. */
  compareAnytime: (id: string, { a, b, d }: AnytimeQuestion): Promise<AnytimeComparison> =>
    transport.requestJson(anytimeComparison, {
      method: 'GET',
      path: escapedPath`/v1/evaluations/${id}/compare-anytime`,
      query: { a, b, d: String(d) },
      repeatable: true,
    }),

  /** Compares all agents by the headline and by what they take: the answer holds however often one asks. */
  offering: (id: string, d: number): Promise<Offering> =>
    transport.requestJson(offering, {
      method: 'GET',
      path: escapedPath`/v1/evaluations/${id}/offering`,
      query: { d: String(d) },
      repeatable: true,
    }),
});

/** Evaluations of agents on a benchmark. */
export const makeEvaluationsClient = (transport: Transport, timing: StreamTiming) => {
  const readText = makeTextStreamRequester(transport);
  const runs = makeRunsClient(transport, timing, 'evaluations', evaluationRecord);
  return {
    ...runs,
    ...makeToolsWritesAndTextsClient(transport),

    /**
     * Starts a run. The idempotency key makes the call repeatable; callers that repeat it themselves pass their own.
     */
    create: (config: NewEvaluation, idempotencyKey?: string): Promise<EvaluationRecord> =>
      runs.create(config, idempotencyKey),

    /** Returns what a run would take, and creates nothing. */
    estimate: (config: NewEvaluation): Promise<CostEstimate> => runs.estimate(config),

    ...makeRejudgingClient(transport),

    /** Imports attempts of agents with the loop `uploaded`; those that are there already are passed over. */
    importAttempts: (id: string, imported: z.input<typeof importedAttempts>): Promise<ImportedCounts> =>
      transport.requestJson(importedCounts, {
        method: 'POST',
        path: escapedPath`/v1/evaluations/${id}/attempts`,
        json: imported,
        repeatable: true,
      }),

    /** The means of each agent with their intervals, over the finished units. */
    results: (id: string): Promise<EvaluationResults> =>
      transport.requestJson(evaluationResults, {
        method: 'GET',
        path: escapedPath`/v1/evaluations/${id}/results`,
        repeatable: true,
      }),

    /** The results of each agent in each unit. */
    unitResults: (id: string, options?: ListOptions): AsyncGenerator<UnitResult, void, undefined> =>
      yieldItemsOfAllPages(transport, unitResult, escapedPath`/v1/evaluations/${id}/results/units`, {}, options),

    /** The agents on the units of each group: of each server, domain, length of the chain and so on. */
    breakdown: async (id: string, by: BreakdownBy): Promise<BreakdownGroup[]> => {
      const at = escapedPath`/v1/evaluations/${id}/results/${`${by}s`}`;
      return (await transport.requestJson(breakdown, { method: 'GET', path: at, repeatable: true })).items;
    },

    /** The cells of each agent's heat map: the transitions that it executed or that a unit expects. */
    transitions: (id: string, options?: ListOptions): AsyncGenerator<AgentTransition, void, undefined> =>
      yieldItemsOfAllPages(
        transport,
        agentTransition,
        escapedPath`/v1/evaluations/${id}/results/transitions`,
        {},
        options,
      ),

    /** A Markdown document for people. */
    report: (id: string): Promise<string> =>
      transport.requestText({ method: 'GET', path: escapedPath`/v1/evaluations/${id}/report`, repeatable: true }),

    /** The attempts, one per line or row, as the text of the file arrives. */
    exportAttempts: (id: string, format: ExportFormat, signal?: AbortSignal): AsyncGenerator<string, void, undefined> =>
      readText(escapedPath`/v1/evaluations/${id}/export`, { format }, signal),
    /** The attempts of an agent as an eval log of Inspect AI, as the text of the file arrives. */
    inspectLog: (id: string, agent: string, signal?: AbortSignal): AsyncGenerator<string, void, undefined> =>
      readText(escapedPath`/v1/evaluations/${id}/inspect-log`, { agent }, signal),
    /** The attempts of an agent at public units, as the text of a trace file arrives. */
    traces: (id: string, agent: string, signal?: AbortSignal): AsyncGenerator<string, void, undefined> =>
      readText(escapedPath`/v1/evaluations/${id}/traces`, { agent }, signal),
    ...makeAgentComparisonsClient(transport),
    ...makeWordingsClient(transport),

    /** Cases without their traces: one agent, one unit, one trial each; only those that a filter wants. */
    cases: (id: string, { filter = {}, ...options }: CaseListOptions = {}) =>
      yieldItemsOfAllPages(transport, evaluationCase, escapedPath`/v1/evaluations/${id}/cases`, filter, options),

    /** A case with a trace for each of its requests that was attempted. */
    case: (id: string, wanted: string): Promise<CaseDetail> =>
      transport.requestJson(caseDetail, {
        method: 'GET',
        path: escapedPath`/v1/evaluations/${id}/cases/${wanted}`,
        repeatable: true,
      }),
  };
};
