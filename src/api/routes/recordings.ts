import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { unitSightOfCaller, type Sight } from '#core/access/access.ts';
import { recordedCall, recordingRecord } from '#core/evaluation/recording.ts';
import { attachmentHeaders } from '../attachment.ts';
import type { Endpoint } from '../context.ts';
import {
  makeEndpoint,
  idParams,
  describeJsonResponse,
  describeJsonLinesResponse,
  jsonLinesBody,
  describeCreatedResponse,
} from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import { pageSchema, pageQuery } from '../pages.ts';
import { describeProblemResponses, refusal, unwrap } from '../problem.ts';
import type { RecordingService } from '../services.ts';
import { makeTextStream } from '../text-stream.ts';
import { writeUploadInPiecesUntilRefused } from '../forward-upload.ts';
import { takeUploadObject } from '../upload-object.ts';
import { makeUploadPace } from '../upload-pace.ts';
import { makeDatedListEndpoint } from './runs.ts';

const importRecording = makeEndpoint(
  {
    method: 'post',
    path: '/v1/recordings/import',
    tags: ['recordings'],
    summary: 'Import a recording',
    description: 'The body is a file that an export gave: JSON Lines up to 64 MiB, a line up to 1 MiB.',
    middleware: [admitCallerWithScope('run')],
    request: { body: jsonLinesBody },
    responses: {
      201: describeCreatedResponse('The recording', documented(recordingRecord, 'Recording')),
      ...describeProblemResponses('invalid-line', 'body-too-large', 'content-mismatch'),
    },
  },
  async (c) => {
    const { body } = c.req.raw;
    if (body === null) throw refusal('invalid-line', 'the file is empty');
    const createdAt = new Date().toISOString();
    // Replays find the object by the id, so an object that is used again has the id of its first use.
    const upload = await takeUploadObject(c, 'recording', 'rec', (object) => object.discard());
    const { name: id, object: recording } = upload;
    const read = async () => {
      await recording.beginImport();
      const written = await writeUploadInPiecesUntilRefused(body, makeUploadPace(c.var.caller.key), (lines) =>
        recording.importLines(lines),
      );
      return written.ok ? recording.finishImport(id, createdAt) : written;
    };
    const made = await read().catch(async (error: unknown) => {
      await upload.discard();
      throw error;
    });
    if (!made.ok) await upload.discard();
    const record = unwrap(made);
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    await workspace.addResource('recording', { id, object: id, json: JSON.stringify({ createdAt }) });
    return c.json(record, 201, { Location: `/v1/recordings/${id}` });
  },
);

const listRecordings = makeDatedListEndpoint({
  kind: 'recording',
  summary: 'List the recordings',
  item: 'RecordingSummary',
  description: 'A page of recordings',
});

const getRecording = makeEndpoint(
  {
    method: 'get',
    path: '/v1/recordings/{id}',
    tags: ['recordings'],
    summary: 'Read what a recording holds',
    description: 'An evaluation with `recording: record` makes one and names it in `recordingId`.',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('The recording', documented(recordingRecord, 'Recording')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => c.json(unwrap(await (await requireOwnedObject(c, 'recording', c.req.valid('param').id)).get()), 200),
);

const listRecordedCalls = makeEndpoint(
  {
    method: 'get',
    path: '/v1/recordings/{id}/calls',
    tags: ['recordings'],
    summary: 'List the calls of one attempt with the whole answers of the servers',
    description:
      'Traces hold the beginning of each result and its hash; here are the results whole, in the order in which they came. An attempt is named `agent.trial.side`, such as `careful.01.source`. A page holds fewer than `limit` where answers are long.',
    middleware: [admitCallerWithScope('read')],
    request: {
      params: idParams,
      query: pageQuery.extend({
        unit: z.string().min(1).max(100),
        attempt: z.string().min(1).max(100),
        cursor: z
          .string()
          .regex(/^\d{0,15}$/, 'the `nextCursor` of the page before')
          .default(''),
      }),
    },
    responses: {
      200: describeJsonResponse('A page of calls', pageSchema(documented(recordedCall, 'RecordedCall'))),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { unit, attempt, cursor, limit } = c.req.valid('query');
    const recording = await requireOwnedObject(c, 'recording', c.req.valid('param').id);
    const { calls, next } = unwrap(
      await recording.listAttemptCalls(unit, attempt, {
        after: Number(cursor),
        limit,
        sight: unitSightOfCaller(c.var.caller),
      }),
    );
    return c.json({ items: [...calls], nextCursor: next === null ? null : `${next}` }, 200);
  },
);

const exportRecording = makeEndpoint(
  {
    method: 'get',
    path: '/v1/recordings/{id}/export',
    tags: ['recordings'],
    summary: 'Export a recording as JSON Lines',
    description: 'A header, then a line a call with the whole answer of its server.',
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams },
    responses: {
      200: describeJsonLinesResponse('The file'),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const recording = await requireOwnedObject(c, 'recording', id);
    return c.body(
      await makeRecordingFileStream(recording, unitSightOfCaller(c.var.caller)),
      200,
      attachmentHeaders(id),
    );
  },
);

/** Returns a recording's file; refuses before the first line if the caller may not see it. */
async function makeRecordingFileStream(recording: RecordingService, sight: Sight): Promise<ReadableStream<Uint8Array>> {
  let read = unwrap(await recording.exportLines(0, sight));
  return makeTextStream(async () => {
    if (read === null) return null;
    const { lines, cursor } = read;
    read = unwrap(await recording.exportLines(cursor, sight));
    return `${lines.join('\n')}\n`;
  });
}

export const recordingEndpoints: readonly Endpoint[] = [
  importRecording,
  listRecordings,
  getRecording,
  listRecordedCalls,
  exportRecording,
];
