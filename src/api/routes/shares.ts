import { documented } from '#api/documented.ts';
import { z } from 'zod';
import { signCard, signShare } from '#adapters/secrets/share-tokens.ts';
import { newShare, shareRecord } from '#core/access/share/share-record.ts';
import { kindOfSharedRun, resourceOfSharedRun, sharableRun } from '#core/access/share/shared-run.ts';
import type { Endpoint } from '../context.ts';
import { describeJsonBody, describeJsonResponse, makeEndpoint } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObjectName } from '../owned.ts';
import { getPublicOrigin } from '../own-client.ts';
import { bodyProblems, describeProblemResponses } from '../problem.ts';
import { requireSharableRun } from '../shared-run.ts';

const dayMs = 86_400_000;

const shareRun = makeEndpoint(
  {
    method: 'post',
    path: '/v1/shares',
    tags: ['shares'],
    summary: 'Make a link that shows one run to everybody who has it',
    description:
      'The token is sent like a key. It reads that exploration or evaluation: its record, events, units, cases, tools and results, and nothing else. The `card` in the link opens nothing: by it, chats and networks show the name of the run, its verdict and a picture of its figures. Both end by their time, or when the links to the run are revoked. Private units stay hidden, and a run over a private server is refused, also later.',
    middleware: [admitCallerWithScope('admin')],
    request: { body: describeJsonBody(documented(newShare, 'NewShareRequest')) },
    responses: {
      201: describeJsonResponse('The link', documented(shareRecord, 'Share')),
      ...describeProblemResponses('not-found', 'private-server', ...bodyProblems),
    },
  },
  async (c) => {
    const { run, days } = c.req.valid('json');
    const { workspace } = c.var.caller;
    const { settings } = c.var.services;
    await requireSharableRun(c, workspace, run);
    const revocations = await c.var.services.object('workspace', workspace).countShareRevocations(run);
    const endsAt = Math.floor((Date.now() + days * dayMs) / 1_000);
    const share = { workspace, run, endsAt, revocations };
    const [token, card] = await Promise.all([
      signShare(settings.ENCRYPTION_KEY, share),
      signCard(settings.ENCRYPTION_KEY, share),
    ]);
    return c.json(
      {
        run,
        token,
        // No server sees what is behind `#`: for those that unfold links there is a token of the card alone.
        url: `${getPublicOrigin(c)}/${resourceOfSharedRun(run)}/${run}?card=${card}#share=${token}`,
        endsAt: new Date(endsAt * 1_000).toISOString(),
      },
      201,
    );
  },
);

const revokeShares = makeEndpoint(
  {
    method: 'delete',
    path: '/v1/shares/{run}',
    tags: ['shares'],
    summary: 'Revoke the links to a run',
    description: 'All links to the run that were made so far end at once. New ones can be made.',
    middleware: [admitCallerWithScope('admin')],
    request: { params: z.object({ run: sharableRun }) },
    responses: {
      204: { description: 'No link that was made before shows the run' },
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { run } = c.req.valid('param');
    await requireOwnedObjectName(c, kindOfSharedRun(run), run);
    await c.var.services.object('workspace', c.var.caller.workspace).revokeShares(run);
    return c.body(null, 204);
  },
);

export const shareEndpoints: readonly Endpoint[] = [shareRun, revokeShares];
