import { expect, test } from 'vitest';
import type { DialectSetting } from '#core/models/dialect.ts';
import { fetchWhetherModelIsListed } from '#adapters/model/model-offer.ts';

const asked: { url: string; headers: Headers }[] = [];
const listing = (...ids: string[]) => Response.json({ data: ids.map((id) => ({ id })) });
const lookUp = (baseUrl: string, model: string, answer: Response, dialect?: DialectSetting) =>
  fetchWhetherModelIsListed({ baseUrl, apiKey: 'k', model, dialect }, async (url, init) => {
    asked.push({ url: String(url), headers: new Headers(init?.headers) });
    return answer;
  });

test.each([
  ['https://models.example.com/v1', 'm', listing('m'), 'offered'],
  ['https://models.example.com/v1/', 'm', listing('n'), 'missing'],
  ['https://models.example.com/v1', 'm', new Response(null, { status: 401 }), 'unknown'],
  ['https://models.example.com/v1', 'm', new Response('no list'), 'unknown'],
  // Gemini's list names models in another way than requests do, and so does Ollama's.
  [
    'https://generativelanguage.googleapis.com/v1beta/openai',
    'gemini-3.5-flash',
    listing('models/gemini-3.5-flash'),
    'offered',
  ],
  ['http://localhost:11434/v1', 'qwen3', listing('qwen3:latest'), 'offered'],
  // Variants are not listed, deployments are not models, and a list may want other headers.
  ['https://openrouter.ai/api/v1', 'openai/gpt-5.4:nitro', listing('openai/gpt-5.4'), 'unknown'],
  ['https://x.openai.azure.com/openai/v1', 'my-deployment', listing('gpt-5.4'), 'unknown'],
  ['https://api.anthropic.com/v1', 'claude-sonnet-5', new Response(null, { status: 401 }), 'unknown'],
] as const)('%s has %s: %s', async (baseUrl, model, answer, kind) => {
  expect(await lookUp(baseUrl, model, answer)).toMatchObject({ kind });
});

test('a list is requested with the query of the address and the header of the dialect', async () => {
  const dialect = { authentication: 'api-key' } as const;
  await lookUp('https://models.example.com/v1?api-version=1', 'm', listing('m'), dialect);
  expect(asked.at(-1)?.url).toBe('https://models.example.com/v1/models?api-version=1');
  expect(asked.at(-1)?.headers.get('api-key')).toBe('k');
  expect(asked.at(-1)?.headers.get('authorization')).toBeNull();
});
