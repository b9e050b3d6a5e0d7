import { foundPassage, type FoundPassage } from '#core/similarity/knowledge/passage-record.ts';
import { z } from 'zod';
import type { RunEvent } from '#core/reports/events.ts';
import {
  knowledgeRecord,
  knowledgeSummary,
  loadRecord,
  type KnowledgeRecord,
  type KnowledgeSummary,
  type LoadRecord,
  type NewKnowledge,
} from '#core/similarity/knowledge/record.ts';
import type { EventOptions, StreamTiming } from '../http/event-stream.ts';
import { splitFileIntoLineParts } from '../http/line-parts.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { escapedPath, type Transport } from '../http/transport.ts';
import { streamEvents } from './events.ts';

export interface LoadOptions {
  /** Default `main`. */
  readonly namespace?: string | undefined;
  /** Called after each part with the totals so far and the bytes of the file that were loaded. */
  readonly onProgress?: (totals: LoadRecord, bytes: number) => void;
  readonly signal?: AbortSignal;
}

export interface SearchOptions {
  readonly namespace?: string | undefined;
  /** 10 without it. */
  readonly limit?: number | undefined;
}

/** Small enough to be embedded before the time-out, and cheap to repeat. */
const part = { lines: 500, bytes: 8 * 1024 * 1024 } as const;

const found = z.object({ items: z.array(foundPassage) });

/** Indexes of passages for grounding units. */
export const makeKnowledgeClient = (transport: Transport, timing: StreamTiming) => ({
  /**
   * Creates an index. The idempotency key makes the call repeatable; callers that repeat it themselves pass their own.
   */
  create: (index: NewKnowledge = {}, idempotencyKey: string = crypto.randomUUID()): Promise<KnowledgeRecord> =>
    transport.requestJson(knowledgeRecord, {
      method: 'POST',
      path: '/v1/knowledge',
      json: index,
      headers: { 'idempotency-key': idempotencyKey },
      repeatable: true,
    }),

  list: (options?: ListOptions): AsyncGenerator<KnowledgeSummary, void, undefined> =>
    yieldItemsOfAllPages(transport, knowledgeSummary, '/v1/knowledge', {}, options),

  get: (id: string): Promise<KnowledgeRecord> =>
    transport.requestJson(knowledgeRecord, { method: 'GET', path: escapedPath`/v1/knowledge/${id}`, repeatable: true }),

  remove: (id: string): Promise<void> =>
    transport.requestNoContent({ method: 'DELETE', path: escapedPath`/v1/knowledge/${id}`, repeatable: false }),

  /**
   * Loads a JSON Lines file of any size, part by part. Parts are repeated if the connection breaks, and stored passages
   * are not loaded twice. Throws at the first bad line, after loading everything before it.
   */
  async load(id: string, file: Blob, { namespace, onProgress, signal }: LoadOptions = {}): Promise<LoadRecord> {
    let totals: LoadRecord = { lines: 0, loaded: 0, unchanged: 0 };
    let bytes = 0;
    for await (const { blob, line } of splitFileIntoLineParts(file, part)) {
      const { lines, loaded, unchanged } = await transport.requestJson(loadRecord, {
        method: 'POST',
        path: escapedPath`/v1/knowledge/${id}/passages`,
        query: { namespace, line },
        upload: blob,
        headers: { 'content-type': 'text/jsonl' },
        repeatable: true,
        signal,
      });
      totals = {
        lines: totals.lines + lines,
        loaded: totals.loaded + loaded,
        unchanged: totals.unchanged + unchanged,
      };
      bytes += blob.size;
      onProgress?.(totals, bytes);
    }
    return totals;
  },

  /** The passages most similar to a text, best first. */
  async search(id: string, query: string, { namespace, limit }: SearchOptions = {}): Promise<FoundPassage[]> {
    const at = escapedPath`/v1/knowledge/${id}/search`;
    const asked = { query, namespace, limit };
    return (await transport.requestJson(found, { method: 'GET', path: at, query: asked, repeatable: true })).items;
  },

  /** Removes all passages of a namespace. */
  clear: (id: string, namespace: string): Promise<void> =>
    transport.requestNoContent({
      method: 'DELETE',
      path: escapedPath`/v1/knowledge/${id}/namespaces/${namespace}`,
      repeatable: true,
    }),

  /** All past and future events of an index, each once, until it is deleted. */
  events: (id: string, options?: EventOptions): AsyncGenerator<RunEvent, void, undefined> =>
    streamEvents(transport, timing, escapedPath`/v1/knowledge/${id}`, options),
});
