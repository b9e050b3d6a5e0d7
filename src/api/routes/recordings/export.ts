import { createRoute, z } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import type { RecordingService } from '../../services.ts';
import { findRecording } from './find.ts';

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
    const recording = await findRecording(c, id);
    unwrap(await recording.get());
    return c.body(lineStream(recording), 200, {
      'content-type': 'text/jsonl',
      'content-disposition': `attachment; filename="${id}.jsonl"`,
    });
  });

/** Reads only as fast as the client does. */
function lineStream(recording: RecordingService): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let after = 0;
  return new ReadableStream({
    async pull(controller) {
      const read = await recording.exportLines(after);
      if (read === null) return controller.close();
      after = read.cursor;
      controller.enqueue(encoder.encode(`${read.lines.join('\n')}\n`));
    },
  });
}
