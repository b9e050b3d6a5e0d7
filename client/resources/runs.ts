import { z } from 'zod';
import { costEstimate, type CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import type { RunEvent } from '#core/reports/events.ts';
import type { EventOptions, StreamTiming } from '../http/event-stream.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { escapedPath, type Transport } from '../http/transport.ts';
import { streamEvents } from './events.ts';

/** The answer to a request that only asks what a run would take. */
export const dryRun = z.object({ estimate: costEstimate });
const listedRun = z.object({ id: z.string(), createdAt: z.string() });
export type ListedRun = z.infer<typeof listedRun>;

/** What all kinds of runs share: they are started, found, controlled and followed in the same way. */
export const makeRunsClient = <S extends z.ZodType>(
  transport: Transport,
  timing: StreamTiming,
  /** The path under `/v1`. */
  kind: string,
  record: S,
) => {
  const all = `/v1/${kind}`;
  const at = (id: string): string => `${all}${escapedPath`/${id}`}`;

  const get = (id: string, signal?: AbortSignal): Promise<z.output<S>> =>
    transport.requestJson(record, { method: 'GET', path: at(id), repeatable: true, signal });

  const control = (id: string, verb: 'pause' | 'resume' | 'cancel'): Promise<z.output<S>> =>
    transport.requestJson(record, { method: 'POST', path: `${at(id)}/${verb}`, repeatable: true });

  const events = (id: string, options: EventOptions = {}): AsyncGenerator<RunEvent, void, undefined> =>
    streamEvents(transport, timing, at(id), options);

  return {
    /** Starts a run; each kind defines its own config. */
    create: (config: object, idempotencyKey: string = crypto.randomUUID()): Promise<z.output<S>> =>
      transport.requestJson(record, {
        method: 'POST',
        path: all,
        json: config,
        headers: { 'idempotency-key': idempotencyKey },
        repeatable: true,
      }),

    /** Returns what a run would take, and creates nothing. */
    estimate: async (config: object): Promise<CostEstimate> =>
      (
        await transport.requestJson(dryRun, {
          method: 'POST',
          path: `${all}?dryRun=true`,
          json: config,
          repeatable: true,
        })
      ).estimate,

    get,

    list: (options?: ListOptions): AsyncGenerator<ListedRun, void, undefined> =>
      yieldItemsOfAllPages(transport, listedRun, all, {}, options),

    /** The latest ones first, at most `count`. */
    latest: async (count: number): Promise<ListedRun[]> =>
      (
        await transport.requestJson(z.object({ items: z.array(listedRun) }), {
          method: 'GET',
          path: all,
          query: { order: 'latest', limit: count },
          repeatable: true,
        })
      ).items,

    pause: (id: string): Promise<z.output<S>> => control(id, 'pause'),
    resume: (id: string): Promise<z.output<S>> => control(id, 'resume'),
    /** Final; what was committed stays. */
    cancel: (id: string): Promise<z.output<S>> => control(id, 'cancel'),

    /** All past and future events of a run, each once, until it is over. */
    events,

    /** Waits until the run is over, and returns it. */
    async wait(id: string, options: Pick<EventOptions, 'signal' | 'onLost'> = {}): Promise<z.output<S>> {
      for await (const _ of events(id, options));
      return get(id, options.signal);
    },
  };
};
