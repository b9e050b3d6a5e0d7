import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { modelLoop, defaultLoop } from '#core/benchmarks/protocols/loops.ts';
import { modelChoice } from '#core/models/choices.ts';
import { agentLimits } from '#core/models/limits.ts';
import { modelCheck, roleNames, sampleTool } from '#core/models/preflight.ts';
import { listToolsOfLargestMount } from '#core/units/mounting/largest-mount.ts';
import { mountingOrStandard } from '#core/units/mounting/mounting.ts';
import type { Endpoint } from '../context.ts';
import { describeJsonBody, describeJsonResponse, makeEndpoint } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { askModelsTestQuestions, type NamedModel } from '../preflight.ts';
import { bodyProblems, describeProblemResponses, unwrap } from '../problem.ts';
import { prepareModelForStorage } from '../stored-model.ts';

/** The seed of the mounting that the agent is offered; it stands for those of all runs. */
const seed = 1;

const modelsToCheck = z.strictObject({
  /** Which roles are checked; all of them by default. */
  roles: z
    .array(roleNames)
    .min(1)
    .max(roleNames.options.length)
    .default([...roleNames.options]),
  /** The models in these roles, where they are not the deployment's. */
  models: z.partialRecord(roleNames, modelChoice).default({}),
  /** How the agent works. */
  loop: modelLoop.default(defaultLoop),
  /** The catalog whose tools the agent is offered; without it a tool of an example. */
  catalog: z.string().min(1).max(100).optional(),
  mounting: mountingOrStandard,
});

const checkModels = makeEndpoint(
  {
    method: 'post',
    path: '/v1/models/check',
    tags: ['models'],
    summary: 'Ask models whether they can do what a run needs',
    description:
      "Asks each model one test question, as the creation of a run does, and stores nothing. It asks the deployment's models, or those of the body. It costs tokens, counts against no budget, and is limited like every request. `works` is true unless a model was refused or does not answer.",
    middleware: [admitCallerWithScope('run')],
    request: { body: describeJsonBody(documented(modelsToCheck, 'ModelsToCheck')) },
    responses: {
      200: describeJsonResponse(
        'What is known of each model, once for each way in which it is used',
        z.object({ works: z.boolean(), models: z.array(documented(modelCheck, 'ModelCheck')) }),
      ),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'address-forbidden'),
    },
  },
  async (c) => {
    const { roles, models, loop, catalog, mounting } = c.req.valid('json');
    const { services, caller } = c.var;
    const found =
      catalog === undefined
        ? null
        : unwrap(await services.object('workspace', caller.workspace).readCatalogWithTools(catalog));
    const tools = found === null ? [sampleTool] : listToolsOfLargestMount(mounting, found.tools, seed);
    const turn = { loop, tools, limits: agentLimits.parse({}), ifTooMany: 'route' } as const;
    const named = await Promise.all(
      [...new Set(roles)].map(async (role): Promise<NamedModel> => {
        const model = await prepareModelForStorage(role, models[role], services.settings);
        return { name: role, role, model, ...(role === 'agent' ? { turn } : {}) };
      }),
    );
    const { checks } = await askModelsTestQuestions(named, c.var, 'all');
    const works = checks.every(({ verdict }) => verdict === 'works' || verdict === 'unclear');
    return c.json({ works, models: [...checks] }, 200);
  },
);

export const modelEndpoints: readonly Endpoint[] = [checkModels];
