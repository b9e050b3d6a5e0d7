import { describe, expect, test } from 'vitest';
import { makeEndpoint } from '#adapters/model/endpoint.ts';
import { askTestQuestionAndReportLearnt, type TestQuestion } from '#adapters/model/try-model.ts';
import type { ModelConfig } from '#adapters/model/openai.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { verdictAndDetailOfTrial } from '#core/models/preflight.ts';
import { dialectsToSet, profileNamed, profiles } from '../support/endpoints/profiles.ts';
import type { Profile } from '../support/endpoints/profile.ts';
import { serveProfile, type ServedProfile } from '../support/endpoints/serve.ts';

const functions = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    name: `files__read_${at}`,
    description: 'Reads a file',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  }));
const turn = (count: number): TestQuestion => ({
  kind: 'turn',
  loop: 'function-calling',
  variables: { request: 'Call any one of your tools', date: 'Monday, 2026-11-23', instructions: [] },
  functions: functions(count),
  parallelCalls: true,
});

const ask = (
  served: ServedProfile,
  { model, baseUrl: published }: Profile,
  question: TestQuestion,
  changes: Partial<ModelConfig> = {},
) => {
  const baseUrl = changes.baseUrl ?? published;
  const config = { baseUrl, apiKey: 'sk-test', model, timeoutMs: 5_000, maxCompletionTokens: 16_000, ...changes };
  const admission = new Admission();
  const fetch = makeGuardedFetch({ admission, allowLocal: true, maxBytes: 1_000_000, fetch: served.fetchFor(baseUrl) });
  const endpoint = makeEndpoint('agent', config, { admission, fetch, maxRetries: 1, sleep: async () => undefined });
  return askTestQuestionAndReportLearnt(endpoint, config, question);
};

async function withProfile<T>(profile: Profile, use: (served: ServedProfile) => Promise<T>): Promise<T> {
  const served = await serveProfile(profile);
  try {
    return await use(served);
  } finally {
    await served.close();
  }
}

describe.each(profiles)('$name', (profile) => {
  test('calls a function when it is asked to', async () => {
    const { trial } = await withProfile(profile, (served) =>
      ask(served, profile, turn(2), { dialect: dialectsToSet.get(profile.name)?.own }),
    );
    expect(trial).toEqual({ kind: 'answered', called: true });
  });

  test('refuses nothing in a run that begins with what its test question learnt', async () => {
    const dialect = dialectsToSet.get(profile.name)?.behind;
    const at = (path: string) => {
      const url = new URL(profile.baseUrl);
      url.host = `${profile.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.${path}.example.com`;
      return url.href;
    };
    await withProfile(profile, async (served) => {
      const { learnt } = await ask(served, profile, turn(2), { baseUrl: at('tested'), dialect });
      const before = served.refusals.length;
      // Another address, of which this process has learnt nothing.
      const { trial } = await ask(served, profile, turn(2), { baseUrl: at('run'), dialect, learnt });
      expect(trial).toEqual({ kind: 'answered', called: true });
      // Room within a window depends on the conversation.
      if (profile.name !== 'vLLM (16k window, thinks aloud)') expect(served.refusals.length).toBe(before);
    });
  });
});

test('a revoked key is refused in the words of the provider, without the key', async () => {
  const profile = profileNamed('OpenAI gpt-5.4');
  const { trial } = await withProfile(profile, (served) => ask(served, profile, turn(1), { apiKey: 'revoked-key' }));
  expect(verdictAndDetailOfTrial(trial, { offered: 1, tooMany: null })).toEqual({
    verdict: 'refused',
    detail: 'HTTP status 401 (invalid_api_key): "Incorrect API key provided."',
  });
});

test('more functions than an unknown endpoint takes are refused with both numbers and the loop that can', async () => {
  const profile = profileNamed('OpenAI gpt-5.4');
  const { trial } = await withProfile(profile, (served) =>
    ask(served, profile, turn(129), { baseUrl: 'https://capped.gateway.example.com/v1' }),
  );
  const { verdict, detail } = verdictAndDetailOfTrial(trial, { offered: 129, tooMany: 'route' });
  expect(verdict).toBe('refused');
  expect(detail).toMatch(/129 functions.*maximum length 128.*`routing`/);
});
