import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { prompts, render } from '#adapters/prompts/index.ts';
import { replyToChatOrThrow } from '../../offline/models/answering.ts';
import { chatRequest } from '../../offline/models/protocol.ts';
import { testCards } from './models-cards.ts';

/** What an offline judge says to the prompt as the product renders it. */
function agrees(truth: string, response: string, model = 'offline-judge', request = 'What is it?'): boolean {
  const { messages } = render(prompts.judgeOutcome, { request, truth, response });
  const response_format = { type: 'json_schema', json_schema: { name: 'outcome', strict: true, schema: {} } };
  const reply = replyToChatOrThrow(chatRequest.parse({ model, seed: 1, messages, response_format }), testCards);
  if (!('text' in reply)) throw new Error('no verdict');
  return z.object({ why: z.string().min(1), agrees: z.boolean() }).parse(JSON.parse(reply.text)).agrees;
}

describe("the offline judge's verdict on an outcome", () => {
  it.each([
    ['128', 'I was to raise 2 to the power of 7, and got: 128'],
    ['The capital is Lisbon.', 'Lisbon is the capital.'],
    ['Yes, there are 3.', 'Yes: I counted 3.'],
    ['"blue heron"', 'It is called "blue heron".'],
  ])('takes %j and %j for the same', (truth, response) => {
    expect(agrees(truth, response)).toBe(true);
  });

  it.each([
    ['128', 'I was to raise 2 to the power of 7, and got: 129'],
    ['128', ''],
    ['The capital is Lisbon.', 'Porto is the capital.'],
    ['Yes, there are 3.', 'No: I counted 3.'],
    ['Yes', 'I could not find out.'],
    ['128', 'I was to raise 2 to the power of 7, but that failed: no such tool'],
  ])('takes %j and %j for different', (truth, response) => {
    expect(agrees(truth, response)).toBe(false);
  });

  it('needs no value that the request gives', () => {
    expect(agrees('In 2012 it was 7.', 'It was 7.', 'offline-judge', 'How much was it in 2012?')).toBe(true);
  });

  it('depends on the temper of the judge', () => {
    const [truth, response] = ['a tall grey wading bird', 'a tall grey bird'];
    expect(agrees(truth, response, 'offline-judge-lenient')).toBe(true);
    expect(agrees(truth, response, 'offline-judge-strict')).toBe(false);
  });
});
