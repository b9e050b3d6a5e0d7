import { expect, test } from 'vitest';
import { askForWording } from '#adapters/model/ask-for-wording.ts';
import type { Questioner } from '#core/ports.ts';
import type { WordingMaterial } from '#core/reports/wording-proposal/question.ts';
import { readWordingAnswer } from '#core/reports/wording-proposal/read-answer.ts';
import { replyToChatOrThrow } from '../../offline/models/answering.ts';
import { chatRequest } from '../../offline/models/protocol.ts';
import { testCards } from './models-cards.ts';

/** The offline writer behind the question as the product asks it. */
const writer: Questioner = {
  async askForJson({ prompt, form, schema, seed }) {
    const reply = replyToChatOrThrow(
      chatRequest.parse({
        model: 'offline-writer',
        messages: prompt.messages,
        seed,
        response_format: { type: 'json_schema', json_schema: { name: form } },
      }),
      testCards,
    );
    return { ok: true, value: schema.parse(JSON.parse('text' in reply ? reply.text : '')), calls: [] };
  },
};

const trouble = (tool: string) => ({ tool, expected: 4, missed: 3, taken: 0, calls: 1, failed: 0, commonError: null });
const tools = [
  {
    name: 'notes/append_note',
    description: 'Adds text to a note.',
    inputSchema: {
      type: 'object',
      required: ['note', 'text'],
      properties: {
        note: { type: 'integer' },
        text: { type: 'string', description: 'What to add' },
        mode: { enum: ['a', 'b'] },
      },
    },
  },
  { name: 'notes/wipe', title: 'Wipe', inputSchema: { type: 'object' } },
];
const material: WordingMaterial = {
  benchmark: 'bm_1',
  units: { seen: ['u_1'], of: 2 },
  attempts: 4,
  troubles: tools.map(({ name }) => trouble(name)),
  confusions: [
    {
      expected: 'notes/append_note',
      called: 'notes/add_note',
      attempts: { count: 2, of: 4, share: 0.5, interval: null },
      units: [],
    },
  ],
  tools,
  siblings: [{ name: 'notes/add_note', description: 'Creates a note. It is fast.' }],
  examples: [],
};

test('the offline writer says what a tool needs, what it is not, and what its arguments are', async () => {
  const answer = await askForWording(writer, material, 1);
  if (!answer.ok) throw new Error(answer.reason);
  const { tools: changed, leftOut } = readWordingAnswer(answer.value, tools);
  expect(leftOut).toEqual([]);
  expect(changed['notes/append_note']).toMatchObject({
    title: 'Append note',
    description: 'Adds text to a note. It needs note, text. It is not add_note: Creates a note.',
    inputSchema: {
      properties: {
        note: { type: 'integer', description: 'The note, an integer' },
        text: { description: 'What to add' },
        mode: { description: 'The mode, one of "a", "b"' },
      },
    },
  });
  expect(changed['notes/wipe']).toEqual({ description: 'Wipe.' });
  const reworded = tools.map(({ inputSchema, ...tool }) => ({
    ...tool,
    ...changed[tool.name],
    name: tool.name,
    inputSchema: changed[tool.name]?.inputSchema ?? inputSchema,
  }));
  const again = await askForWording(writer, { ...material, tools: reworded }, 1);
  expect(again.ok && readWordingAnswer(again.value, reworded)).toEqual({ tools: {}, leftOut: [] });
});
