import { expect, test } from 'vitest';
import { agentChoice, configurationOf, storedAgent } from '#core/evaluation/config.ts';
import { configurationDigest } from '#core/submissions/trace-file.ts';

const model = {
  baseUrl: 'https://models.example.com/v1',
  model: 'm-1',
  key: { kind: 'deployment' },
  promptPricePerMTok: 0,
  completionPricePerMTok: 0,
};
const identityOf = (limits: Readonly<Record<string, number>>) => {
  const chosen = agentChoice.parse({ name: 'one', loop: 'function-calling', model: 'm-1', limits });
  return configurationOf(storedAgent.parse({ ...chosen, model }));
};

test('a temperature is a part of the identity of an agent that has one, and of no other', async () => {
  expect(identityOf({ temperature: 0.7 }).limits).toMatchObject({ temperature: 0.7, turns: 20 });
  expect(identityOf({})).not.toHaveProperty('limits.temperature');
  const digests = await Promise.all(
    [{}, { temperature: 0 }, { temperature: 0.7 }].map(identityOf).map(configurationDigest),
  );
  expect(new Set(digests).size).toBe(3);
});

test('a temperature is refused beyond its range, and for an agent without a model', () => {
  for (const temperature of [-0.1, 2.1, Number.NaN])
    expect(
      agentChoice.safeParse({ name: 'one', loop: 'function-calling', model: 'm', limits: { temperature } }).success,
    ).toBe(false);
  const blind = { name: 'one', loop: 'null', policy: 'call-everything' };
  expect(agentChoice.safeParse(blind).success).toBe(true);
  expect(agentChoice.safeParse({ ...blind, limits: { temperature: 0.7 } }).success).toBe(false);
});

test('what a client says of an endpoint is a part of the identity of its agent', () => {
  const chosen = agentChoice.parse({ name: 'one', loop: 'function-calling', model: 'm-1' });
  const identity = (more: object) => configurationOf(storedAgent.parse({ ...chosen, model: { ...model, ...more } }));
  expect(identity({ dialect: { effort: 'high' } })).toMatchObject({ dialect: { effort: 'high' } });
  expect(identity({})).not.toHaveProperty('dialect');
  expect(identity({ promptPricePerMTok: 2, cachedPricePerMTok: 1 }).prices).toEqual({
    promptPricePerMTok: 2,
    completionPricePerMTok: 0,
    cachedPricePerMTok: 1,
  });
});
