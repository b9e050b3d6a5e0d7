import { makeAgentReply } from './agents/agent.ts';
import { findAgent } from './agents/habits.ts';
import { skills } from './agents/skill.ts';
import { answerAuditForm } from './critic.ts';
import { answerFuzzyRequestForm } from './fuzzy.ts';
import type { Form } from './form.ts';
import { formsOfJudge } from './judge.ts';
import { answerNegativeAuditForm, answerNegativePairForm } from './negative.ts';
import { promptTextForSeed, parsePromptVariables } from './prompt.ts';
import { RequestError } from '../request-error.ts';
import type { ChatRequest, Reply } from './protocol.ts';
import { answerWordingForm } from './rewording.ts';
import { makeDice } from './seeded.ts';
import { answerForUser } from './simulated-user.ts';
import { answerServerSummaryForm } from './summary.ts';
import { answerTaskQualityForm } from './task-quality.ts';
import type { Cards } from './tools.ts';
import { answerVariantForm } from './variants.ts';
import { answerCatalogPairsForm, answerPairForm, answerRefinementForm, answerScenarioForm } from './writer.ts';

const writerForms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['scenario', answerScenarioForm],
  ['variant', answerVariantForm],
  ['metamorphic-pair', answerPairForm],
  ['negative-pair', answerNegativePairForm],
  ['catalog-pairs', answerCatalogPairsForm],
  ['refinement', answerRefinementForm],
  ['fuzzy-request', answerFuzzyRequestForm],
  ['wording', answerWordingForm],
]);

/**
 * A writer that ignores which transitions are known. It is the control for the offline writer, which looks for unknown
 * ones by construction.
 */
export const blindWriterName = 'offline-writer-blind';

const makeFormBlindToTransitions =
  (form: Form): Form =>
  (variables, cards, dice) =>
    form(new Map([...variables, ['known', []]]), cards, dice);

/** Any model answers a test of the connection. */
const answerConnectionTest: Form = (variables) => ({
  ready: true,
  sample: { kind: 'word', word: String(variables.get('word')) },
  remarks: [],
});

const formsWithConnectionTest = (own: ReadonlyMap<string, Form>): ReadonlyMap<string, Form> =>
  new Map([...own, ['preflight', answerConnectionTest]]);

/** The forms that a model fills in, by the name of the response format. */
const forms: ReadonlyMap<string, ReadonlyMap<string, Form>> = new Map([
  ['offline-writer', formsWithConnectionTest(writerForms)],
  [
    blindWriterName,
    formsWithConnectionTest(new Map([...writerForms].map(([name, form]) => [name, makeFormBlindToTransitions(form)]))),
  ],
  [
    'offline-critic',
    formsWithConnectionTest(
      new Map<string, Form>([
        ['audit', answerAuditForm],
        ['negative-audit', answerNegativeAuditForm],
        ['server-summary', answerServerSummaryForm],
        ['task-quality', answerTaskQualityForm],
        ['user-answer', answerForUser],
      ]),
    ),
  ],
  ['offline-judge', formsWithConnectionTest(formsOfJudge('even'))],
  ['offline-judge-lenient', formsWithConnectionTest(formsOfJudge('lenient'))],
  ['offline-judge-strict', formsWithConnectionTest(formsOfJudge('strict'))],
]);

/** The model that turns texts into vectors. */
export const embedderName = 'offline-embedder';

/** Every model that the endpoint serves; agents besides with any habits in their names. */
export const modelNames: readonly string[] = [...forms.keys(), ...skills.keys(), embedderName];

/** Returns the model that fills in a form; undefined if none does. */
export const findModelOfForm = (form: string): string | undefined =>
  [...forms].find(([, filled]) => filled.has(form))?.[0];

/** Answers a chat request. It knows only the request. */
export const replyToChatOrThrow = (request: ChatRequest, cards: Cards): Reply => {
  const agent = findAgent(request.model);
  if (agent !== undefined && 'problem' in agent)
    throw new RequestError(404, `The model \`${request.model}\` does not exist. ${agent.problem}`, 'model_not_found');
  if (agent !== undefined) return makeAgentReply(request, agent, cards);
  const filled = forms.get(request.model);
  if (filled === undefined) {
    throw new RequestError(404, `The model \`${request.model}\` does not exist or does not chat.`, 'model_not_found');
  }
  const name = request.response_format?.type === 'json_schema' ? request.response_format.json_schema.name : '';
  const form = filled.get(name);
  if (form === undefined) {
    const known = [...filled.keys()].join(', ');
    throw new RequestError(400, `${request.model} fills in these forms only: ${known}. It was asked for \`${name}\`.`);
  }
  const dice = makeDice(request.model, promptTextForSeed(request.messages), request.seed ?? 0);
  return { text: JSON.stringify(form(parsePromptVariables(request.messages), cards, dice)) };
};
