import { expect, test } from 'vitest';
import { agentChoice, configurationOfAgent, storedAgent } from '#core/evaluation/config.ts';
import { overlayWithHash, overlay } from '#core/evaluation/overlay/overlay.ts';
import { configurationDigest } from '#core/leaderboards/submissions/trace-file.ts';

const model = {
  baseUrl: 'https://models.example.com/v1',
  model: 'm-1',
  key: { kind: 'deployment' },
  promptPricePerMTok: 0,
  completionPricePerMTok: 0,
};
const identityOf = (limits: Readonly<Record<string, number>>) => {
  const chosen = agentChoice.parse({ name: 'one', loop: 'function-calling', model: 'm-1', limits });
  return configurationOfAgent(storedAgent.parse({ ...chosen, model }));
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
  const identity = (more: object) =>
    configurationOfAgent(storedAgent.parse({ ...chosen, model: { ...model, ...more } }));
  expect(identity({ dialect: { effort: 'high' } })).toMatchObject({ dialect: { effort: 'high' } });
  expect(identity({})).not.toHaveProperty('dialect');
  expect(identity({ promptPricePerMTok: 2, cachedPricePerMTok: 1 }).prices).toEqual({
    promptPricePerMTok: 2,
    completionPricePerMTok: 0,
    cachedPricePerMTok: 1,
  });
});

test('the hash of an overlay is a part of the identity of a model agent and of an external one, its name is not', async () => {
  const identity = async (name: string, title: string, choice: object) => {
    const made = await overlayWithHash(overlay.parse({ name, tools: { 'notes/add': { title } } }));
    const stored = storedAgent.parse({ ...agentChoice.parse({ name: 'one', ...choice }), model, overlay: made });
    return configurationOfAgent(stored);
  };
  for (const choice of [{ loop: 'function-calling', model: 'm-1' }, { loop: 'external' }]) {
    const first = await identity('first', 'A', choice);
    expect(first.overlay).toMatch(/^[0-9a-f]{64}$/);
    expect(await configurationDigest(await identity('second', 'A', choice))).toBe(await configurationDigest(first));
    expect(await configurationDigest(await identity('first', 'B', choice))).not.toBe(await configurationDigest(first));
  }
});

test('an agent that knows nothing takes no overlay', () => {
  const blind = { name: 'one', loop: 'null', policy: 'call-everything', overlay: { name: 'x', first: ['a/b'] } };
  expect(agentChoice.safeParse(blind).success).toBe(false);
});
