import { z } from 'zod';
import type { CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import type { RunEvent } from '#core/reports/events.ts';
import type { evolutionConfig } from '#core/exploration/evolution/config.ts';
import { evolutionRecord, type EvolutionRecord } from '#core/exploration/evolution/record.ts';
import type { EventOptions, StreamTiming } from '../http/event-stream.ts';
import { escapedPath, type Transport } from '../http/transport.ts';
import { makeRunsClient } from './runs.ts';

/** The configuration of an evolution; everything has a default. */
export type NewEvolution = z.input<typeof evolutionConfig>;

const evolutions = z.object({ items: z.array(evolutionRecord) });

/** Grows the units of a finished exploration; an evolution is identified by its number within it, from 1. */
export const makeEvolutionsClient = (transport: Transport, timing: StreamTiming) => {
  const at = (exploration: string): string => `explorations${escapedPath`/${exploration}`}/evolutions`;
  const runs = (exploration: string) => makeRunsClient(transport, timing, at(exploration), evolutionRecord);
  return {
    /**
     * Starts an evolution. The idempotency key makes the call repeatable; callers that repeat it themselves pass their
     * own.
     */
    create: (exploration: string, config: NewEvolution = {}, idempotencyKey?: string): Promise<EvolutionRecord> =>
      runs(exploration).create(config, idempotencyKey),

    /** Returns what an evolution would take, and creates nothing. */
    estimate: (exploration: string, config: NewEvolution = {}): Promise<CostEstimate> =>
      runs(exploration).estimate(config),

    /** All of them, oldest first. */
    async list(exploration: string): Promise<EvolutionRecord[]> {
      const call = { method: 'GET', path: `/v1/${at(exploration)}`, repeatable: true } as const;
      return (await transport.requestJson(evolutions, call)).items;
    },

    get: (exploration: string, number: number, signal?: AbortSignal): Promise<EvolutionRecord> =>
      runs(exploration).get(String(number), signal),

    pause: (exploration: string, number: number): Promise<EvolutionRecord> => runs(exploration).pause(String(number)),
    resume: (exploration: string, number: number): Promise<EvolutionRecord> => runs(exploration).resume(String(number)),
    /** Final; accepted variants stay. */
    cancel: (exploration: string, number: number): Promise<EvolutionRecord> => runs(exploration).cancel(String(number)),

    /** All past and future events of an evolution, each once, until it is over. */
    events: (exploration: string, number: number, options?: EventOptions): AsyncGenerator<RunEvent, void, undefined> =>
      runs(exploration).events(String(number), options),

    /** Waits until the evolution is over, and returns it. */
    wait: (
      exploration: string,
      number: number,
      options?: Pick<EventOptions, 'signal' | 'onLost'>,
    ): Promise<EvolutionRecord> => runs(exploration).wait(String(number), options),
  };
};
