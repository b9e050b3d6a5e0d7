import { describe, expect, test } from 'vitest';
import { parseCompletion } from '#adapters/model/completion.ts';
import { parseJsonOrLastObjectInText, splitOffThoughts } from '#adapters/model/find-json.ts';
import { parseUsage } from '#adapters/model/usage.ts';

const answer = (message: unknown, more: object = {}) => parseCompletion({ choices: [{ message, ...more }] });

describe('the JSON of an answer', () => {
  test.each([
    ['is the whole text', '{"n":1}'],
    ['may stand in a fence with words around it', 'Here:\n```json\n{"n":1}\n```\nDoes it fit?'],
    ['is the last object of several', 'First {"n":0}, no: {"n":1}'],
    ['may hold braces in its texts', 'So: {"n":1,"s":"}{\\"}"}'],
    ['is found behind a stray brace', 'I write {so to say: {"n":1}'],
    ['is found before a stray brace', '{"n":1} and {that is all'],
  ])('%s', (_what, text) => {
    expect(parseJsonOrLastObjectInText(text)).toMatchObject({ ok: true, value: { n: 1 } });
  });

  test.each(['no', '{"n":', '', '{{{{'])('is missing in %j', (text) => {
    expect(parseJsonOrLastObjectInText(text).ok).toBe(false);
  });

  test('is searched for in time, however many braces there are', () => {
    const begun = performance.now();
    parseJsonOrLastObjectInText('{"a":'.repeat(200_000));
    parseJsonOrLastObjectInText('{}}'.repeat(200_000));
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

describe('thoughts', () => {
  test.each([
    ['<think>Is it {"n":0}?</think>\n{"n":1}', '{"n":1}'],
    ['<thinking>hm</thinking>yes', 'yes'],
    ['begun in the prompt\n</think>\n\nyes', 'yes'],
    ['{"answer":"write </think> so"}', '{"answer":"write </think> so"}'],
    ['<think>never ends', '<think>never ends'],
    ['no thoughts', 'no thoughts'],
  ])('are no part of the answer: %j', (text, expected) => {
    expect(splitOffThoughts(text).answer).toBe(expected);
  });
});

describe('an answer', () => {
  test('may have its content in parts, of which the thoughts are none', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'yes ' },
      { type: 'text', text: 'it is' },
    ];
    expect(answer({ content })).toMatchObject({ content: 'yes it is', own: { message: { content } } });
  });

  test('may have arguments as an object, or none', () => {
    const calls = [{ function: { name: 'a', arguments: { x: 1 } } }, { function: { name: 'b' } }];
    expect(answer({ tool_calls: calls })?.toolCalls).toEqual([
      { id: 'call-1', name: 'a', argumentsText: '{"x":1}' },
      { id: 'call-2', name: 'b', argumentsText: '' },
    ]);
  });

  test('keeps what it has beside what we read, and nothing that endpoints refuse in requests', () => {
    const call = { id: 'c', type: 'function', function: { name: 'a', arguments: '{}' }, extra_content: { s: 1 } };
    const message = {
      role: 'assistant',
      content: '',
      refusal: null,
      annotations: [],
      reasoning_content: 'hm',
      tool_calls: [call],
    };
    expect(answer(message)?.own).toEqual({
      message: { reasoning_content: 'hm' },
      calls: [{ extra_content: { s: 1 } }],
    });
    expect(answer({ content: 'yes', refusal: null })?.own).toBeUndefined();
    expect(answer({ content: 'yes', reasoning: 'x'.repeat(500_000) })?.own).toBeUndefined();
  });
});

describe('the usage of an answer', () => {
  test('is read field by field', () => {
    expect(parseUsage({ prompt_tokens: null, completion_tokens: 7 })).toEqual({ completion: 7 });
    expect(parseUsage({ prompt_tokens: -1, completion_tokens: '7' })).toEqual({});
    expect(parseUsage('nothing')).toEqual({});
  });

  test('knows what was cached, written to the cache and thought', () => {
    const details = {
      prompt_tokens_details: { cached_tokens: 80, cache_write_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 4 },
    };
    const counts = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
    expect(parseUsage({ ...counts, ...details })).toEqual({
      prompt: 100,
      completion: 10,
      cached: 80,
      written: 10,
      reasoning: 4,
    });
    expect(parseUsage({ ...counts, prompt_cache_hit_tokens: 60 })).toMatchObject({ cached: 60 });
  });

  test('counts reasoning that only the total has', () => {
    expect(parseUsage({ prompt_tokens: 100, completion_tokens: 10, total_tokens: 150 })).toEqual({
      prompt: 100,
      completion: 50,
    });
  });
});
