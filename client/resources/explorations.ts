import { deletedUnitTexts, type DeletedUnitTexts } from '#core/units/delete-texts.ts';
import type { RequestSide } from '#core/units/unit.ts';
import { transitionRecord, type TransitionRecord } from '#core/exploration/counts.ts';
import { z } from 'zod';
import type { CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import type { explorationConfig } from '#core/exploration/config.ts';
import type { modelChoices } from '#core/models/choices.ts';
import { roundReading, type RoundReading } from '#core/exploration/reading-record.ts';
import {
  domainTransition,
  explorationRecord,
  unitDetail,
  unitSummary,
  type DomainTransition,
  type ExplorationRecord,
  type UnitDetail,
  type UnitSummary,
} from '#core/exploration/record.ts';
import type { UnitOrigin, UnitStatus } from '#core/units/unit.ts';
import type { StreamTiming } from '../http/event-stream.ts';
import { toolReport, type ToolReport } from '#core/reports/tool-report/record.ts';
import { numberedWrite, type NumberedWrite } from '#core/traces/writes.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { escapedPath, type Transport } from '../http/transport.ts';
import { makeRunsClient } from './runs.ts';

/** The configuration of an exploration; everything except the catalog has a default. */
export type NewExploration = z.input<typeof explorationConfig> & { readonly models?: z.input<typeof modelChoices> };

export interface UnitFilter extends ListOptions {
  readonly status?: UnitStatus | undefined;
  readonly probe?: boolean | undefined;
  readonly round?: number | undefined;
  readonly origin?: UnitOrigin | undefined;
  /** Only units whose chain holds this tool (`server/tool`). */
  readonly tool?: string | undefined;
}

const domainTransitions = z.object({ items: z.array(domainTransition) });

/** Runs of the exploration loop. */
export const makeExplorationsClient = (transport: Transport, timing: StreamTiming) => {
  const runs = makeRunsClient(transport, timing, 'explorations', explorationRecord);
  return {
    ...runs,

    /**
     * Starts a run. The idempotency key makes the call repeatable; callers that repeat it themselves pass their own.
     */
    create: (config: NewExploration, idempotencyKey?: string): Promise<ExplorationRecord> =>
      runs.create(config, idempotencyKey),

    /** Returns what a run would take, and creates nothing. */
    estimate: (config: NewExploration): Promise<CostEstimate> => runs.estimate(config),

    /** What the attempts say about each tool. */
    tools: (id: string): Promise<ToolReport> =>
      transport.requestJson(toolReport, {
        method: 'GET',
        path: escapedPath`/v1/explorations/${id}/tools`,
        repeatable: true,
      }),

    /** Lists the calls that may have changed a server's state. */
    writes: (id: string, options?: ListOptions): AsyncGenerator<NumberedWrite, void, undefined> =>
      yieldItemsOfAllPages(transport, numberedWrite, escapedPath`/v1/explorations/${id}/writes`, {}, options),

    units: (
      id: string,
      { status, probe, round, origin, tool, ...options }: UnitFilter = {},
    ): AsyncGenerator<UnitSummary, void, undefined> =>
      yieldItemsOfAllPages(
        transport,
        unitSummary,
        escapedPath`/v1/explorations/${id}/units`,
        { status, probe, round, origin, tool },
        options,
      ),

    /** A unit with its audits, earlier wordings and traces. */
    unit: (id: string, unit: string): Promise<UnitDetail> =>
      transport.requestJson(unitDetail, {
        method: 'GET',
        path: escapedPath`/v1/explorations/${id}/units/${unit}`,
        repeatable: true,
      }),

    /** Deletes the texts of the attempts at a unit, or of the one at a request; returns those without texts. */
    deleteTexts: (id: string, unit: string, request?: RequestSide): Promise<DeletedUnitTexts> =>
      transport.requestJson(deletedUnitTexts, {
        method: 'DELETE',
        path: escapedPath`/v1/explorations/${id}/units/${unit}/texts`,
        ...(request === undefined ? {} : { query: { request } }),
        repeatable: true,
      }),

    transitions: (id: string, options?: ListOptions): AsyncGenerator<TransitionRecord, void, undefined> =>
      yieldItemsOfAllPages(transport, transitionRecord, escapedPath`/v1/explorations/${id}/transitions`, {}, options),

    /** The readings after each round, oldest first. */
    readings: (id: string, options?: ListOptions): AsyncGenerator<RoundReading, void, undefined> =>
      yieldItemsOfAllPages(transport, roundReading, escapedPath`/v1/explorations/${id}/richness`, {}, options),

    /** Every pair of domains with an executed transition between them. */
    async domains(id: string): Promise<DomainTransition[]> {
      const at = escapedPath`/v1/explorations/${id}/domains`;
      return (await transport.requestJson(domainTransitions, { method: 'GET', path: at, repeatable: true })).items;
    },
  };
};
