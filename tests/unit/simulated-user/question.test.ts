import { describe, expect, test } from 'vitest';
import {
  acceptedAnswerValuesOrRefusal,
  answerableSchema,
  declineReasonTextOrNull,
  namesSecret,
  parseQuestionToUserOrNull,
  type UserAnswer,
} from '#core/models/simulated-user/question.ts';
import type { JsonObject } from '#core/values/json-schema/json-object.ts';

const form = (properties: JsonObject, required: readonly string[] = []) => ({
  message: 'Please fill this in.',
  schema: { type: 'object', properties, required },
});

describe('what a server asks', () => {
  test('is a form, also where it does not say so', () => {
    const requestedSchema = { type: 'object', properties: {} };
    const params = { message: 'Sure?', requestedSchema };
    expect(parseQuestionToUserOrNull({ method: 'elicitation/create', params })).toEqual({
      message: 'Sure?',
      schema: requestedSchema,
    });
  });

  test.each([
    ['a model', { method: 'sampling/createMessage', params: { messages: [] } }],
    ['folders', { method: 'roots/list' }],
    ['nothing', null],
    ['a form without words', { method: 'elicitation/create', params: { requestedSchema: {} } }],
  ])('is no question if it wants %s', (_name, asked) => {
    expect(parseQuestionToUserOrNull(asked)).toBeNull();
  });

  test('is never answered if it sends its user to an address', () => {
    const params = { mode: 'url', message: 'Sign in', url: 'https://example.com', elicitationId: 'e1' };
    const question = parseQuestionToUserOrNull({ method: 'elicitation/create', params });
    expect(question && declineReasonTextOrNull(question)).toBe('it sends the user to an address');
  });

  test.each([
    ['it asks for a secret', form({ password: { type: 'string' } }, ['password'])],
    ['it asks for a secret', form({ value: { type: 'string', description: 'Your API key' } }, ['value'])],
    ['it asks for a secret', { ...form({ value: { type: 'string' } }), message: 'Enter your one-time code.' }],
    ['it wants no values', form({})],
    ['it is too long', { ...form({ a: { type: 'string' } }), message: 'x'.repeat(8_001) }],
    ['it is too long', form({ a: { type: 'string', description: 'x'.repeat(16_000) } })],
  ])('is never answered if %s: %#', (why, question) => {
    expect(declineReasonTextOrNull(question)).toBe(why);
  });

  test('may be answered without the secrets that it does not need', () => {
    const question = form({ city: { type: 'string' }, apiToken: { type: 'string' } }, ['city']);
    expect(declineReasonTextOrNull(question)).toBeNull();
    expect(answerableSchema(question.schema)).toMatchObject({ properties: { city: { type: 'string' } } });
    expect(JSON.stringify(answerableSchema(question.schema))).not.toContain('apiToken');
  });
});

test.each([
  'apiKey',
  'passphrase',
  'credit_card',
  'CVV',
  'one-time password',
  'Your PIN',
  'client secret',
  'accessToken',
])('"%s" names a secret', (text) => {
  expect(namesSecret(text)).toBe(true);
});

test.each(['passenger', 'key points', 'spinach', 'compass', 'opinion', 'account'])('"%s" names no secret', (text) => {
  expect(namesSecret(text)).toBe(false);
});

describe('an answer', () => {
  const request = 'Book a table for four at Luigi\nat 19:30, please.';
  const { schema } = form(
    { guests: { type: 'integer', maximum: 12 }, place: { type: 'string' }, pinCode: { type: 'string' } },
    ['guests'],
  );
  const answer = (...answers: UserAnswer['answers']) =>
    acceptedAnswerValuesOrRefusal(schema, { why: '', answers }, request);

  test('gives what the request states, by its own words', () => {
    expect(
      answer(
        { field: 'guests', value: 4, quote: 'for FOUR' },
        { field: 'place', value: 'Luigi', quote: 'at Luigi at' },
      ),
    ).toEqual({ ok: true, value: { guests: 4, place: 'Luigi' } });
  });

  test('leaves out what the request does not say, what was not asked, and secrets', () => {
    expect(
      answer(
        { field: 'guests', value: 4, quote: 'for four' },
        { field: 'place', value: 'Mario', quote: 'at Mario' },
        { field: 'city', value: 'Rome', quote: 'Book a table' },
        { field: 'pinCode', value: '1930', quote: '19:30' },
      ),
    ).toEqual({ ok: true, value: { guests: 4 } });
  });

  test('is refused if the request says nothing of it', () => {
    expect(answer({ field: 'guests', value: 2, quote: 'for two' })).toEqual({
      ok: false,
      problem: 'the request does not say',
    });
    expect(answer({ field: 'guests', value: 2, quote: ' ' })).toMatchObject({ ok: false });
    expect(answer()).toMatchObject({ ok: false });
  });

  test('is refused if it does not fit the schema', () => {
    expect(answer({ field: 'guests', value: 40, quote: 'for four' })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^the answer does not fit: /),
    });
    expect(answer({ field: 'place', value: 'Luigi', quote: 'Luigi' })).toMatchObject({ ok: false });
  });
});
