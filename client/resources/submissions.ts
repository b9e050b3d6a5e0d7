import { z } from 'zod';
import type { RunEvent } from '#core/reports/events.ts';
import {
  submissionRecord,
  type Moderation,
  type newSubmission,
  type SubmissionRecord,
} from '#core/leaderboards/submissions/record.ts';
import type { EventOptions, StreamTiming } from '../http/event-stream.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { escapedPath, type Call, type Transport } from '../http/transport.ts';
import { streamEvents } from './events.ts';

/** The configuration of a submission; the agent's limits have defaults. */
export type NewSubmission = z.input<typeof newSubmission>;

/** The description of an uploaded trace file. */
export interface TraceUpload {
  readonly leaderboard: string;
  readonly name: string;
  readonly signal?: AbortSignal;
}

const listedSubmission = z.object({ id: z.string(), createdAt: z.string() });
export type ListedSubmission = z.infer<typeof listedSubmission>;

/** Submissions to leaderboards. */
export const makeSubmissionsClient = (transport: Transport, timing: StreamTiming) => {
  const at = (id: string): string => escapedPath`/v1/submissions/${id}`;
  const get = (id: string, signal?: AbortSignal): Promise<SubmissionRecord> =>
    transport.requestJson(submissionRecord, { method: 'GET', path: at(id), repeatable: true, signal });
  const post = (call: Omit<Call, 'method'>): Promise<SubmissionRecord> =>
    transport.requestJson(submissionRecord, { ...call, method: 'POST' });
  /** Not repeated: a repeated call is refused, which would look like a failure if only the first answer was lost. */
  const decide = (id: string, how: string, json: unknown): Promise<SubmissionRecord> =>
    post({ path: `${at(id)}/${how}`, json, repeatable: false });
  const events = (id: string, options?: EventOptions): AsyncGenerator<RunEvent, void, undefined> =>
    streamEvents(transport, timing, at(id), options);
  return {
    /**
     * Submits an agent. The idempotency key makes the call repeatable; callers that repeat it themselves pass their
     * own.
     */
    create: (submission: NewSubmission, idempotencyKey: string = crypto.randomUUID()): Promise<SubmissionRecord> =>
      post({
        path: '/v1/submissions',
        json: submission,
        headers: { 'idempotency-key': idempotencyKey },
        repeatable: true,
      }),

    /** Submits a file of traces. */
    upload: (
      file: Blob,
      { signal, ...query }: TraceUpload,
      idempotencyKey: string = crypto.randomUUID(),
    ): Promise<SubmissionRecord> =>
      post({
        path: '/v1/submissions/upload',
        query: { ...query },
        upload: file,
        headers: { 'content-type': 'text/jsonl', 'idempotency-key': idempotencyKey },
        signal,
        repeatable: true,
      }),

    list: (options?: ListOptions): AsyncGenerator<ListedSubmission, void, undefined> =>
      yieldItemsOfAllPages(transport, listedSubmission, '/v1/submissions', {}, options),

    get,

    /** All past and future events of a submission, each once, until it is settled. */
    events,

    /** Waits until the submission is settled, and returns it. */
    async wait(id: string, options: Pick<EventOptions, 'signal' | 'onLost'> = {}): Promise<SubmissionRecord> {
      for await (const _ of events(id, options));
      return get(id, options.signal);
    },

    /** Final; the leaderboard's log keeps a published entry. */
    withdraw: (id: string, reason?: string): Promise<SubmissionRecord> => decide(id, 'withdraw', { reason }),

    /** For the leaderboard's moderators. */
    moderate: (id: string, decision: Moderation): Promise<SubmissionRecord> => decide(id, 'moderate', decision),
  };
};
