import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveCategory } from '#core/catalog/category.ts';
import { makeSchemaHint } from '#core/exploration/hint/schema-hint.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';
import { makeRandom } from '#core/values/random.ts';

type Fields = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Made {
  readonly description?: string;
  readonly takes?: Fields;
  /** All of what it takes without it. */
  readonly required?: readonly string[];
  readonly brings?: Fields;
}

const text = { type: 'string' };

const made = (name: string, { description, takes = {}, required, brings }: Made): Tool => ({
  name,
  server: name.slice(0, name.indexOf('/')),
  domain: 'work',
  category: deriveCategory({ name: toolNameWithoutServer(name), description }),
  ...(description === undefined ? {} : { description }),
  inputSchema: { type: 'object', properties: takes, required: required ?? Object.keys(takes) },
  ...(brings === undefined ? {} : { outputSchema: { type: 'object', properties: brings } }),
});

const office: readonly Tool[] = [
  made('people/search_users', {
    description: 'Search for users by name.',
    takes: { query: text, limit: { type: 'integer' } },
    required: ['query'],
    brings: {
      users: {
        type: 'array',
        items: { type: 'object', properties: { id: text, email: { ...text, format: 'email' } } },
      },
    },
  }),
  made('people/get_user', {
    description: 'Get a user.',
    takes: { user_id: text },
    brings: { id: text, name: text, birthday: { ...text, format: 'date' } },
  }),
  made('people/delete_user', {
    description: 'Delete a user.',
    takes: { userId: text },
    brings: { success: { type: 'boolean' } },
  }),
  made('mail/send_email', { description: 'Send an email.', takes: { to: { ...text, format: 'email' }, body: text } }),
  made('hub/list_issues', { description: 'List the issues of a repository.', takes: { repo: text } }),
  made('hub/get_issue', { description: 'Get an issue.', takes: { repo: text, issue_number: { type: 'integer' } } }),
  made('draw/create_diagram', {
    description: 'Create a diagram. Returns the SVG of the diagram.',
    takes: { definition: text, theme: { ...text, enum: ['dark', 'light'] } },
  }),
  made('disk/write_file', { description: 'Write a file.', takes: { path: text, content: text } }),
  made('disk/read_file', { description: 'Read the contents of a file.', takes: { path: text } }),
  made('disk/list_directory', { description: 'Returns the paths of the files in a directory.', takes: { path: text } }),
  made('web/fetch_page', { description: 'Fetch a page.', takes: { url: { ...text, format: 'uri' } } }),
  made('web/search_pages', {
    description: 'Search the web.',
    takes: { query: text },
    brings: { results: { type: 'array', items: { type: 'object', properties: { link: { ...text, format: 'uri' } } } } },
  }),
  made('clock/current_time', { description: 'Get the current date and time.' }),
  made('clock/days_until', {
    description: 'Count the days until a date.',
    takes: { date: { ...text, format: 'date' } },
  }),
  made('math/add', { description: 'Add two numbers.', takes: { a: { type: 'number' }, b: { type: 'number' } } }),
  made('switch/toggle_logging', { description: 'Toggles logging.', takes: { on: { type: 'boolean' } } }),
];

const named = (tools: readonly Tool[]) => {
  const hint = makeSchemaHint(tools);
  const places = new Map(tools.map(({ name }, index) => [name, index]));
  return (from: string, to: string): number => hint(places.get(from) ?? -1, places.get(to) ?? -1);
};

test.each([
  ['people/search_users', 'people/get_user', 'an id of what is asked for'],
  ['people/search_users', 'people/delete_user', 'an id under another spelling'],
  ['people/search_users', 'mail/send_email', 'an address, by its format'],
  ['people/get_user', 'clock/days_until', 'a date, by its format'],
  ['hub/list_issues', 'hub/get_issue', 'what the name says that is listed'],
  ['disk/list_directory', 'disk/read_file', 'a path, by what the description promises'],
  ['web/search_pages', 'web/fetch_page', 'an address of the web'],
  ['clock/current_time', 'clock/days_until', 'a time, by name and description'],
  ['clock/days_until', 'math/add', 'a count'],
])('%s feeds %s better than any unrelated tool', (from, to) => {
  const score = named(office);
  const idle = ['draw/create_diagram', 'switch/toggle_logging', 'mail/send_email', 'web/fetch_page'];
  for (const other of idle.filter((name) => name !== to)) expect(score(from, to)).toBeGreaterThan(score(other, to));
});

test('a free text accepts any output, but weakly', () => {
  const score = named(office);
  const weak = score('draw/create_diagram', 'disk/write_file');
  expect(weak).toBeGreaterThan(score('switch/toggle_logging', 'disk/write_file'));
  expect(weak).toBeLessThan(score('people/search_users', 'people/get_user'));
  expect(score('draw/create_diagram', 'disk/read_file')).toBeLessThan(weak);
});

test('a tool without fitting inputs is fed by none', () => {
  const score = named(office);
  for (const { name } of office) {
    expect(score(name, 'clock/current_time')).toBe(0);
    expect(score(name, 'switch/toggle_logging')).toBe(0);
    expect(score(name, name)).toBe(0);
    expect(score(name, 'nowhere/none')).toBe(0);
  }
});

test('choices from a short list and optional inputs are fed less', () => {
  const to = (name: string, colour: Readonly<Record<string, unknown>>, required: readonly string[]): Tool =>
    made(`paint/${name}`, { takes: { colour }, required });
  const score = named([
    made('colours/mix', { description: 'Returns a colour.' }),
    to('wall', text, ['colour']),
    to('door', text, []),
    to('roof', { ...text, enum: ['red', 'brown'] }, ['colour']),
  ]);
  expect(score('colours/mix', 'paint/wall')).toBeGreaterThan(score('colours/mix', 'paint/door'));
  expect(score('colours/mix', 'paint/door')).toBeGreaterThan(score('colours/mix', 'paint/roof'));
});

test('rare words weigh more than common ones', () => {
  const common = Array.from({ length: 20 }, (_, index) => made(`shop/get_order_${index}`, { takes: { order: text } }));
  const score = named([
    ...common,
    made('farm/list_tractors', { description: 'List tractors and orders.' }),
    made('shop/get_order', { takes: { order: text } }),
    made('farm/move_tractor', { takes: { tractor: text } }),
  ]);
  expect(score('farm/list_tractors', 'farm/move_tractor')).toBeGreaterThan(
    score('farm/list_tractors', 'shop/get_order'),
  );
});

test('a description that names the other tool counts, unless it names it as an alternative', () => {
  const taking = (name: string, description: string): Tool => made(name, { takes: { key: { ...text, description } } });
  const score = named([
    made('docs/resolve_library', {}),
    made('docs/begin', { description: 'Begins. Pass what it says to docs_two.' }),
    taking('docs/docs_one', 'As resolve_library says'),
    taking('docs/docs_two', 'As it is'),
    taking('docs/docs_three', 'As it is. Use resolve_library instead'),
  ]);
  expect(score('docs/resolve_library', 'docs/docs_one')).toBeGreaterThan(
    score('docs/resolve_library', 'docs/docs_two'),
  );
  expect(score('docs/resolve_library', 'docs/docs_one')).toBeGreaterThan(
    score('docs/resolve_library', 'docs/docs_three'),
  );
  expect(score('docs/begin', 'docs/docs_two')).toBeGreaterThan(score('docs/begin', 'docs/docs_one'));
});

test('a Chinese description says which inputs are needed', () => {
  const score = named([
    made('food/all', { description: '获取菜谱名称' }),
    made('food/one', { takes: { q: { ...text, description: '菜谱名称' } } }),
    made('post/one', { takes: { q: { ...text, description: '邮政编码' } } }),
  ]);
  expect(score('food/all', 'food/one')).toBeGreaterThan(score('food/all', 'post/one'));
});

test('fields behind references and branches count', () => {
  const score = named([
    { ...made('a/give', {}), outputSchema: { $ref: '#/$defs/it', $defs: { it: { properties: { parcel_id: text } } } } },
    { ...made('a/take', {}), inputSchema: { anyOf: [{ properties: { parcel_id: text }, required: ['parcel_id'] }] } },
    made('a/other', { takes: { window_id: text } }),
  ]);
  expect(score('a/give', 'a/take')).toBeGreaterThan(score('a/give', 'a/other'));
});

test('the order of the tools changes no score', () => {
  const score = named(office);
  fc.assert(
    fc.property(fc.shuffledSubarray([...office], { minLength: office.length }), (shuffled) => {
      const again = named(shuffled);
      for (const from of office)
        for (const to of office) expect(again(from.name, to.name)).toBe(score(from.name, to.name));
    }),
    { numRuns: 20 },
  );
});

test('hostile schemas are read quickly', () => {
  const everywhere = { $ref: '#' };
  const endless = {
    properties: Object.fromEntries(Array.from({ length: 50 }, (_, number) => [`field${number}`, everywhere])),
    anyOf: Array.from({ length: 50 }, () => everywhere),
    items: everywhere,
  };
  let deep: Record<string, unknown> = { type: 'string' };
  for (let level = 0; level < 5_000; level += 1)
    deep = { type: 'object', properties: { next: deep }, required: ['next'] };
  const wide = {
    properties: Object.fromEntries(Array.from({ length: 50_000 }, (_, number) => [`word${number}`, text])),
  };
  const long = { properties: { ['x_'.repeat(100_000)]: { type: 'string', description: 'a '.repeat(500_000) } } };
  const circles = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } };
  const odd = { properties: { a: null, b: 7, c: { type: {}, enum: 'x', anyOf: 3, required: 'all', description: [] } } };
  const tools = [endless, deep, wide, long, circles, odd].map((schema, index): Tool => ({
    ...made(`hostile/${'n_'.repeat(10_000)}${index}`, { description: 'returns '.repeat(200_000) }),
    inputSchema: schema,
    outputSchema: schema,
  }));
  const start = performance.now();
  const hint = makeSchemaHint(tools);
  for (const from of tools.keys()) for (const to of tools.keys()) expect(hint(from, to)).toBeLessThanOrEqual(1);
  expect(performance.now() - start).toBeLessThan(2_000);
});

test('scores are finite and within 0..1 for any tools', () => {
  const word = fc.constantFrom(
    'get_user',
    'userId',
    'path',
    'url',
    'text',
    '菜谱',
    'date',
    '__proto__',
    'constructor',
    '',
  );
  const schema = fc.letrec<{ any: Record<string, unknown> }>((tie) => ({
    any: fc.record(
      {
        type: fc.constantFrom('string', 'number', 'boolean', 'array', 'object', 'null', ['string', 'null']),
        format: fc.constantFrom('uri', 'date-time', ''),
        description: fc.oneof(word, fc.string()),
        enum: fc.array(fc.string(), { maxLength: 2 }),
        required: fc.array(word, { maxLength: 3 }),
        items: tie('any'),
        properties: fc.dictionary(fc.oneof(word, fc.string()), tie('any'), { maxKeys: 4 }),
      },
      { requiredKeys: [] },
    ),
  })).any;
  const tool = fc
    .record({ name: fc.oneof(word, fc.string()), description: fc.string(), inputSchema: schema, outputSchema: schema })
    .map((given): Tool => ({ ...given, name: `a/${given.name}`, server: 'a', domain: 'a', category: 'other' }));
  fc.assert(
    fc.property(fc.array(tool, { maxLength: 6 }), (tools) => {
      const hint = makeSchemaHint(tools);
      for (const from of tools.keys())
        for (const to of tools.keys()) {
          const score = hint(from, to);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        }
    }),
  );
});

test('ten thousand tools are read in seconds, and scoring a pair takes a few microseconds', () => {
  const random = makeRandom('schema-hint');
  const words = Array.from(
    { length: 2_000 },
    (_, number) => `thing${String.fromCharCode(97 + (number % 26))}${number}x`,
  );
  const word = (): string => words[Math.floor(random.next() ** 2 * words.length)] ?? '';
  const fields = (): Fields =>
    Object.fromEntries(
      Array.from({ length: 1 + random.below(8) }, () => [
        `${word()}_${word()}`,
        { type: 'string', description: `The ${word()} of the ${word()} and ${word()}` },
      ]),
    );
  const tools = Array.from({ length: 10_000 }, (_, number) =>
    made(`s${number % 300}/get_${word()}_${number}`, {
      description: `Returns the ${word()} and ${word()} of a ${word()}. ${word()} ${word()} ${word()}`,
      takes: fields(),
      ...(random.below(3) === 0 ? { brings: fields() } : {}),
    }),
  );
  const start = performance.now();
  const hint = makeSchemaHint(tools);
  expect(performance.now() - start).toBeLessThan(15_000);
  const calls = 1_000_000;
  const called = performance.now();
  let sum = 0;
  for (let call = 0; call < calls; call += 1)
    sum += hint((call * 7_919) % tools.length, (call * 104_729 + 13) % tools.length);
  expect(((performance.now() - called) / calls) * 1_000).toBeLessThan(5);
  expect(sum).toBeGreaterThan(0);
});
