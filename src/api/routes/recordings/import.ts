import { createRoute, z } from '@hono/zod-openapi';
import { recordingRecord } from '#core/evaluation/recording.ts';
import type { Endpoint } from '../../context.ts';
import { newId } from '../../ids.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, refusal, unwrap } from '../../problem.ts';
import { uploadLines } from '../../upload.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/recordings/import',
  tags: ['recordings'],
  summary: 'Import a recording',
  description: 'The body is a file that an export gave: JSON Lines up to 64 MiB, a line up to 1 MiB.',
  middleware: [requires('run')] as const,
  request: { body: { required: true, content: { 'text/jsonl': { schema: z.string() } } } },
  responses: {
    201: {
      description: 'The recording',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: recordingRecord.openapi('Recording') } },
    },
    ...problems('invalid-line', 'body-too-large', 'content-mismatch'),
  },
});

export const importRecording: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { body } = c.req.raw;
    if (body === null) throw refusal('invalid-line', 'the file is empty');
    const now = new Date();
    const [id, createdAt] = [newId('rec', now), now.toISOString()];
    const recording = c.var.services.recording(id);
    const read = async () => {
      const written = await uploadLines(body, (lines) => recording.importLines(lines));
      return written.ok ? recording.finishImport(id, createdAt) : written;
    };
    const made = await read().catch(async (error: unknown) => {
      // An upload that breaks off leaves nothing behind. The stub that threw may stay broken.
      await c.var.services.recording(id).discard();
      throw error;
    });
    if (!made.ok) await recording.discard();
    const record = unwrap(made);
    const workspace = c.var.services.workspace(c.var.caller.workspace);
    await workspace.addResource('recording', { id, object: id, json: JSON.stringify({ createdAt }) });
    c.header('Location', `/v1/recordings/${id}`);
    return c.json(record, 201);
  });
