import { z } from 'zod';
import type { RunEvent } from '#core/events.ts';
import type { explorationConfig } from '#core/exploration/config.ts';
import type { modelChoices } from '#core/exploration/models.ts';
import { roundReading, type RoundReading } from '#core/exploration/reading-record.ts';
import {
  domainTransition,
  explorationRecord,
  transitionRecord,
  unitDetail,
  unitSummary,
  type DomainTransition,
  type ExplorationRecord,
  type TransitionRecord,
  type UnitDetail,
  type UnitSummary,
} from '#core/exploration/record.ts';
import type { UnitStatus } from '#core/units/unit.ts';
import { followEvents, type EventOptions, type StreamTiming } from '../event-stream.ts';
import { items, type ListOptions } from '../pages.ts';
import { path, type Call, type Transport } from '../transport.ts';

/** What an exploration should be; everything but the catalog has a default. */
export type NewExploration = z.input<typeof explorationConfig> & { readonly models?: z.input<typeof modelChoices> };

export interface UnitFilter extends ListOptions {
  readonly status?: UnitStatus | undefined;
  readonly probe?: boolean | undefined;
  readonly round?: number | undefined;
  /** Only units whose chain holds this tool (`server/tool`). */
  readonly tool?: string | undefined;
}

const listedRun = z.object({ id: z.string(), createdAt: z.string() });
export type ListedRun = z.infer<typeof listedRun>;

const domainTransitions = z.object({ items: z.array(domainTransition) });

/** Runs of the exploration loop. */
export const explorationsOf = (transport: Transport, timing: StreamTiming) => {
  const get = (id: string, signal?: AbortSignal): Promise<ExplorationRecord> =>
    transport.json(explorationRecord, { method: 'GET', path: path`/v1/explorations/${id}`, repeatable: true, signal });

  const control = (id: string, verb: 'pause' | 'resume' | 'cancel'): Promise<ExplorationRecord> =>
    transport.json(explorationRecord, { method: 'POST', path: path`/v1/explorations/${id}/${verb}`, repeatable: true });

  const events = (id: string, options: EventOptions = {}): AsyncGenerator<RunEvent, void, undefined> => {
    const at = path`/v1/explorations/${id}/events`;
    const open = (after: number, signal: AbortSignal): Promise<Response> => {
      const headers: Call['headers'] = {
        accept: 'text/event-stream',
        ...(after === 0 ? {} : { 'last-event-id': String(after) }),
      };
      return transport.streamOnce({ method: 'GET', path: at, headers, repeatable: true, signal });
    };
    const signal = transport.ending(options.signal);
    return followEvents(open, signal === undefined ? options : { ...options, signal }, timing);
  };

  return {
    /** Starts a run. The idempotency key makes the call repeatable; callers who repeat it themselves bring their own. */
    create: (config: NewExploration, idempotencyKey: string = crypto.randomUUID()): Promise<ExplorationRecord> =>
      transport.json(explorationRecord, {
        method: 'POST',
        path: '/v1/explorations',
        json: config,
        headers: { 'idempotency-key': idempotencyKey },
        repeatable: true,
      }),

    get,

    list: (options?: ListOptions): AsyncGenerator<ListedRun, void, undefined> =>
      items(transport, listedRun, '/v1/explorations', {}, options),

    pause: (id: string): Promise<ExplorationRecord> => control(id, 'pause'),
    resume: (id: string): Promise<ExplorationRecord> => control(id, 'resume'),
    /** Final; what was committed stays. */
    cancel: (id: string): Promise<ExplorationRecord> => control(id, 'cancel'),

    /** Everything that happened and happens in a run, each event once, until it is over. */
    events,

    /** The run once it is over, however it ended. */
    async wait(id: string, options: Pick<EventOptions, 'signal' | 'onLost'> = {}): Promise<ExplorationRecord> {
      for await (const _ of events(id, options));
      return get(id, options.signal);
    },

    units: (
      id: string,
      { status, probe, round, tool, ...options }: UnitFilter = {},
    ): AsyncGenerator<UnitSummary, void, undefined> =>
      items(transport, unitSummary, path`/v1/explorations/${id}/units`, { status, probe, round, tool }, options),

    /** A unit with its audits, earlier wordings and traces. */
    unit: (id: string, unit: string): Promise<UnitDetail> =>
      transport.json(unitDetail, { method: 'GET', path: path`/v1/explorations/${id}/units/${unit}`, repeatable: true }),

    transitions: (id: string, options?: ListOptions): AsyncGenerator<TransitionRecord, void, undefined> =>
      items(transport, transitionRecord, path`/v1/explorations/${id}/transitions`, {}, options),

    /** What was read after each round, oldest first. */
    readings: (id: string, options?: ListOptions): AsyncGenerator<RoundReading, void, undefined> =>
      items(transport, roundReading, path`/v1/explorations/${id}/richness`, {}, options),

    /** Every pair of domains between which a transition executed. */
    async domains(id: string): Promise<DomainTransition[]> {
      const at = path`/v1/explorations/${id}/domains`;
      return (await transport.json(domainTransitions, { method: 'GET', path: at, repeatable: true })).items;
    },
  };
};
