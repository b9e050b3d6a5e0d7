import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findNearSiblings, type DescribedTool } from '#core/exploration/near-siblings.ts';

const tool = (
  name: string,
  description: string,
  category: string,
  ...properties: readonly string[]
): DescribedTool => ({
  name,
  description,
  category,
  inputSchema: { type: 'object', properties: Object.fromEntries(properties.map((each) => [each, { type: 'string' }])) },
});

const notes = [
  tool('notes/add_note', 'Adds a note with a title and a text', 'create', 'title', 'text'),
  tool('notes/append_note', 'Appends text to a note', 'update', 'id', 'text'),
  tool('notes/delete_note', 'Deletes a note', 'delete', 'id'),
  tool('notes/list_notes', 'Lists all notes', 'list'),
  tool('clock/current_time', 'Tells the time in a zone', 'read', 'timezone'),
];

test('tools with like names, descriptions and arguments are near siblings, and others are none', () => {
  expect(findNearSiblings(notes)).toEqual(
    new Map([
      ['notes/add_note', ['notes/append_note']],
      ['notes/append_note', ['notes/add_note']],
    ]),
  );
});

test('a tool that removes something is no sibling of one that does not, however alike their descriptions are', () => {
  const one = tool('notes/drop_note', 'Takes a note by its id', 'delete', 'id');
  const other = tool('notes/open_note', 'Takes a note by its id', 'read', 'id');
  expect(findNearSiblings([one, other]).size).toBe(0);
  expect(findNearSiblings([one, { ...other, category: 'delete' }]).size).toBe(2);
});

test('tools of different servers can be siblings', () => {
  const one = tool('maps/find_place', 'Finds a place by its name', 'search', 'name');
  const other = tool('travel/search_place', 'Finds a place by its name', 'search', 'name');
  expect(findNearSiblings([one, other]).get(one.name)).toEqual([other.name]);
});

test('a tool has its three most alike siblings, the most alike first', () => {
  const like = (name: string, text: string) => tool(`files/${name}_file`, text, 'read', 'path');
  const tools = [
    like('read', 'Reads the whole text of a file'),
    like('show', 'Shows the first lines of some file'),
    like('view', 'Reads the whole text of a file'),
    like('open', 'Reads the whole text of one file slowly'),
    like('load', 'Reads the whole text of a file to memory now'),
  ];
  expect(findNearSiblings(tools).get('files/read_file')).toEqual([
    'files/view_file',
    'files/open_file',
    'files/load_file',
  ]);
});

test('any catalog has siblings within it, never the tool itself, and the same in any order', () => {
  const word = fc.constantFrom('read', 'write', 'file', 'note', 'list', 'all');
  const anyTool = fc
    .tuple(fc.constantFrom('a', 'b'), fc.array(word, { minLength: 1, maxLength: 3 }), fc.array(word, { maxLength: 4 }))
    .map(([server, name, text]) => tool(`${server}/${name.join('_')}`, text.join(' '), 'read', ...text));
  fc.assert(
    fc.property(fc.uniqueArray(anyTool, { selector: ({ name }) => name, maxLength: 12 }), (tools) => {
      const found = findNearSiblings(tools);
      const names = new Set(tools.map(({ name }) => name));
      for (const [name, siblings] of found) {
        expect(siblings.length).toBeGreaterThan(0);
        expect(siblings.length).toBeLessThanOrEqual(3);
        expect(siblings).not.toContain(name);
        for (const sibling of siblings) expect(names).toContain(sibling);
      }
      expect(new Map([...findNearSiblings(tools.toReversed())].toSorted())).toEqual(new Map([...found].toSorted()));
    }),
  );
});

test('a catalog in which many tools share a word is compared in time', () => {
  const many = Array.from({ length: 3_000 }, (_, n) =>
    tool(`s/get_item_${n % 50}_thing${String.fromCodePoint(97 + (n % 26))}`, 'Gets an item by its id', 'read', 'id'),
  ).map((each, n) => ({ ...each, name: `${each.name}_${n}` }));
  const begun = performance.now();
  findNearSiblings(many);
  expect(performance.now() - begun).toBeLessThan(5_000);
});
