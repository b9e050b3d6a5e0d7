import { createRoute, z } from '@hono/zod-openapi';
import { explorationConfig } from '#core/exploration/config.ts';
import { explorationRole, modelChoices } from '#core/models/choices.ts';
import { explorationRecord } from '#core/exploration/record.ts';
import type { Endpoint } from '../../context.ts';
import { connectionOf } from '../knowledge/find.ts';
import { creatingCall, idempotencyHeader } from '../../idempotency.ts';
import { requires } from '../../middleware/authenticate.ts';
import { requireModels } from '../../model-check.ts';
import { problems, refusal, unwrap } from '../../problem.ts';
import { storeModel } from '../../stored-model.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/explorations',
  tags: ['explorations'],
  summary: 'Start an exploration',
  description:
    'The run goes on by itself; follow it at `/v1/explorations/{id}/events`. With an `Idempotency-Key` the call can be repeated: the same key gives the same run.',
  middleware: [requires('run')] as const,
  request: {
    headers: idempotencyHeader,
    body: {
      required: true,
      content: {
        'application/json': {
          schema: explorationConfig.extend({ models: modelChoices.prefault({}) }).openapi('NewExploration'),
        },
      },
    },
  },
  responses: {
    202: {
      description: 'The run',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: explorationRecord.openapi('Exploration') } },
    },
    ...problems(
      'malformed-json',
      'unsupported-media-type',
      'body-too-large',
      'not-found',
      'address-forbidden',
      'model-not-found',
      'model-unauthorized',
      'model-unreachable',
      'idempotency-mismatch',
    ),
  },
});

export const createExploration: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const body = c.req.valid('json');
    const { models: choices, ...config } = body;
    if (config.acceptScore < config.passScore) {
      throw refusal('invalid-request', 'acceptScore must not be smaller than passScore');
    }
    const { settings } = c.var.services;
    const workspace = c.var.services.workspace(c.var.caller.workspace);
    const call = creatingCall(workspace, 'exploration', c.req.valid('header')['idempotency-key'], body);
    const earlier = await call.earlier((id) => c.var.services.exploration(id).get());
    if (earlier !== null) {
      c.header('Location', `/v1/explorations/${earlier.id}`);
      return c.json(earlier, 202);
    }
    const catalog = unwrap(await workspace.getCatalog(config.catalog));
    const knowledge = config.knowledge === undefined ? null : await connectionOf(c, config.knowledge.index);
    const servers = await Promise.all(
      catalog.servers.map(async (server) => {
        const connection = await workspace.serverConnection(server.id);
        if (connection === null)
          throw refusal('not-found', `server ${server.name} of the catalog is not registered any more`);
        return connection;
      }),
    );
    const models = {
      writer: await storeModel('writer', choices.writer, settings),
      critic: await storeModel('critic', choices.critic, settings),
      agent: await storeModel('agent', choices.agent, settings),
    };
    await requireModels(
      explorationRole.options.map((role) => ({ name: `the ${role}`, role, model: models[role] })),
      settings,
      c.var.admission,
    );
    const now = new Date();
    const id = await call.newId('exp', now);
    // Listed before it is born: a run that goes on must never be one that nobody can find.
    await workspace.addResource('exploration', {
      id,
      object: id,
      json: JSON.stringify({ createdAt: now.toISOString() }),
    });
    const run = c.var.services.exploration(id);
    const record = await run.create({
      id,
      workspace: c.var.caller.workspace,
      config,
      models,
      servers,
      knowledge,
      tools: await workspace.getCatalogTools(catalog.id),
      offline: settings.OFFLINE_MODELS,
      at: now.toISOString(),
    });
    c.header('Location', `/v1/explorations/${id}`);
    return c.json(record, 202);
  });
