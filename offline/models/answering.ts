import { takeTurn } from './agents/agent.ts';
import { skills } from './agents/skill.ts';
import { auditPair } from './critic.ts';
import { writeFuzzyRequest } from './fuzzy.ts';
import type { Form } from './form.ts';
import { judgeForms } from './judge.ts';
import { readStablePromptText, variablesOf } from './prompt.ts';
import { RequestError, type ChatRequest, type Reply } from './protocol.ts';
import { diceFor } from './seeded.ts';
import { answerForUser } from './simulated-user.ts';
import { summarizeServer } from './summary.ts';
import { gradeTask } from './task-quality.ts';
import type { Cards } from './tools.ts';
import { writeVariant } from './variants.ts';
import { writeCatalogPairs, writePair, writeRefinement, writeScenario } from './writer.ts';

const writerForms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['scenario', writeScenario],
  ['variant', writeVariant],
  ['metamorphic-pair', writePair],
  ['catalog-pairs', writeCatalogPairs],
  ['refinement', writeRefinement],
  ['fuzzy-request', writeFuzzyRequest],
]);

/**
 * A writer that ignores which transitions are known. It is the control for the offline writer, which looks for unknown
 * ones by construction.
 */
export const blindWriterName = 'offline-writer-blind';

const ignoreKnown =
  (form: Form): Form =>
  (variables, cards, dice) =>
    form(new Map([...variables, ['known', []]]), cards, dice);

/** Any model answers a test of the connection. */
const answerTest: Form = (variables) => ({
  ready: true,
  sample: { kind: 'word', word: String(variables.get('word')) },
  remarks: [],
});

const withTest = (own: ReadonlyMap<string, Form>): ReadonlyMap<string, Form> =>
  new Map([...own, ['preflight', answerTest]]);

/** The forms that a model fills in, by the name of the response format. */
const forms: ReadonlyMap<string, ReadonlyMap<string, Form>> = new Map([
  ['offline-writer', withTest(writerForms)],
  [blindWriterName, withTest(new Map([...writerForms].map(([name, form]) => [name, ignoreKnown(form)])))],
  [
    'offline-critic',
    withTest(
      new Map<string, Form>([
        ['audit', auditPair],
        ['server-summary', summarizeServer],
        ['task-quality', gradeTask],
        ['user-answer', answerForUser],
      ]),
    ),
  ],
  ['offline-judge', withTest(judgeForms('even'))],
  ['offline-judge-lenient', withTest(judgeForms('lenient'))],
  ['offline-judge-strict', withTest(judgeForms('strict'))],
]);

/** The model that turns texts into vectors. */
export const embedderName = 'offline-embedder';

/** Every model that the endpoint serves. */
export const modelNames: readonly string[] = [...forms.keys(), ...skills.keys(), embedderName];

/** Returns the model that fills in a form; undefined if none does. */
export const findModelOfForm = (form: string): string | undefined =>
  [...forms].find(([, filled]) => filled.has(form))?.[0];

/** Answers a chat request. It knows only the request. */
export const replyToChatOrThrow = (request: ChatRequest, cards: Cards): Reply => {
  const skill = skills.get(request.model);
  if (skill !== undefined) return takeTurn(request, skill, cards);
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
  const dice = diceFor(request.model, readStablePromptText(request.messages), request.seed ?? 0);
  return { text: JSON.stringify(form(variablesOf(request.messages), cards, dice)) };
};
