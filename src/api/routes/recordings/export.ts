import { createRoute, z } from '@hono/zod-openapi';
import { attachment } from '../../attachment.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems } from '../../problem.ts';
import type { RecordingService } from '../../services.ts';
import { textStream } from '../../text-stream.ts';
import { findCalls } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/recordings/{id}/export',
  tags: ['recordings'],
  summary: 'Export a recording as JSON Lines',
  description: 'A header, then a line a call with the whole answer of its server.',
  middleware: [requires('run')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    200: { description: 'The file', content: { 'text/jsonl': { schema: z.string() } } },
    ...problems('not-found'),
  },
});

export const exportRecording: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const recording = await findCalls(c, id);
    return c.body(lineStream(recording), 200, attachment(id));
  });

function lineStream(recording: RecordingService): ReadableStream<Uint8Array> {
  let after = 0;
  return textStream(async () => {
    const read = await recording.exportLines(after);
    if (read === null) return null;
    after = read.cursor;
    return `${read.lines.join('\n')}\n`;
  });
}
