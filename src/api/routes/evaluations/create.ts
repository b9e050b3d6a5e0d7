import { createRoute, z } from '@hono/zod-openapi';
import { canonicalJson, sha256Hex } from '#core/canonical.ts';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { ServerConnection } from '#core/catalog/server.ts';
import { agentChoice, evaluationConfig } from '#core/evaluation/config.ts';
import { chosenUnits } from '#core/evaluation/opening.ts';
import { evaluationRecord } from '#core/evaluation/record.ts';
import { modelChoice } from '#core/exploration/models.ts';
import type { Endpoint } from '../../context.ts';
import { idempotencyHeader } from '../../idempotency.ts';
import { newId } from '../../ids.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, refusal, unwrap } from '../../problem.ts';
import type { BenchmarkService, WorkspaceService } from '../../services.ts';
import { storeModel } from '../../stored-model.ts';
import { findBenchmark } from '../benchmarks/find.ts';

const itemsPerRead = 200;

const newEvaluation = evaluationConfig
  .extend({
    agents: z.array(agentChoice).min(1).max(20),
    judge: modelChoice.optional(),
    embedder: modelChoice.optional(),
  })
  .refine(({ agents }) => new Set(agents.map(({ name }) => name)).size === agents.length, {
    path: ['agents'],
    message: 'every agent has a name of its own',
  });

const route = createRoute({
  method: 'post',
  path: '/v1/evaluations',
  tags: ['evaluations'],
  summary: 'Evaluate agents on a benchmark',
  description:
    'Every agent gets both requests of every unit, as often as `trials` says. The run goes on by itself; follow it at `/v1/evaluations/{id}/events`. With an `Idempotency-Key` the call can be repeated.',
  middleware: [requires('run')] as const,
  request: {
    headers: idempotencyHeader,
    body: { required: true, content: { 'application/json': { schema: newEvaluation.openapi('NewEvaluation') } } },
  },
  responses: {
    202: {
      description: 'The run',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: evaluationRecord.openapi('Evaluation') } },
    },
    ...problems(
      'malformed-json',
      'unsupported-media-type',
      'body-too-large',
      'not-found',
      'address-forbidden',
      'nothing-to-evaluate',
      'idempotency-mismatch',
    ),
  },
});

export const createEvaluation: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const body = c.req.valid('json');
    const { agents: choices, judge, embedder, ...config } = body;
    const { settings } = c.var.services;
    const workspace = c.var.services.workspace(c.var.caller.workspace);
    const benchmark = await findBenchmark(c, config.benchmark);
    const units = chosenUnits(await allUnits(benchmark), config);
    if (units.length === 0) throw refusal('nothing-to-evaluate', `the split "${config.split}" has no units`);
    const tools = await benchmark.catalogTools();
    const servers = await connectionsOf(workspace, new Set(tools.map(({ server }) => server)));
    const agents = await Promise.all(
      choices.map(async ({ endpoint, model, ...agent }) => {
        const stored = await storeModel('agent', endpoint && { ...endpoint, model }, settings);
        return { ...agent, model: { ...stored, model } };
      }),
    );
    const judgeModel = await storeModel('judge', judge, settings);
    const embedderModel = await storeModel('embedder', embedder, settings);
    const now = new Date();
    let id = newId('evl', now);
    const key = c.req.valid('header')['idempotency-key'];
    if (key !== undefined) {
      id = unwrap(await workspace.reserve(`evaluation:${key}`, await sha256Hex(canonicalJson(body)), id)).resource;
    }
    // Listed before it is born: a run that goes on must never be one that nobody can find.
    await workspace.addResource('evaluation', {
      id,
      object: id,
      json: JSON.stringify({ createdAt: now.toISOString() }),
    });
    const record = await c.var.services.evaluation(id).create({
      id,
      workspace: c.var.caller.workspace,
      config,
      agents,
      judge: judgeModel,
      embedder: embedderModel,
      servers,
      tools,
      units,
      offline: settings.OFFLINE_MODELS,
      at: now.toISOString(),
    });
    c.header('Location', `/v1/evaluations/${id}`);
    return c.json(record, 202);
  });

async function allUnits(benchmark: BenchmarkService): Promise<BenchmarkUnit[]> {
  const units: BenchmarkUnit[] = [];
  for (let after = ''; ;) {
    const read = await benchmark.listUnits('all', after, itemsPerRead);
    const last = read.at(-1);
    if (last === undefined) return units;
    units.push(...read);
    after = last.id;
  }
}

/** How to reach the servers of these names, as they are registered now. */
async function connectionsOf(workspace: WorkspaceService, names: ReadonlySet<string>): Promise<ServerConnection[]> {
  const found: ServerConnection[] = [];
  for (let after = ''; ;) {
    const read = await workspace.listServers(after, itemsPerRead);
    const last = read.at(-1);
    if (last === undefined) break;
    for (const { id, name } of read) {
      const connection = names.has(name) ? await workspace.serverConnection(id) : null;
      if (connection !== null) found.push(connection);
    }
    after = last.id;
  }
  const missing = [...names].filter((name) => !found.some((server) => server.name === name));
  if (missing.length > 0) {
    throw refusal('not-found', `these servers of the benchmark are not registered: ${missing.join(', ')}`);
  }
  return found;
}
