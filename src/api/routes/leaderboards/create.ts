import { createRoute, z } from '@hono/zod-openapi';
import { canonicalJson, sha256Hex } from '#core/canonical.ts';
import { harnessVersion } from '#core/harness.ts';
import type { LeaderboardBirth } from '#core/leaderboards/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { requireModels } from '../../model-check.ts';
import { problems, refusal, unwrap } from '../../problem.ts';
import { storeModel } from '../../stored-model.ts';
import { ownedObject } from '../../owned.ts';
import { leaderboardNamed } from './find.ts';
import { leaderboard, newLeaderboardBody } from './form.ts';

/** Luck is the same for all entries. */
const seed = 1;

const route = createRoute({
  method: 'post',
  path: '/v1/leaderboards',
  tags: ['leaderboards'],
  summary: 'Open the public leaderboard of a benchmark',
  description:
    'There is one for a benchmark and a protocol, so the same call can be repeated. Everybody may read it and, with a key, submit to it; agents work on the servers of this workspace, and its admins moderate. Judge and embedder, those of the owner or of the deployment, are the same for all entries.',
  middleware: [requires('run')] as const,
  request: { body: { required: true, content: { 'application/json': { schema: newLeaderboardBody } } } },
  responses: {
    201: {
      description: 'The leaderboard',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: leaderboard } },
    },
    ...problems(
      'malformed-json',
      'unsupported-media-type',
      'body-too-large',
      'not-found',
      'nothing-to-evaluate',
      'leaderboard-exists',
      'address-forbidden',
      'model-not-found',
      'model-unauthorized',
      'model-unreachable',
    ),
  },
});

export const createLeaderboard: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { benchmark, protocol, name, trials, previous = null, ...models } = c.req.valid('json');
    const { services, caller } = c.var;
    const benchmarkObject = await ownedObject(c, 'benchmark', benchmark);
    const frozen = unwrap(await services.benchmark(benchmarkObject).get());
    if (frozen.publicUnits === 0) throw refusal('nothing-to-evaluate', 'the benchmark has no public units');
    if (previous !== null) await leaderboardNamed(c, previous);
    const id = `lb_${(await sha256Hex(canonicalJson({ benchmark, protocol }))).slice(0, 24)}`;
    const [judge, embedder] = await Promise.all([
      storeModel('judge', models.judge, services.settings),
      storeModel('embedder', models.embedder, services.settings),
    ]);
    await requireModels(
      [
        { name: 'the judge', role: 'judge', model: judge },
        { name: 'the embedder', role: 'embedder', model: embedder },
      ],
      services.settings,
      c.var.admission,
    );
    const birth: LeaderboardBirth = {
      id,
      workspace: caller.workspace,
      benchmark,
      benchmarkObject,
      protocol,
      name,
      trials,
      previous,
      seed,
      catalog: frozen.catalog,
      harness: harnessVersion,
      publicUnits: frozen.publicUnits,
      privateUnits: frozen.privateUnits,
      offline: services.settings.OFFLINE_MODELS || frozen.offline,
      judge,
      embedder,
      at: new Date().toISOString(),
    };
    const record = unwrap(await services.leaderboard(id).open(birth));
    // Again, where a call before came this far: without it nobody finds the leaderboard.
    await services.directory.leaderboardAdded(
      {
        id,
        name: record.name,
        benchmark,
        protocol,
        createdAt: record.createdAt,
      },
      caller.workspace,
    );
    c.header('Location', `/v1/leaderboards/${id}`);
    return c.json(record, 201);
  });
