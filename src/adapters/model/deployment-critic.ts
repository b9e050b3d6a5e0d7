import type { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { prompts } from '#adapters/prompts/index.ts';
import { deploymentModelOfRole, type Settings } from '#adapters/settings.ts';
import type { ToolCategory } from '#core/catalog/tool-categories.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { Questioner } from '#core/ports.ts';
import { askForCategories } from './ask-categories.ts';
import { askForServerSummary } from './ask-server-summary.ts';
import { makeOpenAiModels, modelAnswerBounds } from './openai.ts';

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
