import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { chooseCompletionTokenLimit } from '#adapters/model/compose-request.ts';
import { maxAnswerTokensOfForm } from '#core/evaluation/answer-tokens.ts';
import { dialectOfModel } from '#core/models/dialect.ts';

const settings = { address: 'a', model: 'm', maxCompletionTokens: 16_000 };
const thinking = dialectOfModel({ baseUrl: 'https://api.openai.com/v1', model: 'gpt-5.4' });
const plain = dialectOfModel({ baseUrl: 'https://api.openai.com/v1', model: 'gpt-4.1-mini' });
const asks = (name: string, room?: number) => ({
  messages: [],
  seed: 1,
  form: { format: 'schema' as const, name, schema: {} },
  ...(room === undefined ? {} : { room }),
});

describe('a question asks for', () => {
  test('what the form of its answer needs, and room for the thoughts of models that may think', () => {
    expect(chooseCompletionTokenLimit(asks('relevance'), settings, plain)).toBe(1_000);
    expect(chooseCompletionTokenLimit(asks('relevance'), settings, thinking)).toBe(9_000);
    expect(chooseCompletionTokenLimit(asks('catalog-pairs'), settings, thinking)).toBe(16_000);
  });

  test('all that an answer may have if there is no form', () => {
    expect(chooseCompletionTokenLimit({ messages: [], seed: 1 }, settings, thinking)).toBe(16_000);
    expect(chooseCompletionTokenLimit(asks('unheard-of'), settings, plain)).toBe(16_000);
  });

  test('twice that after an answer that was cut, and never for more than the endpoint takes', () => {
    expect(chooseCompletionTokenLimit(asks('relevance', 2), settings, plain)).toBe(32_000);
    expect(chooseCompletionTokenLimit(asks('relevance', 2), settings, { ...plain, mostCompletionTokens: 4_096 })).toBe(
      4_096,
    );
  });
});

test('every form that a question of the service has needs a number of its own', async () => {
  const sources = await Promise.all(
    ['workflows/steps', 'src/core/scoring', 'src/adapters/model'].map(async (folder) => {
      const files = await readdir(folder);
      return Promise.all(files.map((file) => readFile(`${folder}/${file}`, 'utf8')));
    }),
  );
  const forms = [
    ...sources
      .flat()
      .join('\n')
      .matchAll(/\bform: '([a-z-]+)'/g),
  ].map(([, form = '']) => form);
  expect(forms.length).toBeGreaterThan(12);
  expect(forms.filter((form) => maxAnswerTokensOfForm(form) === undefined)).toEqual([]);
});
