import { documented } from '#api/documented.ts';
import type { Context } from 'hono';
import { unitSightOfCaller } from '#core/access/access.ts';
import {
  attemptPlace,
  attemptSortKey,
  label,
  labellerName,
  labelSortKey,
  newLabels,
  newVotes,
  storedCounts,
} from '#core/evaluation/labels.ts';
import { compareRankings } from '#core/evaluation/compare-rankings.ts';
import { evaluationAgreement, type EvaluationAgreement } from '#core/evaluation/evaluation-agreement.ts';
import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { makeEndpoint, idParams, describeJsonBody, describeJsonResponse } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import { makePageFromItemsAndOneMore, pageQuery, pageSchema } from '../pages.ts';
import { bodyProblems, describeProblemResponses, unwrap } from '../problem.ts';
import type { EvaluationService } from '../services.ts';

const path = '/v1/evaluations/{id}/labels';

const addLabels = makeEndpoint(
  {
    method: 'post',
    path,
    tags: ['evaluations'],
    summary: "Label attempts: did they succeed, in a person's view?",
    description:
      'A labeller has one label for each attempt. The same one may be sent again, and another one replaces it. If one of them is about no evaluated attempt, none is stored. The labeller is the id of the key unless the body names one; the key is kept in any case.',
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams, body: describeJsonBody(documented(newLabels, 'NewLabels')) },
    responses: {
      200: describeJsonResponse('How many were new or different', documented(storedCounts, 'StoredCounts')),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'forbidden'),
    },
  },
  async (c) => {
    const { caller } = c.var;
    const { labels, labeller = caller.key } = c.req.valid('json');
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    const by = { labeller, key: caller.key, at: new Date().toISOString() };
    return c.json(unwrap(await run.labels.add(labels, by, unitSightOfCaller(caller))), 200);
  },
);

const listLabels = makeEndpoint(
  {
    method: 'get',
    path,
    tags: ['evaluations'],
    summary: 'List labels, by attempt and labeller',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams, query: pageQuery.extend({ labeller: labellerName.optional() }) },
    responses: {
      200: describeJsonResponse('A page of labels', pageSchema(documented(label, 'Label'))),
      ...describeProblemResponses('not-found', 'forbidden'),
    },
  },
  async (c) => {
    const { limit, cursor, labeller = null } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    const found = unwrap(await run.labels.list(labeller, cursor, limit + 1, unitSightOfCaller(c.var.caller)));
    return c.json(makePageFromItemsAndOneMore(found, limit, labelSortKey), 200);
  },
);

const listUnlabelled = makeEndpoint(
  {
    method: 'get',
    path: `${path}/open`,
    tags: ['evaluations'],
    summary: 'List the attempts that a labeller has not labelled yet',
    description:
      'Labelling continues here after an interruption. The labeller is the id of the key unless one is named.',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams, query: pageQuery.extend({ labeller: labellerName.optional() }) },
    responses: {
      200: describeJsonResponse('A page of attempts', pageSchema(documented(attemptPlace, 'AttemptPlace'))),
      ...describeProblemResponses('not-found', 'forbidden'),
    },
  },
  async (c) => {
    const { caller } = c.var;
    const { limit, cursor, labeller = caller.key } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    const found = unwrap(await run.labels.listUnlabelled(labeller, cursor, limit + 1, unitSightOfCaller(caller)));
    return c.json(makePageFromItemsAndOneMore(found, limit, attemptSortKey), 200);
  },
);

const addVotes = makeEndpoint(
  {
    method: 'post',
    path: '/v1/evaluations/{id}/votes',
    tags: ['evaluations'],
    summary: 'Add the verdicts of a judge that was asked elsewhere',
    description:
      'They change no score: they are compared with labels and with other judges. A verdict that cannot be read is null, and is counted. A judge has one vote for each attempt; another one replaces it.',
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams, body: describeJsonBody(documented(newVotes, 'NewVotes')) },
    responses: {
      200: describeJsonResponse('How many were new or different', documented(storedCounts, 'StoredCounts')),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'forbidden'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    return c.json(unwrap(await run.labels.addVotes(c.req.valid('json'), unitSightOfCaller(c.var.caller))), 200);
  },
);

const getAgreement = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/agreement',
    tags: ['evaluations'],
    summary: 'Read how far judges agree with people, and with each other',
    description:
      'What people say of an attempt is the majority of their labels. Accuracy and the kappa of Cohen have 95% intervals; verdicts that cannot be read and undecided panels are counted, and count for nobody.',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('The agreement', documented(evaluationAgreement, 'EvaluationAgreement')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    const found = unwrap(await run.labels.measureAgreement());
    const { protocol } = unwrap(await run.get());
    const { verdict } = getProtocol(protocol);
    return c.json({ ...found, verdict, ranking: await compareRankingWithBeforeRejudging(c, run) }, 200);
  },
);

/** Compares the ranking of the agents with the one before they were judged again; null if that cannot be read. */
async function compareRankingWithBeforeRejudging(
  c: Context<ApiEnv>,
  run: EvaluationService,
): Promise<EvaluationAgreement['ranking']> {
  const { rejudges } = unwrap(await run.get());
  if (rejudges === null) return null;
  const earlier = await c.var.services.object('evaluation', rejudges).results.read();
  if (!earlier.ok) return null;
  const here = unwrap(await run.results.read());
  return { evaluation: rejudges, ...compareRankings(here, earlier.value, getProtocol(here.protocol).headline) };
}

export const labelEndpoints: readonly Endpoint[] = [addLabels, listLabels, listUnlabelled, addVotes, getAgreement];
