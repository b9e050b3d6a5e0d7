import { makeOpenAiModels, type ModelConfig } from '#adapters/model/openai.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { prompts } from '#adapters/prompts/index.ts';
import type { ToolConnections } from '#core/ports.ts';
import type { Profile } from './profile.ts';
import type { ServedProfile } from './serve.ts';

/** Tools whose calls all succeed. */
export const connections: ToolConnections = {
  call: async () => ({ kind: 'success', text: 'a line', truncated: false, sha256: 'a'.repeat(64) }),
};

/** Models at a stand-in, under an address. */
export function modelsAt(served: ServedProfile, profile: Profile, baseUrl: string, dialect?: ModelConfig['dialect']) {
  const config: ModelConfig = {
    baseUrl,
    apiKey: 'sk-test',
    model: profile.model,
    timeoutMs: 5_000,
    maxCompletionTokens: 16_000,
    dialect,
  };
  const admission = new Admission();
  const fetch = makeGuardedFetch({ admission, allowLocal: true, maxBytes: 1_000_000, fetch: served.fetchFor(baseUrl) });
  const { answerForm, repair } = prompts;
  return makeOpenAiModels(
    { writer: config, agent: config },
    { admission, fetch, answerForm, repair, sleep: async () => undefined },
  );
}
