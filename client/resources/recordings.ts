import {
  recordedCall,
  recordingHeader,
  recordingRecord,
  recordingSummary,
  type RecordedCall,
  type RecordingRecord,
  type RecordingSummary,
} from '#core/evaluation/recording.ts';
import { ConnectionError } from '../http/errors.ts';
import { readLines } from '../http/read-lines.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { parseJsonAnswer, escapedPath, type Transport } from '../http/transport.ts';

/** The servers' answers in evaluations. */
export const makeRecordingsClient = (transport: Transport) => ({
  list: (options?: ListOptions): AsyncGenerator<RecordingSummary, void, undefined> =>
    yieldItemsOfAllPages(transport, recordingSummary, '/v1/recordings', {}, options),

  get: (id: string): Promise<RecordingRecord> =>
    transport.requestJson(recordingRecord, {
      method: 'GET',
      path: escapedPath`/v1/recordings/${id}`,
      repeatable: true,
    }),

  /**
   * The calls of one attempt, named `agent.trial.side` such as `careful.01.source`, with the servers' complete answers.
   */
  calls: (
    id: string,
    unit: string,
    attempt: string,
    options?: ListOptions,
  ): AsyncGenerator<RecordedCall, void, undefined> =>
    yieldItemsOfAllPages(transport, recordedCall, escapedPath`/v1/recordings/${id}/calls`, { unit, attempt }, options),

  /** The lines of the file as they arrive. Throws if calls that its header promises are missing. */
  async *exportLines(id: string, signal?: AbortSignal): AsyncGenerator<string, void, undefined> {
    const at = escapedPath`/v1/recordings/${id}/export`;
    const { body } = await transport.requestResponseWithRetries({ method: 'GET', path: at, repeatable: true, signal });
    let promised: number | null = null;
    let calls = 0;
    for await (const text of body === null ? [] : readLines(body)) {
      if (promised === null) {
        promised = parseJsonAnswer(recordingHeader, text, at).calls;
      } else {
        parseJsonAnswer(recordedCall, text, at);
        calls += 1;
      }
      yield text;
    }
    if (calls !== promised) {
      const why = `it has ${calls} calls where ${promised ?? 'none'} were promised: it was cut, or is still being recorded`;
      throw new ConnectionError(`the export of ${id} is not whole: ${why}`, { unsent: false });
    }
  },

  /** Uploads an exported file. Every upload creates a new recording. */
  importFile: (file: Blob, signal?: AbortSignal): Promise<RecordingRecord> =>
    transport.requestJson(recordingRecord, {
      method: 'POST',
      path: '/v1/recordings/import',
      upload: file,
      headers: { 'content-type': 'text/jsonl' },
      repeatable: false,
      signal,
    }),
});
