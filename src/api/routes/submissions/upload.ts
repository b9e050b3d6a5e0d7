import { createRoute, z } from '@hono/zod-openapi';
import { agentName } from '#core/evaluation/config.ts';
import { refuse, type Result } from '#core/errors.ts';
import { entryName, submissionRecord } from '#core/submissions/record.ts';
import type { WholeUpload } from '#core/submissions/trace-file.ts';
import type { Endpoint } from '../../context.ts';
import { idempotencyHeader } from '../../idempotency.ts';
import { newId } from '../../ids.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, refusal, unwrap } from '../../problem.ts';
import type { SubmissionService } from '../../services.ts';
import { uploadLines } from '../../upload.ts';
import { locationOf, receive, submittingCall, wantedLeaderboard } from './receive.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/submissions/upload',
  tags: ['submissions'],
  summary: "Submit an agent's traces to a leaderboard",
  description:
    'The tier `self-reported`: the body is a file of traces (JSON Lines up to 64 MiB, a line up to 1 MiB), such as `/v1/evaluations/{id}/traces` gives. All metrics are computed anew from the traces. A file that was changed is refused with the number of the line; one that breaks a rule becomes a rejected submission with all that was found.',
  middleware: [requires('submit')] as const,
  request: {
    headers: idempotencyHeader,
    query: z.object({ leaderboard: z.string().min(1).max(100), name: entryName }),
    body: { required: true, content: { 'text/jsonl': { schema: z.string() } } },
  },
  responses: {
    202: {
      description: 'The submission',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: submissionRecord.openapi('Submission') } },
    },
    ...problems(
      'invalid-line',
      'body-too-large',
      'content-mismatch',
      'not-found',
      'benchmark-mismatch',
      'name-taken',
      'quota-exceeded',
      'idempotency-mismatch',
    ),
  },
});

export const uploadSubmission: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const query = c.req.valid('query');
    const { services } = c.var;
    const { body } = c.req.raw;
    if (body === null) throw refusal('invalid-line', 'the file is empty');
    const leaderboard = await wantedLeaderboard(c, query.leaderboard, undefined);
    const now = new Date();
    // Uploads with the same key must not write into each other: each has an object of its own, and the first that is whole counts.
    const upload = newId('upl', now);
    const uploaded = services.submission(upload);
    try {
      await uploaded.beginUpload();
      const { header, seal } = unwrap(await readInto(uploaded, body));
      const { agent, benchmark, configuration } = header;
      // What is repeated has to be the same file: that shows once all of it has come.
      const key = c.req.valid('header')['idempotency-key'];
      const { call, earlier } = await submittingCall(c, key, { ...query, seal });
      if (earlier !== null) return c.json(earlier, 202, { Location: locationOf(earlier) });
      await wantedLeaderboard(c, query.leaderboard, benchmark);
      const name = agentName.safeParse(agent);
      if (!name.success) throw refusal('invalid-line', `line 1: agent: ${name.error.issues[0]?.message ?? 'no name'}`);
      const id = await call.newId('sub', now);
      const submission = {
        id,
        name: query.name,
        tier: 'self-reported',
        agent: { name: name.data, loop: 'uploaded', configuration },
        at: now.toISOString(),
      } as const;
      const record = await receive(c, leaderboard, submission, upload);
      return c.json(record, 202, { Location: locationOf(record) });
    } finally {
      // What was refused or broke off leaves nothing behind; what was taken is the submission's own.
      await uploaded.discard();
    }
  });

async function readInto(submission: SubmissionService, body: ReadableStream<Uint8Array>): Promise<Result<WholeUpload>> {
  const written = await uploadLines(body, (lines) => submission.uploadLines(lines));
  if (!written.ok) return written;
  const whole = await submission.finishUpload();
  if (!whole.ok) return whole;
  const { protocol } = whole.value.header;
  return protocol === 'sgvef'
    ? whole
    : refuse('benchmark-mismatch', `the traces are of the protocol ${protocol}; the leaderboard's is sgvef`);
}
