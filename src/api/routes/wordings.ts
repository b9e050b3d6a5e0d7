import { documented } from '#api/documented.ts';
import type { Settings } from '#adapters/settings.ts';
import { unitSightOfCaller } from '#core/access/access.ts';
import type { StoredModel } from '#core/models/choices.ts';
import { modelWithListPriceIfUnpriced } from '#core/models/list-prices.ts';
import { sumUsageOfCalls } from '#core/models/usage.ts';
import { overlay } from '#core/evaluation/overlay/overlay.ts';
import type { Answer } from '#core/ports.ts';
import { readWordingAnswer, type WordingAnswer } from '#core/reports/wording-proposal/read-answer.ts';
import { newProposal, wordingProposal, type NewProposal } from '#core/reports/wording-proposal/record.ts';
import type { Endpoint } from '../context.ts';
import { describeJsonBody, describeJsonResponse, idParams, makeEndpoint } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import { bodyProblems, describeProblemResponses, refusal, unwrap } from '../problem.ts';
import { prepareModelForStorage } from '../stored-model.ts';

const proposeWording = makeEndpoint(
  {
    method: 'post',
    path: '/v1/evaluations/{id}/wording',
    tags: ['evaluations'],
    summary: 'Have a model write new texts for tools that agents had trouble with',
    description:
      'Draws a share of the units, shows a model what agents had trouble with at them, and returns its titles and descriptions of tools and arguments as an overlay; names and types stay. The overlay says which units were seen, and an evaluation of it leaves them out, with their lineages. Nothing is stored, and repeating the call asks again: one question of at most about 60,000 tokens, an answer of at most 12,000, and both once more if the answer cannot be read. `usage` says what it took; it counts against no budget.',
    middleware: [admitCallerWithScope('run')],
    request: { params: idParams, body: describeJsonBody(documented(newProposal, 'NewProposal')) },
    responses: {
      200: describeJsonResponse('The wording', documented(wordingProposal, 'WordingProposal')),
      ...describeProblemResponses(
        ...bodyProblems,
        'not-found',
        'address-forbidden',
        'forbidden',
        'no-wording',
        'model-refused',
        'model-unreachable',
      ),
    },
  },
  async (c) => {
    const asked = c.req.valid('json');
    const { services, caller } = c.var;
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    const writer = await makeStoredWriter(asked, services.settings);
    const material = unwrap(await run.cases.collectWordingMaterial(asked, unitSightOfCaller(caller)));
    const { prompt, answer } = await services.askForWording(writer, material, asked.seed, c.var.admission);
    const { tools, leftOut } = readWordingAnswer(requireUsableAnswer(answer), material.tools);
    if (Object.keys(tools).length === 0) {
      const reasons = leftOut.map(({ tool, part, reason }) => `${tool}${part === null ? '' : ` (${part})`}: ${reason}`);
      throw refusal(
        'no-wording',
        `the model proposes no change${reasons.length === 0 ? '' : `; ${reasons.join(', ')}`}`,
      );
    }
    const writtenFrom = {
      evaluation: c.req.valid('param').id,
      units: [...material.units.seen],
      model: writer.model,
      prompt,
      offline: services.settings.OFFLINE_MODELS && writer.key.kind === 'deployment',
    };
    const proposed = overlay.parse({ name: asked.name, tools, writtenFrom });
    return c.json(
      {
        benchmark: material.benchmark,
        overlay: proposed,
        asked: [...material.troubles],
        leftOut: [...leftOut],
        seen: { units: material.units.seen.length, of: material.units.of, attempts: material.attempts },
        usage: sumUsageOfCalls(answer.calls),
      },
      200,
    );
  },
);

/** Returns the model that writes, as a run would store it, with the price that counts. */
async function makeStoredWriter({ model, endpoint }: NewProposal, settings: Settings): Promise<StoredModel> {
  const choice = model === undefined || endpoint === undefined ? undefined : { ...endpoint, model };
  const stored = await prepareModelForStorage('writer', choice, settings);
  return modelWithListPriceIfUnpriced({ ...stored, model: model ?? stored.model }, new Date());
}

/** Returns what a model answered; refuses where its endpoint does not answer, or its answer has not the form that it should. */
function requireUsableAnswer(answer: Answer<WordingAnswer>): WordingAnswer {
  if (answer.ok) return answer.value;
  if (answer.reason === 'unusable')
    throw refusal('no-wording', `the answer of the model is ${answer.cause}: ${answer.detail}`);
  const { code, detail } = answer.fault;
  throw refusal(code === 'http-status' || code === 'out-of-credit' ? 'model-refused' : 'model-unreachable', detail);
}

export const wordingEndpoints: readonly Endpoint[] = [proposeWording];
