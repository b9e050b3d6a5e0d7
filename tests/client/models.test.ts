import { expect, test } from 'vitest';
import type { ModelCheck } from '#core/models/preflight.ts';
import { noUsage } from '#core/models/usage.ts';
import { fakeApi, json } from './fake-api.ts';
import { runVerb } from './run-verb.ts';

const check: ModelCheck = {
  roles: ['writer', 'critic'],
  kind: 'form',
  model: 'mistral-large',
  host: 'api.mistral.ai',
  wire: 'chat',
  verdict: 'works',
  detail: null,
  structuredOutput: 'schema',
  functions: null,
  adaptations: ['seed: none'],
  listed: true,
  nearest: [],
  priced: false,
  usage: { ...noUsage, calls: 1, promptTokens: 300, completionTokens: 20 },
};
const refused: ModelCheck = {
  ...check,
  roles: ['agent'],
  kind: 'turn',
  verdict: 'refused',
  detail: 'HTTP status 401: "Invalid key"',
  structuredOutput: null,
  functions: { offered: 1, called: false },
  adaptations: [],
};

test('"models check" prints a table, and ends with exit code 1 where a role cannot work', async () => {
  await using api = await fakeApi(
    json({ works: true, models: [check] }),
    json({ works: false, models: [check, refused] }),
  );
  const { lines } = await runVerb(api, 'models', 'check', '--role', 'writer', '--role', 'critic');
  expect(lines.map((line) => line.split(/\s{2,}/))).toEqual([
    ['role', 'model', 'endpoint', 'wire', 'form', 'tools', 'adapted', 'listed', 'price', 'tokens', 'verdict'],
    [
      'writer, critic',
      'mistral-large',
      'api.mistral.ai',
      'chat',
      'schema',
      '-',
      'seed: none',
      'yes',
      'no',
      '320',
      'works',
    ],
  ]);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({ roles: ['writer', 'critic'] });
  await expect(runVerb(api, 'models', 'check')).rejects.toThrow('a model cannot do what its role needs');
});

test('"models check" checks another endpoint in the roles that are named', async () => {
  await using api = await fakeApi(json({ works: true, models: [check] }));
  const address = ['--base-url', 'https://api.mistral.ai/v1', '--model', 'mistral-large'];
  const { lines } = await runVerb(api, 'models', 'check', '--json', '--role', 'agent', '--loop', 'routing', ...address);
  expect(JSON.parse(lines[0] ?? '')).toEqual({ works: true, models: [check] });
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({
    roles: ['agent'],
    models: { agent: { baseUrl: 'https://api.mistral.ai/v1', model: 'mistral-large' } },
    loop: 'routing',
  });
  await expect(runVerb(api, 'models', 'check', '--model', 'm')).rejects.toThrow('--base-url and --model together');
});
