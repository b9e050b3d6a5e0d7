import { documented } from '#api/documented.ts';
import { unitSightOfCaller } from '#core/access/access.ts';
import { importedAttempts, importedCounts } from '#core/evaluation/imported-attempts.ts';
import type { Endpoint } from '../context.ts';
import { makeEndpoint, idParams, describeJsonBody, describeJsonResponse } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import { bodyProblems, describeProblemResponses, unwrap } from '../problem.ts';

const importAttempts = makeEndpoint(
  {
    method: 'post',
    path: '/v1/evaluations/{id}/attempts',
    tags: ['evaluations'],
    summary: 'Import attempts that were made elsewhere',
    description:
      "Takes the traces of agents with the loop `uploaded`. An attempt that is here already stays as it is, so the call can be repeated. If one of them is of no case, or of another agent, none is stored. `complete` ends the import: attempts that are not here are not evaluated, and the evaluation's judges begin, if it has any.",
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams, body: describeJsonBody(documented(importedAttempts, 'ImportedAttempts')) },
    responses: {
      200: describeJsonResponse('How many were new', documented(importedCounts, 'ImportedCounts')),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'wrong-state', 'forbidden'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    return c.json(unwrap(await run.imports.add(c.req.valid('json'), unitSightOfCaller(c.var.caller))), 200);
  },
);

export const importedAttemptEndpoints: readonly Endpoint[] = [importAttempts];
