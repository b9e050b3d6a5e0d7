import { expect, test } from 'vitest';
import { getDeploymentVectorIndex, deploymentModelOfRole, settingsSchema } from '#adapters/settings.ts';
import { workerSettings } from '../support/worker-settings.ts';

const general = workerSettings({
  servers: 'http://127.0.0.1:1',
  hosts: 'http://127.0.0.1:5',
  models: 'http://127.0.0.1:2',
  indexes: 'http://127.0.0.1:3',
  redis: 'http://127.0.0.1:4',
});

test.each(['writer', 'critic', 'agent', 'judge', 'embedder'] as const)('the %s has its own settings', (role) => {
  const prefix = role.toUpperCase();
  const settings = settingsSchema.parse({
    ...general,
    [`${prefix}_BASE_URL`]: 'https://own.example.com/v1',
    [`${prefix}_API_KEY`]: 'own-key',
    [`${prefix}_PROMPT_PRICE_PER_MTOK`]: '0',
    [`${prefix}_COMPLETION_PRICE_PER_MTOK`]: '4',
  });
  expect(deploymentModelOfRole(settings, role)).toEqual({
    model: `test-${role}`,
    baseUrl: 'https://own.example.com/v1',
    apiKey: 'own-key',
    promptPricePerMTok: 0,
    completionPricePerMTok: 4,
  });
});

test('a role without its own settings has the general ones', () => {
  expect(deploymentModelOfRole(settingsSchema.parse(general), 'judge')).toEqual({
    model: 'test-judge',
    baseUrl: general['OPENAI_BASE_URL'],
    apiKey: 'key-of-the-deployment',
    promptPricePerMTok: 1,
    completionPricePerMTok: 2,
  });
});

test('a role has the general prices of caches only with the general price of prompts', () => {
  const priced = { ...general, CACHED_PRICE_PER_MTOK: '0.1', CACHE_WRITE_PRICE_PER_MTOK: '1.25' };
  expect(deploymentModelOfRole(settingsSchema.parse(priced), 'agent')).toMatchObject({
    cachedPricePerMTok: 0.1,
    cacheWritePricePerMTok: 1.25,
  });
  const own = deploymentModelOfRole(
    settingsSchema.parse({ ...priced, AGENT_PROMPT_PRICE_PER_MTOK: '4', AGENT_CACHED_PRICE_PER_MTOK: '2' }),
    'agent',
  );
  expect(own).toMatchObject({ promptPricePerMTok: 4, cachedPricePerMTok: 2 });
  expect(own).not.toHaveProperty('cacheWritePricePerMTok');
});

test('a role has a dialect if it is one', () => {
  const settings = settingsSchema.parse({ ...general, WRITER_DIALECT: '{"tokenLimit":"max_tokens"}' });
  expect(deploymentModelOfRole(settings, 'writer')).toMatchObject({ dialect: { tokenLimit: 'max_tokens' } });
  for (const wrong of ['{"tokenLimit":"tokens"}', '{"token":1}', 'max_tokens'])
    expect(settingsSchema.safeParse({ ...general, WRITER_DIALECT: wrong }).success).toBe(false);
});

test("a role's own endpoint does not get the general key", () => {
  const settings = settingsSchema.parse({ ...general, EMBEDDER_BASE_URL: 'https://own.example.com/v1' });
  expect(deploymentModelOfRole(settings, 'embedder').apiKey).toBe('');
});

test('an index needs both an address and a token', () => {
  const url = { UPSTASH_VECTOR_REST_URL: 'https://own.upstash.io' };
  const token = { UPSTASH_VECTOR_REST_TOKEN: 'own-token' };
  const index = (more: object) => getDeploymentVectorIndex(settingsSchema.parse({ ...general, ...more }));
  expect(index({})).toBeUndefined();
  expect(index({ ...url, ...token })).toEqual({ url: 'https://own.upstash.io', token: 'own-token' });
  expect(() => index(url)).toThrow('belong together');
  expect(() => index(token)).toThrow('belong together');
});
