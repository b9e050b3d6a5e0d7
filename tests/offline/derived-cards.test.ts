import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Card, SampleValue } from '../../offline/cards/card.ts';
import { deriveCard } from '../../offline/models/derived-card.ts';
import { samplesOfPattern } from '../../offline/models/patterns.ts';
import { parseArgumentSchema } from '../../offline/models/schemas.ts';
import { nothingSeen, collectSeenValues, type Seen } from '../../offline/models/seen-values.ts';
import { examplesInDescription } from '../../offline/models/stated-examples.ts';
import { findValueUnderName } from '../../offline/models/values.ts';
import { checkPairStatically } from '#core/units/static-check.ts';
import { pair as pairForm, unwritableTool } from '#core/units/answers.ts';
import { converse, fillIn } from './models-support.ts';

type Json = Record<string, unknown>;

const cardOf = (name: string, properties: Json, more: Json = {}, description = '', seen: Seen = nothingSeen): Card =>
  deriveCard(
    name,
    description,
    parseArgumentSchema({ type: 'object', properties, required: Object.keys(properties), ...more }),
    [],
    seen,
  );

const samplesIn = (card: Card, slot: string): readonly SampleValue[] => card.slots[slot]?.samples ?? [];

describe('the values of a derived card', () => {
  test('fit the pattern, the reference, the alternative and the bounds of the schema', () => {
    const card = cardOf(
      'box/create_part',
      {
        code: { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' },
        shape: { $ref: '#/$defs/Shape' },
        size: { oneOf: [{ type: 'null' }, { type: 'integer', minimum: 10, maximum: 20 }] },
        ratio: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
        start: { type: 'string', format: 'date' },
      },
      { $defs: { Shape: { type: 'string', enum: ['round', 'square'] } } },
    );
    for (const code of samplesIn(card, 'code')) expect(code).toMatch(/^[A-Z]{2}-\d{3}$/);
    expect(samplesIn(card, 'shape')).toEqual(['round', 'square']);
    expect(samplesIn(card, 'size').every((size) => Number(size) >= 10 && Number(size) <= 20)).toBe(true);
    expect(samplesIn(card, 'ratio').every((ratio) => Number(ratio) > 0 && Number(ratio) <= 1)).toBe(true);
    expect(samplesIn(card, 'start')[0]).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    for (const slot of Object.keys(card.slots)) expect(samplesIn(card, slot).length, slot).toBeGreaterThan(0);
  });

  test('fill lists and objects with what they require, as many items as they need', () => {
    const card = cardOf('shop/create_order', {
      items: {
        type: 'array',
        minItems: 2,
        items: {
          type: 'object',
          properties: { title: { type: 'string' }, amount: { type: 'integer', minimum: 1 } },
          required: ['title', 'amount'],
        },
      },
      operations: { type: 'array', items: {} },
    });
    const item = z.object({ title: z.string().min(1), amount: z.int().min(1) });
    for (const sample of samplesIn(card, 'items')) z.array(item).min(2).parse(sample);
    expect(samplesIn(card, 'items').length).toBeGreaterThan(0);
  });

  test('are different for each argument of a step', () => {
    const card = cardOf('files/write_pair', {
      old_path: { type: 'string' },
      new_path: { type: 'string' },
      origin: { type: 'string', description: 'Start date (YYYY-MM-DD)' },
      target: { type: 'string', description: 'End date (YYYY-MM-DD)' },
    });
    for (let at = 0; at < 3; at += 1) {
      expect(samplesIn(card, 'old_path')[at]).not.toBe(samplesIn(card, 'new_path')[at]);
      expect(samplesIn(card, 'origin')[at]).not.toBe(samplesIn(card, 'target')[at]);
    }
  });

  test('are none for what must be on the server and was not seen', () => {
    expect(samplesIn(cardOf('notes/get_note', { id: { type: 'string' } }), 'id')).toEqual([]);
    expect(samplesIn(cardOf('notes/delete_note', { note_id: { type: 'integer' } }), 'note_id')).toEqual([]);
    expect(samplesIn(cardOf('notes/add_page', { project: { type: 'string' } }), 'project')).toEqual([]);
    expect(samplesIn(cardOf('notes/create_note', { id: { type: 'string' } }), 'id').length).toBeGreaterThan(0);
    expect(samplesIn(cardOf('notes/search_notes', { query: { type: 'string' } }), 'query').length).toBeGreaterThan(0);
  });

  test.each([
    [
      'JSON with named fields',
      '{"notes":[{"id":"n-17","title":"Bread"},{"id":"n-18","title":"Tea"}]}',
      ['n-17', 'n-18'],
    ],
    ['a list in a text', 'Found 2:\n[{"id":"n-17"},{"id":"n-18"}]', ['n-17', 'n-18']],
    ['lines', '- n-17: Bread\n- n-18: Tea', ['n-17', 'n-18']],
  ])('come from a survey that returned %s', (_form, text, expected) => {
    const seen = collectSeenValues(new Map([['survey', [{ server: 'notes', from: 'notes/list_notes', text }]]]));
    const card = cardOf('notes/get_note', { note_id: { type: 'string' } }, {}, '', seen);
    expect(samplesIn(card, 'note_id').toSorted()).toEqual(expected);
    expect(samplesIn(cardOf('other/get_note', { note_id: { type: 'string' } }, {}, '', seen), 'note_id')).toEqual([]);
  });

  test('are names of our own for a tool that makes something, by its name or by its description', () => {
    const names = (description: string): number =>
      samplesIn(cardOf('forge/house-token', { name: { type: 'string' } }, {}, description), 'name').length;
    expect(names('Create the source of a token.')).toBeGreaterThan(0);
    expect(names('Generates a token from its name.')).toBeGreaterThan(0);
    expect(names('Returns the token with this name.')).toBe(0);
  });

  test('are those of an answer whose end was cut off, and never a line of brackets', () => {
    const whole = JSON.stringify({ notes: [{ id: 'n-1', tags: ['a, b'] }, { id: 'n-2' }, { id: 'n-3' }] }, null, 2);
    const textOf = (length: number) => whole.slice(0, length);
    for (let length = 1; length < whole.length; length += 1) {
      const survey = [{ server: 'notes', from: 'notes/list_notes', text: textOf(length) }];
      const card = cardOf(
        'notes/get_note',
        { note_id: { type: 'string' } },
        {},
        '',
        collectSeenValues(new Map([['survey', survey]])),
      );
      for (const id of samplesIn(card, 'note_id')) expect(['n-1', 'n-2', 'n-3']).toContain(id);
      if (textOf(length).includes('"n-1",')) expect(samplesIn(card, 'note_id')).toContain('n-1');
    }
  });

  test('are statements where a query is described as SQL', () => {
    const card = cardOf('base/read', { query: { type: 'string', description: 'SELECT SQL query to execute' } });
    for (const query of samplesIn(card, 'query')) expect(query).toMatch(/^SELECT /);
    expect(card.slots['query']?.kind).not.toBe('text');
    expect(cardOf('base/find', { query: { type: 'string' } }).slots['query']?.kind).toBe('text');
  });

  test('are statements on the tables that the server has shown, of the kind that the tool takes', () => {
    const survey = [{ server: 'base', from: 'base/list_tables', text: '["orders"]' }];
    const columns = { tool: 'base/describe_table', arguments: { table_name: 'orders' }, returned: '[{"name":"id"}]' };
    const seen = collectSeenValues(
      new Map<string, unknown>([
        ['survey', survey],
        ['values', [columns]],
      ]),
    );
    const query = { query: { type: 'string' } };
    const first = (name: string, description: string): unknown =>
      samplesIn(cardOf(name, query, {}, description, seen), 'query')[0];
    expect(first('base/read_query', 'Execute SELECT queries')).toBe('SELECT * FROM orders');
    expect(first('base/write_query', 'Execute INSERT, UPDATE, or DELETE queries')).toMatch(/^DELETE FROM orders /);
    expect(first('base/create_table', 'Create new tables')).toMatch(/^CREATE TABLE \w+ \(/);
    expect(first('base/alter_table', 'Modify a table')).toMatch(/^ALTER TABLE orders /);
    expect(samplesIn(cardOf('base/alter_table', query, {}, 'Modify a table'), 'query')).toEqual([]);
    expect(
      samplesIn(cardOf('base/drop_table', { table_name: { type: 'string' } }, {}, '', seen), 'table_name'),
    ).toEqual(['orders']);
  });

  test('are prose as long as the schema demands, whatever the argument is called', () => {
    const long = samplesIn(
      cardOf('plan/analyze', { initialConcept: { type: 'string', minLength: 50 } }),
      'initialConcept',
    );
    expect(long.length).toBeGreaterThan(2);
    expect(long.every((text) => typeof text === 'string' && text.length >= 50)).toBe(true);
    const free = cardOf('plan/research_mode', { topic: { type: 'string' }, nextSteps: { type: 'string' } });
    for (const slot of ['topic', 'nextSteps']) expect(samplesIn(free, slot).length, slot).toBeGreaterThan(2);
    expect(samplesIn(cardOf('docs/get_page', { topic: { type: 'string' } }), 'topic')).toEqual([]);
  });

  test('are no ids of the right form for what has to be there', () => {
    const id = { task_id: { type: 'string', format: 'uuid' } };
    for (const name of ['tasks/execute_task', 'tasks/delete_task'])
      expect(samplesIn(cardOf(name, id), 'task_id')).toEqual([]);
    expect(samplesIn(cardOf('tasks/create_task', id), 'task_id').length).toBeGreaterThan(1);
    const request = { requestId: { type: 'string' } };
    expect(samplesIn(cardOf('tasks/add_tasks_to_request', request), 'requestId')).toEqual([]);
  });

  test('are names and files that the server has shown in a list for people', () => {
    const text = '### Hubs\n- [function] totalOf — 2 uses (/srv/shop/src/prices.ts)\n- [ ] one day';
    const seen = collectSeenValues(new Map([['survey', [{ server: 'code', from: 'code/overview', text }]]]));
    const symbol = cardOf('code/get_context', { name: { type: 'string' } }, {}, '', seen);
    expect(samplesIn(symbol, 'name')).toEqual(['totalOf']);
    expect(samplesIn(cardOf('code/get_file_deps', { path: { type: 'string' } }, {}, '', seen), 'path')).toEqual([
      '/srv/shop/src/prices.ts',
    ]);
  });

  test('are paths in the directories that the server shows', () => {
    const text = '{"allowed_directories":["/srv/files"],"disk":{"path":"/"}}';
    const seen = collectSeenValues(
      new Map([['survey', [{ server: 'fs', from: 'fs/fs_list_allowed_directories', text }]]]),
    );
    const path = { path: { type: 'string' } };
    expect(samplesIn(cardOf('fs/fs_list_directory', path, {}, '', seen), 'path')).toEqual(['/srv/files']);
    expect(samplesIn(cardOf('fs/fs_write_file', path, {}, '', seen), 'path')).toContain('/srv/files/notes.txt');
  });

  test('are files for what works on files, directories for what searches them, and new ones for what writes', () => {
    const text =
      '{"items":[{"path":"/srv/files/docs","type":"directory"},{"path":"/srv/files/docs/plan.md"}],"skips":["a.tmp"]}';
    const seen = collectSeenValues(new Map([['survey', [{ server: 'fs', from: 'fs/list_directory', text }]]]));
    const path = { path: { type: 'string' } };
    expect(samplesIn(cardOf('fs/read_file', path, {}, '', seen), 'path')).toEqual(['/srv/files/docs/plan.md']);
    expect(samplesIn(cardOf('fs/search_files', path, {}, '', seen), 'path')).toEqual(['/srv/files/docs']);
    const move = cardOf('fs/move_file', { source: { type: 'string' }, destination: { type: 'string' } }, {}, '', seen);
    expect(samplesIn(move, 'source')).toEqual(['/srv/files/docs/plan.md']);
    for (const place of samplesIn(move, 'destination')) expect(place).toMatch(/^\/srv\/files\/docs\/\w+\.\w+$/);
  });

  test('are the current folder for a root that nobody has shown, and no invented file for what works on one', () => {
    const path = { path: { type: 'string' } };
    expect(samplesIn(cardOf('box/get_problems', { projectRoot: { type: 'string' } }), 'projectRoot')).toEqual(['.']);
    expect(samplesIn(cardOf('box/list_directory', path), 'path')).toEqual(['.']);
    expect(samplesIn(cardOf('box/validate_file', path), 'path')).toEqual([]);
    expect(samplesIn(cardOf('box/render_page', path), 'path')).toEqual([]);
    expect(samplesIn(cardOf('box/render_page', { outputPath: { type: 'string' } }), 'outputPath')).not.toEqual([]);
    expect(samplesIn(cardOf('box/write_file', path), 'path')).toContain('notes.txt');
  });

  test('are new paths of the kind and the form that the description asks for', () => {
    const path = { type: 'string', description: 'Absolute path to the Excel file' };
    const samples = samplesIn(cardOf('box/write_sheet', { filePath: path }), 'filePath');
    expect(samples[0]).toMatch(/^\/tmp\/\w+\.xlsx$/);
    expect(
      samplesIn(cardOf('box/create_view', { query: { type: 'string', description: 'SELECT query' } }), 'query')[0],
    ).toMatch(/^SELECT /);
  });

  test('are what the server shows before examples, also in JSON that has other words around it', () => {
    const text = 'List of boxes:\n{"boxes": ["attic"], "count": 1}\n{"ok": true, "data": {"boxes": ["attic"]}}';
    const seen = collectSeenValues(new Map([['survey', [{ server: 'store', from: 'store/list_boxes', text }]]]));
    const lines = collectSeenValues(
      new Map([
        ['survey', [{ server: 'store', from: 'store/list_boxes', text: '{"box": "attic"}\n{"box": "cellar"}' }]],
      ]),
    );
    expect(samplesIn(cardOf('store/read_paper', { box: { type: 'string' } }, {}, '', lines), 'box')).toEqual([
      'attic',
      'cellar',
    ]);
    const box = { type: 'string', description: 'Id of the box, e.g. "work"' };
    expect(samplesIn(cardOf('store/read_paper', { box }, {}, '', seen), 'box')).toEqual(['attic']);
  });

  test('are the paths of the things that an argument names, before a folder that is shown too', () => {
    const text = '{"root": "/srv/shop", "components": [{"name": "Button", "filePath": "src/Button.tsx"}]}';
    const seen = collectSeenValues(new Map([['survey', [{ server: 'ui', from: 'ui/list_components', text }]]]));
    const componentPath = { type: 'string' };
    expect(samplesIn(cardOf('ui/generate_story', { componentPath }, {}, '', seen), 'componentPath')).toEqual([
      'src/Button.tsx',
    ]);
  });

  test('are no examples that a reader has to replace', () => {
    expect(examplesInDescription('The folder, e.g. "/path/to/folder" or "your-folder"')).toEqual([]);
    expect(examplesInDescription('The folder, e.g. "/path/to/folder" or "src"')).toEqual(['src']);
  });

  test('are the items of a text that is nothing but a list with commas', () => {
    const survey = [{ server: 'bank', from: 'bank/list_files', text: 'brief.md,progress.md' }];
    const card = cardOf(
      'bank/read',
      { fileName: { type: 'string' } },
      {},
      '',
      collectSeenValues(new Map([['survey', survey]])),
    );
    expect(new Set(samplesIn(card, 'fileName'))).toEqual(new Set(['brief.md', 'progress.md']));
  });

  test('are the names of what is there for the two ends of a relation', () => {
    const ends = { source: { type: 'string' }, target: { type: 'string' } };
    const values = [{ tool: 'graph/open_entity', arguments: { name: 'Ada' }, returned: '{"name":"Noor"}' }];
    const seen = collectSeenValues(new Map([['values', values]]));
    const card = cardOf('graph/create_relation', ends, {}, '', seen);
    expect([...samplesIn(card, 'source')].toSorted()).toEqual(['Ada', 'Noor']);
    expect(samplesIn(cardOf('graph/create_relation', ends), 'target')).toEqual([]);
  });

  test('for the id of what a tool adds something to are those that the server has shown, or none', () => {
    const task = { task_id: { type: 'string' } };
    expect(samplesIn(cardOf('tasks/add_task_note', task), 'task_id')).toEqual([]);
    expect(samplesIn(cardOf('tasks/set_blocker', task), 'task_id')).toEqual([]);
    expect(samplesIn(cardOf('tasks/create_task', task), 'task_id')).not.toEqual([]);
    const values = [{ tool: 'tasks/get_task', arguments: {}, returned: '{"task_id":"t-17"}' }];
    const seen = collectSeenValues(new Map([['values', values]]));
    const other = { depends_on_task_id: { type: 'string' } };
    expect(samplesIn(cardOf('tasks/add_dependency', other, {}, '', seen), 'depends_on_task_id')).toEqual(['t-17']);
  });

  test('are not what a call has made or what nobody but a writer invents, because it may be gone in the next session', () => {
    const list = { tool: 'tasks/list_tasks', arguments: {}, returned: '[{"task_id":"t-17"},{"task_id":"t-18"}]' };
    const create = { tool: 'tasks/create_task', arguments: {}, returned: '{"task_id":"t-18"}' };
    const survey = [{ server: 'tasks', from: 'tasks/list_tasks', text: list.returned }];
    const get = (more: [string, unknown][]) =>
      samplesIn(
        cardOf('tasks/get_task', { task_id: { type: 'string' } }, {}, '', collectSeenValues(new Map(more))),
        'task_id',
      );
    expect(get([['values', [list, create]]])).toEqual(['t-17']);
    expect(
      get([
        ['values', [create]],
        ['survey', survey],
      ]),
    ).toEqual(['t-17', 't-18']);
    const read = { tool: 'bank/read', arguments: { file: 'data.csv' }, returned: 'brief.md,notes.txt' };
    const files = cardOf(
      'bank/read',
      { file: { type: 'string' } },
      {},
      '',
      collectSeenValues(new Map([['values', [read]]])),
    );
    expect(samplesIn(files, 'file')).toEqual(['brief.md']);
  });

  test('are there for arguments that no schema requires, where a call without them makes no sense', () => {
    const optional = (name: string, properties: Json): string[] =>
      Object.keys(cardOf(name, properties, { required: [] }).slots);
    const text = { type: 'string' };
    expect(optional('ui/get_component', { component: text, version: text })).toEqual(['component']);
    expect(optional('text/convert', { text, to: text, mode: { ...text, default: 'plain' } })).toEqual(['text', 'to']);
    expect(optional('tasks/list_task', { task: text })).toEqual([]);
    expect(optional('code/orient', { scope: text, question: text })).toEqual(['question']);
    expect(optional('tasks/list_tasks', { query: text })).toEqual([]);
  });

  test('come from calls that worked, first', () => {
    const values = [{ tool: 'notes/search', arguments: { query: 'sourdough' }, returned: '{"found":3}' }];
    const seen = collectSeenValues(new Map([['values', values]]));
    expect(samplesIn(cardOf('notes/search', { query: { type: 'string' } }, {}, '', seen), 'query')[0]).toBe(
      'sourdough',
    );
  });

  test.each([
    ['Locale, e.g. "en-US" or "de-DE"', ['en-US', 'de-DE']],
    ['The shape (for example, hexagon, or circle)', ['hexagon', 'circle']],
    ["One of 'asc', 'desc'", ['asc', 'desc']],
    ['A city such as the capital of a country', []],
    [
      'The stage. Available stages include: Problem Definition, Research, and Planning.',
      ['Problem Definition', 'Research', 'Planning'],
    ],
    ['The order: one of asc (first), desc (last)', ['asc', 'desc']],
    ['The project; omit it to use the default project (the root of the server)', []],
    ['Available everywhere: the server keeps a copy of it for you, and it never asks again', []],
    ['The name', []],
  ])('include the examples of the description %j', (description, expected) => {
    expect(examplesInDescription(description)).toEqual(expected);
  });
});

describe('a pattern has samples that it accepts', () => {
  test.each([['^[a-z]+$'], ['^\\d{4}-\\d{2}$'], ['^(?:ab)-[0-9a-f]{8}$'], ['^v\\d+\\.\\d+$'], ['[^0-9]{3}']])(
    '%s',
    (pattern) => {
      const samples = samplesOfPattern(pattern, 3);
      expect(samples.length).toBeGreaterThan(0);
      for (const sample of samples) expect(sample).toMatch(new RegExp(pattern, 'u'));
    },
  );

  test.each(['(?P<name>x)\\Z', '^(a|b)$', '('])('or none where it is beyond the rules: %s', (pattern) => {
    expect(samplesOfPattern(pattern, 3)).toEqual([]);
  });
});

describe('the wordings of a derived card', () => {
  test('give an order in English, whatever the description says', () => {
    for (const description of ['This tool retrieves the selected cell.', 'Does a thing', '距离测量 API 可以测量距离']) {
      const [wording = ''] = cardOf('grid/get_selected_cell', {}, {}, description).phrases;
      expect(wording).toBe('get selected cell');
    }
    expect(cardOf('grid/cell', {}, {}, 'This tool retrieves the selected cell.').phrases[0]).toBe(
      'retrieve the selected cell',
    );
  });

  test('pass on fields inside a result by what they belong to, and of a list those of its first item', () => {
    const returned = '{"ok":true,"project":{"id":"p-1"},"tasks":[{"id":"t-1","title":"Paint"},{"id":"t-2"}]}';
    const seen = collectSeenValues(new Map([['values', [{ tool: 'box/plan', arguments: {}, returned }]]]));
    const { gives } = deriveCard('box/plan', '', parseArgumentSchema({ type: 'object' }), [], seen);
    expect(gives.map(({ kind, noun }) => [kind, noun])).toEqual([
      ['value:box/project id', 'the project id that came back'],
      ['value:box/task id', 'the task id that came back'],
      ['value:box/task title', 'the task title that came back'],
    ]);
    expect(findValueUnderName('task id', returned)).toBe('t-1');
    expect(findValueUnderName('project id', returned)).toBe('p-1');
  });

  test('pass on fields of results, never whole results', () => {
    const schema = parseArgumentSchema({ type: 'object' });
    expect(deriveCard('notes/create_note', '', schema).gives).toEqual([]);
    expect(deriveCard('notes/create_note', '', schema, ['id', 'success']).gives).toEqual([
      { kind: 'value:notes/note id', noun: 'the id that came back', pick: { path: 'id' } },
    ]);
  });
});

const makeTool = (name: string, properties: Json, outputs: readonly string[] = []) => ({
  name: `notes/${name}`,
  server: 'notes',
  domain: 'notes',
  category: 'other',
  description: '',
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
  ...(outputs.length === 0
    ? {}
    : {
        outputSchema: {
          type: 'object',
          properties: Object.fromEntries(outputs.map((each) => [each, { type: 'string' }])),
        },
      }),
});

const written = z.object({
  scenario: z.object({ request: z.string(), factQuery: z.string() }).nullable(),
  unwritable: z.array(unwritableTool).default([]),
  why: z.string(),
});

describe('the offline writer, for tools without cards', () => {
  const list = makeTool('list_notes', {});
  const get = makeTool('get_note', { id: { type: 'string' } });
  const search = makeTool('search_notes', { query: { type: 'string' } });

  test('names a tool that it cannot write for, and writes about the others', () => {
    const answer = written.parse(
      fillIn(new Map(), 'offline-writer', 'scenario', { tools: [list, get, search], known: [] }, 1),
    );
    expect(answer.unwritable).toEqual([{ tool: 'notes/get_note', missing: 'a value for `id` that is on the server' }]);
    expect(answer.scenario?.request).toContain('search notes');
    const alone = written.parse(fillIn(new Map(), 'offline-writer', 'scenario', { tools: [get, list], known: [] }, 1));
    expect(alone).toMatchObject({ scenario: null, unwritable: [{ tool: 'notes/get_note' }] });
    expect(alone.why).toContain('notes/get_note');
  });

  test('writes what the static check accepts and the agent can carry out, with the ids of the survey', () => {
    const add = makeTool('add_tags', {
      note_id: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' }, minItems: 2 },
    });
    const move = makeTool('create_order', {
      lines: {
        type: 'array',
        items: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
      },
    });
    const tools = [get, add, move];
    const survey = [{ server: 'notes', from: 'notes/list_notes', text: '[{"id":"n-17"},{"id":"n-18"}]' }];
    const ids: unknown[] = [];
    for (let seed = 0; seed < 20; seed += 1) {
      const { scenario } = written.parse(
        fillIn(new Map(), 'offline-writer', 'scenario', { tools, known: [], survey, values: [] }, seed),
      );
      const { pair } = z
        .object({ pair: pairForm.nullable() })
        .parse(
          fillIn(
            new Map(),
            'offline-writer',
            'metamorphic-pair',
            { tools, scenario, facts: [], survey, values: [] },
            seed,
          ),
        );
      if (pair === null) throw new Error('no pair');
      const named = checkPairStatically(pair, tools).findings.filter(({ verdict }) => verdict === 'no');
      // The writer leaves a value out now and then, as models do.
      for (const { reason } of named) expect(reason).toContain('is not in');
      const { calls } = converse(new Map(), 'offline-steady', pair.source, tools, () => 'done', seed);
      const got = calls.find(({ tool }) => tool === 'notes/get_note');
      if (named.length === 0 && got !== undefined) ids.push(got.arguments['id']);
    }
    expect(ids.length).toBeGreaterThan(6);
    expect(new Set(ids)).toEqual(new Set(['n-17', 'n-18']));
  });

  test('lets a later step use what an earlier one has made, and the agent finds it', () => {
    const create = makeTool('create_note', { title: { type: 'string' } }, ['id']);
    const tools = [create, get];
    const { scenario } = written.parse(
      fillIn(new Map(), 'offline-writer', 'scenario', { tools, known: [], survey: [], values: [] }, 2),
    );
    expect(scenario?.request).toContain('the id that came back');
    const { calls } = converse(
      new Map(),
      'offline-steady',
      scenario?.request ?? '',
      tools,
      (tool) => (tool === 'notes/create_note' ? '{"note":{"id":"n-99"}}' : 'a note'),
      2,
    );
    expect(calls.at(-1)).toMatchObject({ tool: 'notes/get_note', arguments: { id: 'n-99' } });
  });
});
