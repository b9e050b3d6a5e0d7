import type { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { prompts, render } from '#adapters/prompts/index.ts';
import { type Settings, deploymentModelOfRole } from '#adapters/settings.ts';
import type { ToolCategory } from '#core/catalog/tool-categories.ts';
import { type Tool, toolNameWithoutServer } from '#core/catalog/tool.ts';
import type { Questioner } from '#core/ports.ts';
import { askForCategories } from './ask-categories.ts';
import { makeOpenAiModels, modelAnswerBounds } from './openai.ts';
import { z } from 'zod';
import { serverTextChars } from '#core/catalog/server-description.ts';

/** What the model sees of a server: this many tools, and characters of each description. */
const mostTools = 100;
const nameChars = 128;
const descriptionChars = 300;

const summaryAnswer = z.object({ summary: z.string().max(serverTextChars) });

/** Asks a model to describe a server by its tools; null without a usable answer. */
export async function askForServerSummary(
  model: Questioner,
  server: string,
  tools: readonly Pick<Tool, 'name' | 'description'>[],
  seed: number,
): Promise<string | null> {
  const answer = await model.askForJson({
    role: 'critic',
    prompt: render(prompts.serverSummary, {
      server,
      tools: tools.slice(0, mostTools).map(({ name, description = '' }) => ({
        name: toolNameWithoutServer(name).slice(0, nameChars),
        description: description.slice(0, descriptionChars),
      })),
    }),
    form: 'server-summary',
    schema: summaryAnswer,
    seed,
  });
  return answer.ok ? answer.value.summary : null;
}

/** A registration must not wait long for a model. */
const answerMs = 30_000;
const maxCompletionTokens = 8_000;
const seed = 1;

/** Makes the deployment's critic, which does not repeat a request that fails. */
function makeDeploymentCritic(settings: Settings, admission: Admission): Questioner {
  const fetch = makeGuardedFetch({ admission, allowLocal: settings.ALLOW_LOCAL_SERVERS, ...modelAnswerBounds });
  const timeoutMs = Math.min(settings.MODEL_TIMEOUT_MS, answerMs);
  return makeOpenAiModels(
    { critic: { ...deploymentModelOfRole(settings, 'critic'), timeoutMs, maxCompletionTokens } },
    { admission, fetch, answerForm: prompts.answerForm, repair: prompts.repair, maxRetries: 0 },
  );
}

/** Asks the deployment's critic for the categories of tools. Returns none where rules replace models. */
export async function askDeploymentForCategories(
  settings: Settings,
  tools: readonly Tool[],
  admission: Admission,
): Promise<ReadonlyMap<string, ToolCategory>> {
  if (settings.OFFLINE_MODELS || tools.length === 0) return new Map();
  return askForCategories(makeDeploymentCritic(settings, admission), tools, seed);
}

/** Asks the deployment's critic to describe a server by its tools; null without a usable answer. */
export const askDeploymentForServerSummary = (
  settings: Settings,
  server: string,
  tools: readonly Tool[],
  admission: Admission,
): Promise<string | null> => askForServerSummary(makeDeploymentCritic(settings, admission), server, tools, seed);
