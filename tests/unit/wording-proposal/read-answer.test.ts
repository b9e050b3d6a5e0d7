import { describe, expect, test } from 'vitest';
import { findSizeProblemOfOverlays, overlay } from '#core/evaluation/overlay/overlay.ts';
import { readWordingAnswer, wordingAnswer, type WordingAnswer } from '#core/reports/wording-proposal/read-answer.ts';

const inputSchema = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string', description: 'What to write' },
    note: { type: 'integer', minimum: 1 },
    any: true,
  },
  additionalProperties: false,
};
const asked = [
  { name: 'notes/add', title: 'Add', description: 'Adds a note', inputSchema },
  { name: 'notes/append', description: 'Appends', inputSchema: { type: 'object' } },
];
const said = (more: Partial<WordingAnswer['tools'][number]> = {}): WordingAnswer => ({
  tools: [{ n: 1, title: null, description: null, arguments: [], ...more }],
});

describe('what a model answers about the wording of tools', () => {
  test('becomes an overlay of titles, descriptions and descriptions of arguments', () => {
    const { tools, leftOut } = readWordingAnswer(
      said({
        title: ' Create a note ',
        description: 'Creates a note.\r\nTo extend one, use append.',
        arguments: [{ name: 'note', description: 'The number of the note, such as 7' }],
      }),
      asked,
    );
    expect(leftOut).toEqual([]);
    expect(tools).toEqual({
      'notes/add': {
        title: 'Create a note',
        description: 'Creates a note.\nTo extend one, use append.',
        inputSchema: {
          ...inputSchema,
          properties: {
            ...inputSchema.properties,
            note: { type: 'integer', minimum: 1, description: 'The number of the note, such as 7' },
          },
        },
      },
    });
    expect(overlay.safeParse({ name: 'x', tools }).success).toBe(true);
  });

  test('changes nothing where a text is empty, or as it was', () => {
    const same = said({
      title: 'Add',
      description: 'Adds a note ',
      arguments: [{ name: 'text', description: 'What to write' }],
    });
    expect(readWordingAnswer(same, asked)).toEqual({ tools: {}, leftOut: [] });
    expect(readWordingAnswer(said({ title: '', description: ' \n ' }), asked)).toEqual({ tools: {}, leftOut: [] });
  });

  test('has no say about names, types, and what a tool does', () => {
    const answer = wordingAnswer.parse({
      tools: [
        {
          n: 2,
          name: 'notes/remove_all',
          effect: 'reads',
          annotations: { readOnlyHint: true },
          inputSchema: { type: 'string' },
          title: null,
          description: 'Adds text to the end of a note',
          arguments: [],
        },
      ],
    });
    expect(readWordingAnswer(answer, asked).tools).toEqual({
      'notes/append': { description: 'Adds text to the end of a note' },
    });
    const renamed = said({ arguments: [{ name: 'body', description: 'What to write' }] });
    expect(readWordingAnswer(renamed, asked)).toEqual({
      tools: {},
      leftOut: [{ tool: 'notes/add', part: 'body', reason: 'unknown-argument' }],
    });
  });

  test('is left out where it names a tool that was not asked about, or one twice', () => {
    const [first] = said({ description: 'One' }).tools;
    if (first === undefined) throw new Error('there is no answer');
    const answer = { tools: [{ ...first, n: 3 }, { ...first, n: 0 }, first, { ...first, description: 'Two' }] };
    expect(readWordingAnswer(answer, asked)).toEqual({
      tools: { 'notes/add': { description: 'One' } },
      leftOut: [
        { tool: '3', part: null, reason: 'unknown-tool' },
        { tool: '0', part: null, reason: 'unknown-tool' },
        { tool: 'notes/add', part: null, reason: 'repeated-tool' },
      ],
    });
  });

  test.each(['constructor', '__proto__', 'toString', 'any'])(
    'is left out for the argument %s, which has no schema',
    (name) => {
      const { tools, leftOut } = readWordingAnswer(said({ arguments: [{ name, description: 'x' }] }), asked);
      expect([tools, leftOut]).toEqual([{}, [{ tool: 'notes/add', part: name, reason: 'unknown-argument' }]]);
    },
  );

  test.each([
    ['title', said({ title: 'x'.repeat(201) }), 'too-long'],
    ['description', said({ description: 'x'.repeat(2_001) }), 'too-long'],
    ['note', said({ arguments: [{ name: 'note', description: 'x'.repeat(501) }] }), 'too-long'],
    ['description', said({ description: 'Adds\u202ea note' }), 'hidden-characters'],
    ['description', said({ description: 'Adds a note\u{e0041}\u{e0042}' }), 'hidden-characters'],
    ['title', said({ title: 'Add\u0000' }), 'hidden-characters'],
    ['note', said({ arguments: [{ name: 'note', description: 'zero\u200bwidth' }] }), 'hidden-characters'],
  ])('is left out where its %s is too long, or has characters that nobody sees', (part, answer, reason) => {
    expect(readWordingAnswer(answer, asked)).toEqual({
      tools: {},
      leftOut: [{ tool: 'notes/add', part, reason }],
    });
  });

  test('may have line breaks, and the characters by which scripts and emoji join letters', () => {
    const description = 'یادداشت\u200cها را می‌افزاید\n\t👩\u200d💻 ✔\ufe0f';
    expect(readWordingAnswer(said({ description }), asked).tools).toEqual({ 'notes/add': { description } });
  });

  test('fits into an evaluation at its largest', () => {
    const wide = 'ß'.repeat(2_000);
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`a${n}`, { type: 'string', examples: ['ß'.repeat(400)] }]),
    );
    const large = Array.from({ length: 10 }, (_, n) => ({
      name: `s/t${n}`,
      inputSchema: { type: 'object', properties },
    }));
    const answer: WordingAnswer = {
      tools: large.map((_, at) => ({
        n: at + 1,
        title: null,
        description: wide,
        arguments: Object.keys(properties).map((name) => ({ name, description: 'ß'.repeat(500) })),
      })),
    };
    const units = Array.from({ length: 1_000 }, (_, n) => `u_${String(n).padStart(24, '0')}`);
    const writtenFrom = { evaluation: 'evl_1', units, model: 'm', prompt: 'p@v1', offline: false };
    const { tools } = readWordingAnswer(answer, large);
    expect(Object.keys(tools)).toHaveLength(10);
    expect(findSizeProblemOfOverlays([overlay.parse({ name: 'x', tools, writtenFrom })])).toBeNull();
  });

  test('leaves a schema as it is that is too large to be copied', () => {
    const large = { type: 'object', properties: { text: { type: 'string', enum: ['x'.repeat(13_000)] } } };
    const answer = said({ arguments: [{ name: 'text', description: 'What to write' }] });
    expect(readWordingAnswer(answer, [{ name: 'notes/add', inputSchema: large }])).toEqual({
      tools: {},
      leftOut: [{ tool: 'notes/add', part: 'text', reason: 'schema-too-large' }],
    });
  });
});
