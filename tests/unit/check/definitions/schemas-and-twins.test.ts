import { describe, expect, test } from 'vitest';
import type { ListedTool } from '#core/reports/check/listed-tool.ts';
import { findingsOf, namesOf, tool } from './listed.ts';

const withSchema = (inputSchema: ListedTool['inputSchema']): ListedTool[] => [
  { name: 'get_order', description: 'Returns the order with its lines.', inputSchema },
];

describe('schemas that are none are found', () => {
  test.each([
    ['an unknown type', { type: 'object', properties: { id: { type: 'str' } } }],
    ['a required argument that it does not have', { type: 'object', properties: { id: {} }, required: ['order_id'] }],
    ['no object', { type: 'string' }],
    [
      'bounds that exclude each other',
      { type: 'object', properties: { n: { type: 'integer', minimum: 8, maximum: 0 } } },
    ],
    ['an empty enum', { type: 'object', properties: { n: { enum: [] } } }],
    ['a pattern that is none', { type: 'object', properties: { n: { type: 'string', pattern: '([a-z' } } }],
    ['a reference to nothing', { type: 'object', properties: { n: { $ref: '#/$defs/none' } } }],
    ['properties that are a list', { type: 'object', properties: ['id'] }],
    ['a property that is a text', { type: 'object', properties: { id: 'string' } }],
    ['a required argument without properties', { type: 'object', required: ['id'] }],
  ])('%s', (_, schema) => {
    expect(findingsOf('schema-broken', withSchema(schema))[0]?.severity).toBe('high');
  });

  test('they are found in what a tool returns', () => {
    const tools = [
      tool('get_order', 'Returns it.', {}, { outputSchema: { type: 'object', properties: { n: { type: 'float' } } } }),
    ];
    expect(findingsOf('schema-broken', tools)[0]?.sentence).toContain('`outputSchema`');
  });

  test.each([
    ['no arguments', { type: 'object' }],
    ['nothing', {}],
    [
      'alternatives of what is required',
      { type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    ],
    ['types in a list', { type: 'object', properties: { a: { type: ['string', 'null'] } } }],
    [
      'a reference that leads somewhere',
      { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } },
    ],
    ['truth values as schemas', { type: 'object', properties: { a: true }, additionalProperties: false }],
    ['`required` as a mark of draft 3', { type: 'object', properties: { a: { type: 'string', required: true } } }],
    [
      'properties with the names of keywords',
      {
        type: 'object',
        properties: { type: { type: 'string' }, required: { type: 'boolean' }, enum: { type: 'string' } },
      },
    ],
  ])('%s is a schema', (_, schema) => {
    expect(namesOf('schema-broken', withSchema(schema))).toEqual([]);
  });

  test('endpoints that refuse it are not named as well', () => {
    expect(namesOf('schema-refused', withSchema({ type: 'object', properties: { id: { type: 'str' } } }))).toEqual([]);
  });
});

const text = { type: 'string', description: 'Which one.' };
const twinsOf = (...tools: readonly ListedTool[]) =>
  findingsOf('twin-by-definition', tools).map(({ tool: of, others }) => [of, others]);

describe('twins are found', () => {
  test.each([
    [
      'verbs of one meaning',
      tool('get_order', 'An order as JSON.', { id: text }),
      tool('fetch_order', 'An order as text.', { id: text }),
    ],
    [
      'a word for the argument',
      tool('search_docs', 'Searches docs.', { query: text }),
      tool('find_docs', 'Finds docs.', { q: text }),
    ],
    [
      'the object in the name of the argument',
      tool('get_order', 'Returns one.', { order_id: text }),
      tool('show_order', 'Shows one.', { id: text }),
    ],
    [
      'another order of words',
      tool('order_status', 'Gives the status.', { id: text }),
      tool('get_order_status', 'Tells the status.', { id: text }),
    ],
    ['no arguments', tool('list_orders', 'All orders.'), tool('enumerate_orders', 'Every order there is.')],
    ['deletion', tool('delete_order', 'Deletes it.', { id: text }), tool('remove_order', 'Removes it.', { id: text })],
  ])('with %s', (_, one, other) => {
    expect(twinsOf(one, other)).toEqual([[`shop/${one.name}`, [`shop/${other.name}`]]]);
  });

  test('both descriptions are shown', () => {
    const [found] = findingsOf('twin-by-definition', [
      tool('get_order', 'One.', { id: text }),
      tool('fetch_order', 'Two.', { id: text }),
    ]);
    expect(found?.evidence).toEqual(['get_order: "One."', 'fetch_order: "Two."']);
  });

  test.each([
    ['other arguments', tool('list_users', 'All users.'), tool('get_user', 'One.', { id: text })],
    ['one and several', tool('get_item', 'One item.', { id: text }), tool('get_items', 'Some items.', { id: text })],
    [
      'other actions',
      tool('round_number', 'Rounds.', { value: text }),
      tool('floor_number', 'Rounds down.', { value: text }),
    ],
    ['opposite actions', tool('encode_text', 'Encodes.', { text }), tool('decode_text', 'Decodes.', { text })],
    [
      'import and export',
      tool('import_orders', 'Reads.', { path: text }),
      tool('export_orders', 'Writes.', { path: text }),
    ],
    [
      'a mention',
      tool('get_order', 'One. See fetch_order for the archive.', { id: text }),
      tool('fetch_order', 'One.', { id: text }),
    ],
    [
      'opposed qualities',
      tool('search_docs', 'Finds exact words.', { q: text }),
      tool('find_docs', 'Finds by meaning.', { q: text }),
    ],
    [
      'what a file holds and what it is',
      tool('read_file', 'Contents of a file as text.', { path: text }),
      tool('get_file_info', 'Size, owner and times.', { path: text }),
    ],
    ['other types', tool('get_order', 'One.', { id: text }), tool('fetch_order', 'One.', { id: { type: 'integer' } })],
  ])('%s make no twins', (_, one, other) => {
    expect(twinsOf(one, other)).toEqual([]);
  });
});

describe('siblings that no text tells apart are found', () => {
  const near = (first: string) => [
    tool('list_open_orders', first, { shop: text }),
    tool('list_paid_orders', 'Lists paid orders of a shop.', { shop: text }),
  ];

  test('tools that are nearly alike', () => {
    expect(findingsOf('siblings-undistinguished', near('Lists open orders of a shop.'))[0]?.severity).toBe('low');
  });

  test('tools that name each other are told apart', () => {
    expect(namesOf('siblings-undistinguished', near('Lists open orders of a shop; see list_paid_orders.'))).toEqual([]);
  });
});

test('a rule has one finding for each tool', () => {
  const properties = {
    a: { type: 'str' },
    mode: { type: 'string', description: 'The mode.' },
    data: { type: 'string', description: 'The data.' },
  };
  const found = findingsOf('argument-unclear', [tool('prepare_shipment', 'Packs an order.', properties)]);
  expect(found.map(({ evidence }) => evidence)).toEqual([['mode: The mode.', 'data: The data.']]);
});
