import { describe, expect, it } from 'vitest';
import { prompts, render } from '#adapters/prompts/index.ts';
import { rubricAnswer } from '#core/scoring/rubric.ts';
import { shuffleRubric } from '#core/scoring/rubric-parts.ts';
import { replyToChatOrThrow } from '../../offline/models/answering.ts';
import { chatRequest } from '../../offline/models/protocol.ts';
import { testCards } from './models-cards.ts';

interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly outcome?: 'success' | 'failure';
  readonly result: string;
}

const task =
  'First, compute the SHA-256 checksum of "blue heron", then save the SHA-256 digest under the path "a.txt", and finally raise 2 to the power of 7.';
const hash: Call = {
  tool: 'calc/hash_text',
  arguments: { text: 'blue heron', algorithm: 'sha256' },
  result: 'digest: 5d4c01ab',
};
const save: Call = {
  tool: 'files/write_note',
  arguments: { content: '5d4c01ab', path: 'a.txt' },
  result: '{"path": "a.txt"}',
};
const power: Call = { tool: 'calc/power_of', arguments: { base: 2, exponent: 7 }, result: '128' };
const told = [
  'I was to compute the SHA-256 checksum of "blue heron", and got: digest: 5d4c01ab',
  'I was to save the SHA-256 digest under the path "a.txt", and got: {"path": "a.txt"}',
  'I was to raise 2 to the power of 7, and got: 128',
].join('\n');

/** The marks of the offline judge for the prompt as the product renders it. */
function marksOf(rounds: readonly (readonly Call[])[], response: string): Readonly<Record<string, number>> {
  const { messages } = render(prompts.judgeRubric, {
    request: task,
    task,
    dependencies: '',
    tools: [],
    rounds: rounds.map((calls, at) => ({
      round: at + 1,
      calls: calls.map((call) => ({ call: at + 1, outcome: 'success', ...call })),
    })),
    leftOut: 'none',
    response,
    rubric: shuffleRubric(task, 3),
  });
  const response_format = { type: 'json_schema', json_schema: { name: 'rubric', strict: true, schema: {} } };
  const reply = replyToChatOrThrow(
    chatRequest.parse({ model: 'offline-judge', seed: 1, messages, response_format }),
    testCards,
  );
  if (!('text' in reply)) throw new Error('no marks');
  const { marks } = rubricAnswer.parse(JSON.parse(reply.text));
  return Object.fromEntries(marks.map(({ part, mark }) => [part, mark]));
}

describe('the offline judge by the rubric', () => {
  it('has high marks for right calls in two rounds and an answer that reports them', () => {
    const marks = marksOf([[hash, power], [save]], told);
    for (const mark of Object.values(marks)) expect(mark).toBeGreaterThanOrEqual(9);
  });

  it('has low marks for no calls and an invented answer', () => {
    const marks = marksOf([], 'I raised 2 to the power of 7, and got: 4711');
    expect(marks['fulfilment']).toBeLessThanOrEqual(2);
    expect(marks).toMatchObject({ grounding: expect.any(Number), choice: 1, parameters: 1, order: 1, economy: 1 });
  });

  it('takes off for each fault on its own axis', () => {
    const best = marksOf([[hash, power], [save]], told);
    const failing = { ...power, outcome: 'failure', result: 'no' } as const;
    expect(marksOf([[hash, failing], [save]], told)['parameters']).toBeLessThan(best['parameters'] ?? 0);
    expect(marksOf([[hash, power, save]], told)['order']).toBeLessThan(best['order'] ?? 0);
    expect(marksOf([[hash, hash, hash, power], [save]], told)['economy']).toBeLessThan(best['economy'] ?? 0);
    expect(marksOf([[hash], [save], [power]], told)['economy']).toBeLessThan(best['economy'] ?? 0);
    expect(marksOf([[hash, power], [save]], `${told}\nIt also got: 99124`)['grounding']).toBeLessThan(
      best['grounding'] ?? 0,
    );
    expect(marksOf([[hash, power], [save]], told.split('\n')[0] ?? '')['fulfilment']).toBeLessThan(
      best['fulfilment'] ?? 0,
    );
  });
});
