import { describe, expect, test } from 'vitest';
import type { ListedTool } from '#core/reports/check/listed-tool.ts';
import type { Answer, Arguments } from '#core/reports/check/probes/answer.ts';
import { whyUnhelpful } from '#core/reports/check/probes/answer-texts.ts';
import { findTwins } from '#core/reports/check/probes/find-twins.ts';
import { KnownValues } from '#core/reports/check/probes/known-values.ts';
import type { ProbedTool } from '#core/reports/check/probes/probe.ts';
import { probeTool } from '#core/reports/check/probes/probe-tool.ts';
import { withoutSharedSurroundings } from '#core/reports/check/probes/plain-calls.ts';
import { contradictsNamedNumber, findSilentCut, saysOtherNumbers } from '#core/reports/check/probes/result-content.ts';
import { examplesInText } from '#core/reports/check/probes/sample-arguments.ts';

type Reply = Partial<Omit<Extract<Answer, { kind: 'result' }>, 'kind'>> | Answer;

const answerOf = (reply: Reply | string): Answer => {
  if (typeof reply === 'string') return answerOf({ text: reply });
  return 'kind' in reply ? reply : { kind: 'result', isError: false, text: '', structured: undefined, ms: 5, ...reply };
};
const refused = (text: string): Reply => ({ isError: true, text });

/** Probes a tool that a function plays; calls at once are answered one after another, unless `together` answers them. */
function probe(
  tool: Partial<ListedTool>,
  play: (given: Arguments, count: number) => Reply | string,
  together?: (given: readonly Arguments[]) => (Reply | string)[],
  mayChange = false,
): ProbedTool {
  const listed = { name: 'get_order', inputSchema: byId, ...tool } as const;
  const probes = probeTool({
    server: 'shop',
    tool: listed,
    known: new KnownValues(),
    budgetMs: 12_000,
    mayChange,
    secrets: ['hunter2!'],
  });
  let count = 0;
  let step = probes.next();
  while (step.done !== true) {
    const { calls, atOnce } = step.value;
    const replies =
      atOnce === true && together !== undefined ? together(calls) : calls.map((given) => play(given, (count += 1)));
    step = probes.next(replies.map(answerOf));
  }
  return step.value;
}

const rulesOf = ({ findings }: ProbedTool): string[] =>
  findings.filter(({ severity }) => severity !== 'low').map(({ rule }) => rule);

const byId = {
  type: 'object',
  properties: { id: { type: 'string', description: 'The id of an order, such as A-17.', examples: ['A-17', 'A-18'] } },
  required: ['id'],
};
const orders: Readonly<Record<string, string>> = { 'A-17': 'Ada, 12.50 EUR', 'A-18': 'Bob, 99.00 EUR' };
const good = ({ id }: Arguments): Reply | string => {
  if (typeof id !== 'string' || id === '') return refused('`id` must be the id of an order, such as A-17.');
  return orders[id] ?? refused(`There is no order ${id.slice(0, 20)}. list_orders shows those there are.`);
};

test('a tool that answers valid calls, and says what is wrong with others, has no finding', () => {
  const probed = probe({}, good);
  expect(probed.findings).toEqual([]);
  expect(probed.unsettled).toBeNull();
  expect(probed.calls).toBeGreaterThan(50);
});

const withLimit = {
  inputSchema: {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 50, description: 'How many.' },
      unit: { type: 'string', enum: ['km', 'mi'] },
    },
    required: ['limit', 'unit'],
  },
};

describe.each<
  [rule: string, when: string, tool: Partial<ListedTool>, play: (given: Arguments, count: number) => Reply | string]
>([
  [
    'missing-accepted',
    'a call without the required id succeeds',
    {},
    (given) => ('id' in given ? good(given) : 'Ada, 12.50 EUR'),
  ],
  [
    'wrong-type-accepted',
    'an object passes for an id',
    {},
    (given) => (typeof given['id'] === 'object' ? 'order [object Object]' : good(given)),
  ],
  ['empty-for-unknown', 'an unknown id is answered with an empty object', {}, ({ id }) => orders[String(id)] ?? '{}'],
  ['empty-for-unknown', 'an unknown id is answered as if it existed', {}, ({ id }) => `order ${String(id)}: open`],
  [
    'error-as-success',
    'a failure is not marked as one',
    {},
    ({ id }) => orders[String(id)] ?? 'Sorry, something went wrong.',
  ],
  [
    'error-as-success',
    'a failure in another language is not marked as one',
    {},
    ({ id }) => orders[String(id)] ?? 'Es ist ein Fehler aufgetreten.',
  ],
  [
    'error-as-success',
    'an object says that it failed',
    {},
    ({ id }) => orders[String(id)] ?? '{"ok":false,"reason":"gone"}',
  ],
  [
    'unhelpful-error',
    'an error speaks of the code',
    {},
    ({ id }) => orders[String(id)] ?? refused("Cannot read properties of undefined (reading 'total')"),
  ],
  [
    'stack-trace',
    'an error has a trace',
    {},
    ({ id }) =>
      orders[String(id)] ?? refused('Error: no order\n    at find (orders.js:41:11)\n    at run (main.js:8:2)'),
  ],
  [
    'path-shown',
    'an error has a path of the machine',
    {},
    ({ id }) => orders[String(id)] ?? refused('no such order in /srv/app/data/orders.json'),
  ],
  [
    'secret-shown',
    'an error has an address with a password',
    {},
    ({ id }) => orders[String(id)] ?? refused('no row at postgres://app:kX9-pliers@10.0.0.1/db'),
  ],
  [
    'secret-shown',
    'a result has a value of the environment',
    {},
    (given) => (orders[String(given['id'])] === undefined ? good(given) : 'key hunter2!'),
  ],
  [
    'crashes',
    'an empty id ends the process',
    {},
    (given) => (given['id'] === '' ? { kind: 'gone', detail: 'exit code 1', ms: 4 } : good(given)),
  ],
  [
    'hangs',
    'an empty id is never answered',
    {},
    (given) => (given['id'] === '' ? { kind: 'silence', ms: 10_000 } : good(given)),
  ],
  [
    'always-fails',
    'every call fails, whatever its arguments are',
    {},
    () => refused('the catalogue answers 503 Service Unavailable'),
  ],
  [
    'lists-unknown-tool',
    'the server does not know it',
    {},
    () => ({ kind: 'error', code: -32_602, text: 'Unknown tool: get_order', ms: 2 }),
  ],
  [
    'huge-result',
    'a result takes 50,000 tokens',
    {},
    (given) => (orders[String(given['id'])] === undefined ? good(given) : 'word '.repeat(50_000)),
  ],
  [
    'binary-as-text',
    'a result is a picture in base64',
    {},
    (given) => (orders[String(given['id'])] === undefined ? good(given) : 'iVBORw0KGgoAAAANSUhEUgAA5x'.repeat(60)),
  ],
  [
    'unsteady-result',
    'each call gives another result',
    {},
    (given, count) =>
      orders[String(given['id'])] === undefined ? good(given) : `${String(given['id'])} costs ${(count * 37) % 11} EUR`,
  ],
  [
    'dies-after-many-calls',
    'it fails after thirty calls',
    {},
    (given, count) => (count > 30 ? refused('too many open files') : good(given)),
  ],
  ['slow', 'a call takes 4 s', {}, (given) => ({ ...answerOf(good(given)), ms: 4_000 })],
  [
    'slows-down',
    'calls take longer and longer',
    {},
    (given, count) => ({ ...answerOf(good(given)), ms: 5 + count * 8 }),
  ],
  [
    'bounds-ignored',
    'more than the maximum is accepted',
    withLimit,
    ({ limit, unit }) =>
      typeof limit === 'number' && (unit === 'km' || unit === 'mi')
        ? `${limit} ${unit}`
        : refused('`limit` must be a number from 1 to 50, `unit` km or mi'),
  ],
  [
    'value-outside-enum-accepted',
    'a value that the enum does not have is accepted',
    withLimit,
    ({ limit, unit }) =>
      typeof limit === 'number' && limit > 0 && limit < 51 && typeof unit === 'string'
        ? `${limit} ${unit}`
        : refused('`limit` must be a number from 1 to 50, `unit` a text'),
  ],
  [
    'output-schema-broken',
    'a result does not fit the declared schema',
    { outputSchema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] } },
    (given) =>
      orders[String(given['id'])] === undefined
        ? good(given)
        : { text: '{"total":"12.50"}', structured: { total: '12.50' } },
  ],
  [
    'output-schema-missing',
    'structured content has no schema',
    {},
    (given) =>
      orders[String(given['id'])] === undefined ? good(given) : { text: '{"total":12.5}', structured: { total: 12.5 } },
  ],
  [
    'text-contradicts-structure',
    'the text has other numbers',
    { outputSchema: { type: 'object' } },
    (given) =>
      orders[String(given['id'])] === undefined
        ? good(given)
        : { text: 'The order has 3 items.', structured: { items: ['a', 'b'] } },
  ],
])('%s', (rule, when, tool, play) => {
  test(`is found where ${when}`, () => {
    expect(rulesOf(probe(tool, play))).toContain(rule);
  });
});

test('answers of calls made at once that are those of other calls are found', () => {
  const mixed = probe({}, good, (calls) => calls.map(() => good(calls.at(-1) ?? {})));
  expect(rulesOf(mixed)).toEqual(['mixes-parallel-calls']);
});

test('an argument that calls need, and the schema does not require, is found by a call without it', () => {
  const inputSchema = {
    type: 'object',
    properties: { ...byId.properties, shop: { type: 'string', enum: ['north', 'south'] } },
    required: ['id'],
  };
  const needsShop = (given: Arguments) =>
    given['shop'] === 'north' || given['shop'] === 'south' ? good(given) : refused('`shop` must be north or south');
  const probed = probe({ inputSchema }, needsShop);
  expect(rulesOf(probed)).toEqual(['optional-contradicted']);
  expect(probed.findings[0]?.call?.arguments).not.toHaveProperty('shop');
});

test('a tool whose calls all fail for want of a network is a finding of medium severity, and none where others do too', () => {
  const probed = probe({}, () => refused('fetch failed: getaddrinfo ENOTFOUND api.example.com'));
  expect(probed.findings.map(({ rule, severity }) => [rule, severity])).toEqual([['always-fails', 'medium']]);
  expect(probed.unsettled).toContain('ENOTFOUND');
  expect(withoutSharedSurroundings(probed.findings)).toEqual(probed.findings);
  expect(withoutSharedSurroundings([...probed.findings, ...probed.findings])).toEqual([]);
});

describe('a tool that may change something', () => {
  const everything = (tool: Partial<ListedTool>): Arguments[] => {
    const seen: Arguments[] = [];
    probe({ ...tool, name: 'write_note' }, (given) => (seen.push(given), 'written'), undefined, true);
    return seen;
  };

  test('is not called again and again', () => {
    expect(everything({}).length).toBeLessThan(15);
  });

  test('gets no path but those that begin with sextant-check, however its path is called', () => {
    for (const name of ['path', 'file', 'targetDir', 'repo_path', 'workspace']) {
      const properties = { [name]: { type: 'string', description: 'Such as /etc/passwd.', examples: ['README.md'] } };
      const given = everything({ inputSchema: { type: 'object', properties, required: [name] } });
      expect(given.length).toBeGreaterThan(2);
      for (const each of given)
        expect(['undefined', 'object', 'string:sextant-check', 'string:qqqqqqq-qqqqq']).toContain(
          typeof each[name] === 'string' ? `string:${each[name].replace(/\/.*/, '')}` : typeof each[name],
        );
    }
  });
});

test('a result that changes as its description says is no finding', () => {
  const probed = probe({ description: 'The current price.' }, (given, count) =>
    orders[String(given['id'])] === undefined ? good(given) : `${count % 7} EUR`,
  );
  expect(rulesOf(probed)).toEqual([]);
});

test.each([
  ['The id, e.g. A-17.', 'string', ['A-17']],
  ['Código postal, por ejemplo 28001', 'string', ['28001']],
  ['アルバムのID（例: alb-1）', 'string', ['alb-1']],
  ['Either "km" or "mi", for example "km".', 'string', ['km']],
  ['How many, such as 5', 'integer', [5]],
  ['A number like a person would say it', 'string', []],
])('the examples of "%s" are found', (text, type, found) => {
  expect(examplesInText(text, type)).toEqual(found);
});

describe('a list that ends in silence', () => {
  const tool = (description: string, properties = {}) => ({
    name: 'list_orders',
    description,
    inputSchema: { type: 'object', properties },
  });
  const listOf = (length: number, given: Arguments = {}) => ({
    arguments: given,
    answer: {
      kind: 'result',
      isError: false,
      text: JSON.stringify(Array.from({ length }, (_, at) => at)),
      structured: undefined,
      ms: 5,
    } as const,
  });

  test('is one that has the same round count for different arguments', () => {
    const samples = [listOf(25, { of: 'a' }), listOf(25, { of: 'b' })];
    expect(findSilentCut(tool('Lists orders.'), samples)?.items).toBe(25);
    expect(findSilentCut(tool('Lists the first 25 orders.'), samples)).toBeNull();
    expect(findSilentCut(tool('Lists orders.'), [listOf(25, { of: 'a' }), listOf(12, { of: 'b' })])).toBeNull();
    expect(findSilentCut(tool('Lists orders.'), [listOf(50)])).toBeNull();
  });

  test('is one that is shorter than what was asked for', () => {
    const limited = tool('Lists orders.', { limit: { type: 'integer', default: 100 } });
    expect(findSilentCut(limited, [listOf(25)])?.items).toBe(25);
    expect(findSilentCut(limited, [listOf(25, { limit: 25 })])).toBeNull();
    expect(findSilentCut(limited, [listOf(17)])).toBeNull();
  });

  test('is one that ignores how many are asked for from a number on, whatever the argument is called', () => {
    const inputSchema = { type: 'object', properties: { anzahl: { type: 'integer', maximum: 50 } } };
    const wines = (most: number) => (given: Arguments) =>
      JSON.stringify(Array.from({ length: Math.min(most, Number(given['anzahl'] ?? most)) }, (_, at) => ({ at })));
    expect(rulesOf(probe({ name: 'weine', inputSchema }, wines(12)))).toContain('cut-in-silence');
    expect(rulesOf(probe({ name: 'weine', inputSchema }, wines(50)))).not.toContain('cut-in-silence');
    expect(rulesOf(probe({ name: 'weine', inputSchema }, wines(13)))).not.toContain('cut-in-silence');
  });
});

test.each([
  ['29 kWh in total\n2025-03-04: 7.5 kWh', { total_kwh: 31.2 }, true],
  ['31.2 kWh in total', { total_kwh: 31.2 }, false],
  ['Total: 31 kWh', { totalKwh: 31.2 }, false],
  ['Nothing was used.', { total_kwh: 31.2 }, false],
  ['3 of 4 orders are open', { orders: 4, open: 3 }, false],
])('"%s" contradicts a number of %j by its name: %s', (text, structured, expected) => {
  expect(contradictsNamedNumber({ kind: 'result', isError: false, text, structured, ms: 5 })).toBe(expected);
});

test('a call that gets the refusal of another one made at the same time is mixed up with it', () => {
  const together = (calls: readonly Arguments[]) =>
    calls.map(({ id }) => refused(`There is no order ${String(id)}. list_orders shows those there are.`));
  const inputSchema = { ...byId, properties: { id: { type: 'string', description: 'The id, such as A-17.' } } };
  expect(rulesOf(probe({ inputSchema }, good, together))).toContain('mixes-parallel-calls');
  const busy = (calls: readonly Arguments[]) => calls.map(() => refused('Too many requests: one at a time, please.'));
  expect(rulesOf(probe({ inputSchema }, good, busy))).not.toContain('mixes-parallel-calls');
});

test('a code that does not exist has an answer that says so, whatever its argument is called', () => {
  const inputSchema = {
    type: 'object',
    properties: { eco: { type: 'string', description: 'ECO code, e.g. "C60"' } },
    required: ['eco'],
  };
  const play = ({ eco }: Arguments): Reply | string => {
    if (typeof eco !== 'string' || eco === '') return refused('`eco` must be an ECO code, such as C60.');
    return JSON.stringify(eco === 'C60' ? { eco, name: 'Ruy Lopez' } : {});
  };
  expect(rulesOf(probe({ name: 'getOpening', inputSchema }, play))).toContain('empty-for-unknown');
});

test('a failure of a plain call that is not marked as one is a finding, though no call succeeds', () => {
  const probed = probe({}, ({ id }) => `Sorry, order ${String(id)} could not be found.`);
  expect(rulesOf(probed)).toEqual(['error-as-success']);
});

test('a search by another verb than an English one may not answer an empty text with everything', () => {
  const names = ['Bello', 'Bella', 'Rex', 'Minka', 'Fips'];
  const inputSchema = {
    type: 'object',
    properties: { name: { type: 'string', examples: ['bell'] } },
    required: ['name'],
  };
  const play = ({ name }: Arguments): Reply | string =>
    typeof name === 'string'
      ? JSON.stringify(names.filter((each) => each.toLowerCase().includes(name.toLowerCase())))
      : refused('`name` must be a part of a name.');
  expect(rulesOf(probe({ name: 'patient_suchen', inputSchema }, play))).toContain('empty-is-everything');
});

test('a value that a refusal names is tried, and an example that the tool refuses is a finding', () => {
  const schemaWith = (example: string) => ({
    type: 'object',
    properties: { jour: { type: 'string', examples: [example] } },
    required: ['jour'],
  });
  const play = ({ jour }: Arguments): Reply | string =>
    /^\d{4}-\d\d-\d\d$/.test(String(jour))
      ? 'soupe'
      : refused('L’argument « jour » doit avoir la forme AAAA-MM-JJ, comme 2026-03-09.');
  expect(rulesOf(probe({ name: 'menu_du_jour', inputSchema: schemaWith('12/03/2026') }, play))).toContain(
    'example-refused',
  );
  expect(rulesOf(probe({ name: 'menu_du_jour', inputSchema: schemaWith('2026-03-12') }, play))).not.toContain(
    'example-refused',
  );
});

test.each([
  ['{"DATABASE_URL":"postgres://shop:Tr0ub4dor-9x!@db.internal:5432/shop"}', true],
  ['{"SESSION_SECRET":"b7e1f0c4a92d4f6c8a33"}', true],
  ['{"DATABASE_URL":"postgres://shop:***@db.internal/shop"}', false],
  ['{"token":"b7e1f0c4a92d4f6c8a33"}', false],
  ['{"API_KEY":"<your key>"}', false],
])('the result %s shows a secret: %s', (text, expected) => {
  expect(
    rulesOf(probe({}, (given) => (typeof good(given) === 'string' ? text : good(given)))).includes('secret-shown'),
  ).toBe(expected);
});

test('errors are no failure of a tool that is asked about errors', () => {
  const trace = 'Error: no\n    at run (app.js:3:5)';
  const inputSchema = {
    type: 'object',
    properties: { trace: { type: 'string', examples: [trace] } },
    required: ['trace'],
  };
  const play = ({ trace: given }: Arguments): Reply | string =>
    typeof given === 'string' && given.includes('at run')
      ? JSON.stringify({ error: 'Error: no', frames: 1 })
      : refused('`trace` has no frames; each is a line such as "    at run (app.js:3:5)".');
  expect(rulesOf(probe({ name: 'parse_stack_trace', inputSchema }, play))).toEqual([]);
  expect(rulesOf(probe({ name: 'parse_page', inputSchema }, play))).toContain('stack-trace');
});

test.each([
  ['Ошибка. Обратитесь к администратору.'],
  ['Ein Fehler ist aufgetreten. Bitte wenden Sie sich an den Administrator.'],
  ['発生しました', false],
  ['Une erreur est survenue. Veuillez réessayer plus tard.'],
  ['エラーが発生しました。管理者にお問い合わせください。'],
  ['An error has occurred. Please contact support.'],
  ['Der Auftrag 7 ist geschlossen. Bitte versuchen Sie es erneut.', false],
])('"%s" as an error does not help: %s', (text, expected = true) => {
  expect(whyUnhelpful(text) !== null).toBe(expected);
});

test.each([
  ['It lies in 1 district: flood.', { districts: ['flood', 'fire'] }, true],
  ['It lies in 2 districts.', { districts: ['flood', 'fire'] }, false],
  ['12.5 EUR', { total: 12.4987 }, false],
  ['50% are done', { done: 0.5 }, false],
  ['Order A-17 of 2026-03-14', { id: 'A-17', day: '2026-03-14', items: 3 }, null],
  ['No order is open.', { open: 3 }, null],
])('"%s" beside %j has other numbers: %s', (text, structured, expected) => {
  const answer = { kind: 'result', isError: false, text, structured, ms: 5 } as const;
  expect(saysOtherNumbers(answer, { id: 'A-17' })).toBe(expected);
});

describe('twins by behaviour', () => {
  const tool = (name: string, inputSchema: ListedTool['inputSchema'] = byId): ListedTool => ({ name, inputSchema });
  const sample = (id: string) => ({
    arguments: { id },
    answer: { kind: 'result', isError: false, text: orders[id] ?? '', structured: undefined, ms: 5 } as const,
  });
  const twinsOf = (one: ListedTool, other: ListedTool, play: (given: Arguments) => Reply | string) => {
    const samples = [sample('A-17'), sample('A-18')];
    const search = findTwins('shop', [
      { tool: one, samples },
      { tool: other, samples: [] },
    ]);
    let step = search.next();
    while (step.done !== true) step = search.next(answerOf(play(step.value.arguments)));
    return step.value.map(({ tool: found, others }) => [found, ...others]);
  };

  test('are tools that give the same for all calls that were tried, whatever their arguments are called', () => {
    expect(twinsOf(tool('get_order'), tool('show_order'), good)).toEqual([['shop/get_order', 'shop/show_order']]);
    const byKey = { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] };
    expect(twinsOf(tool('get_order'), tool('show_order', byKey), ({ key }) => good({ id: key }))).toHaveLength(1);
    expect(twinsOf(tool('get_order'), tool('get_price'), ({ id }) => `${String(id)} costs 5 EUR`)).toEqual([]);
  });

  test('are no tools without required arguments of which one takes others', () => {
    const none = { type: 'object', properties: {} };
    const filtered = { type: 'object', properties: { status: { type: 'string' } } };
    expect(twinsOf(tool('list_orders', none), tool('search_orders', filtered), () => orders['A-17'] ?? '')).toEqual([]);
  });
});
