import type { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { prompts, render } from '#adapters/prompts/index.ts';
import type { Settings } from '#adapters/settings.ts';
import type { Governor } from '#core/models/governor/port.ts';
import type { StoredModel } from '#core/models/choices.ts';
import { deriveModelSeedFromKeys } from '#core/models/seed.ts';
import type { Answer, Questioner } from '#core/ports.ts';
import { makeWordingQuestion, type WordingMaterial } from '#core/reports/wording-proposal/question.ts';
import { wordingAnswer, type WordingAnswer } from '#core/reports/wording-proposal/read-answer.ts';
import { decryptModelConfig } from './decrypt-model-config.ts';
import { makeOpenAiModels, modelAnswerBounds } from './openai.ts';

/** Asks a model for new texts of tools. */
export const askForWording = (
  model: Questioner,
  material: WordingMaterial,
  seed: number,
): Promise<Answer<WordingAnswer>> =>
  model.askForJson({
    role: 'writer',
    prompt: render(prompts.proposeWording, makeWordingQuestion(material)),
    form: 'wording',
    schema: wordingAnswer,
    seed: deriveModelSeedFromKeys(seed, 'wording'),
  });

/** Asks a writer for new texts of tools: the deployment's, or a client's, whose key is decrypted for this question only. */
export async function askWriterForWording(
  settings: Settings,
  writer: StoredModel,
  material: WordingMaterial,
  seed: number,
  { admission, governors }: { readonly admission: Admission; readonly governors: (name: string) => Governor },
): Promise<{ readonly prompt: string; readonly answer: Answer<WordingAnswer> }> {
  const fetch = makeGuardedFetch({ admission, allowLocal: settings.ALLOW_LOCAL_SERVERS, ...modelAnswerBounds });
  const config = await decryptModelConfig(settings, 'writer', writer);
  const { answerForm, repair } = prompts;
  const models = makeOpenAiModels({ writer: config }, { admission, fetch, governors, answerForm, repair });
  return { prompt: prompts.proposeWording.id, answer: await askForWording(models, material, seed) };
}
