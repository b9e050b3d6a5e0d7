import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import { arrayOrEmpty, isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import type { ListedTool } from '../listed-tool.ts';
import { wordsOf, type KnownValues } from './known-values.ts';
import type { Arguments } from './answer.ts';

/** An argument of a tool: its name, its schema, and whether the schema requires it. */
export interface Argument {
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}

const deepest = 4;

/** Returns the arguments of a tool at the top level, with references into the schema resolved. */
export function argumentsOf({ inputSchema }: Pick<ListedTool, 'inputSchema'>): Argument[] {
  const { properties } = inputSchema;
  const required = arrayOrEmpty(inputSchema['required']);
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: resolve(schema, inputSchema),
    required: required.includes(name),
  }));
}

/** Returns a schema without references and alternatives at its top: the first alternative that is not null stands for all. */
function resolve(schema: unknown, root: JsonObject, depth = 0): JsonObject {
  if (!isJsonObject(schema) || depth > deepest) return {};
  const { $ref: reference } = schema;
  if (typeof reference === 'string' && reference.startsWith('#/')) {
    const target = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (isJsonObject(at) ? at[key] : undefined), root);
    return { ...resolve(target, root, depth + 1), ...withoutKey(schema, '$ref') };
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const branches = arrayOrEmpty(schema[key]).filter(isJsonObject);
    const branch = branches.find(({ type }) => type !== 'null');
    if (branch !== undefined) return { ...resolve(branch, root, depth + 1), ...withoutKey(schema, key) };
  }
  return schema;
}

const withoutKey = (schema: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));

/** Returns the JSON type of a schema, the first that is not null; undefined if it states none. */
export function typeOf({ type, properties, items }: JsonObject): string | undefined {
  const first: unknown = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
  if (typeof first === 'string') return first;
  return isJsonObject(properties) ? 'object' : items === undefined ? undefined : 'array';
}

/** What values for arguments are made from. */
export interface Sampling {
  readonly tool: ListedTool;
  /** The words of what the tool is about. */
  readonly about: readonly string[];
  readonly known: KnownValues;
  /** Whether calls may change something: paths then lead to nothing that anybody needs. */
  readonly mayChange: boolean;
}

const pathWords = new Set('path file filename folder dir directory root cwd repo workspace destination'.split(' '));

/** Whether an argument says where something lies on the machine of the server. */
export const isPath = (name: string): boolean => wordsOf(name).some((word) => pathWords.has(word));

/** Where tools that may change something are sent. */
const harmlessPaths = ['sextant-check', 'sextant-check/a.txt'];

/**
 * Returns arguments that a tool should accept: the required ones, and those of `also`. Higher turns take other values. Every value comes from the schema, from
 * examples in descriptions, from what the server has shown, or from a table of plain ones.
 */
export const sampleArguments = (sampling: Sampling, turn: number, also: readonly string[] = []): Arguments =>
  Object.fromEntries(
    argumentsOf(sampling.tool)
      .filter(({ name, required }) => required || also.includes(name))
      .map(({ name, schema }) => {
        const values = sampleValues(name, schema, sampling, 0);
        return [name, values[turn % Math.max(1, values.length)] ?? ''];
      }),
  );

/** Returns values for an argument, the most certain ones first. */
export function sampleValues(name: string, schema: JsonObject, sampling: Sampling, depth = 0): unknown[] {
  const { tool, about, known } = sampling;
  if ('const' in schema) return [schema['const']];
  const listed = arrayOrEmpty(schema['enum']);
  if (listed.length > 0) return [...listed];
  const type = typeOf(schema) ?? 'string';
  if (sampling.mayChange && type === 'string' && isPath(name)) return harmlessPaths;
  const stated = [
    ...arrayOrEmpty(schema['examples']),
    ...examplesInText(textOf(schema['description']), type),
    ...(schema['default'] === undefined || schema['default'] === null ? [] : [schema['default']]),
  ];
  const shown =
    type === 'string' || type === 'integer' || type === 'number' ? shownValues(name, type, about, known) : [];
  const values = [...stated, ...shown, ...plainValues(name, schema, type, sampling, depth)];
  const fitting = values.filter(
    (value) => checkValueAgainstSchema(withoutKey(schema, '$ref'), value).verdict !== 'violates',
  );
  const unique = [
    ...new Map((fitting.length > 0 ? fitting : values).map((value) => [JSON.stringify(value), value])).values(),
  ];
  return unique.length > 0 ? unique : examplesInText(textOf(tool.description), type);
}

/** Returns a text, or an empty one for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const shownValues = (name: string, type: string, about: readonly string[], known: KnownValues): unknown[] =>
  known.find(name, about).flatMap((value): unknown[] => {
    if (type === 'string') return [String(value)];
    const number = Number(value);
    return Number.isFinite(number) && (type === 'number' || Number.isInteger(number)) ? [number] : [];
  });

/** Returns the examples that a text gives: behind "e.g.", "for example", "such as" or "like", and what is quoted there. */
export function examplesInText(text: string, type: string): unknown[] {
  const parts = [
    ...text.matchAll(
      /(?:\be\.?g\.?,?:?|\bfor example,?:?|\bfor instance,?|\bsuch as|\bexamples?:?|\blike|\bz\.\s?B\.|\bzum Beispiel|\bp\. ?ej\.?|\bpor ejemplo|\bpor exemplo|\bpar ex(?:emple|\.)|\bad es(?:empio|\.)|\bbijv(?:oorbeeld|\.)|\bnp\.|например|напр\.|例如|比如|譬如|例えば|たとえば|例[：:]?|예[：:]|예를 들어),?\s*([^\n;)）」】。]{1,120})/giu,
    ),
  ].map((match) => match[1] ?? '');
  const found = parts.flatMap((part) => {
    const quoted = [...part.matchAll(/["'`“„«]([^"'`”“»]{1,80})["'`”“»]/gu)].map((match) => match[1] ?? '');
    if (quoted.length > 0) return quoted;
    const first = /^[^\s,，、()（）]+/u.exec(part)?.[0].replace(/[.:]$/, '') ?? '';
    return first === '' ||
      /^(?:an?|the|when|if|in|for|to|this|is|und|oder|der|die|das|el|la|un|una|le|les)$/i.test(first)
      ? []
      : [first];
  });
  return found.flatMap((each): unknown[] => {
    if (type === 'string') return [each];
    if (type === 'integer' || type === 'number') return Number.isFinite(Number(each)) ? [Number(each)] : [];
    return [];
  });
}

function plainValues(name: string, schema: JsonObject, type: string, sampling: Sampling, depth: number): unknown[] {
  switch (type) {
    case 'integer':
    case 'number':
      return plainNumbers(schema, type === 'integer');
    case 'boolean':
      return [true, false];
    case 'array': {
      const item = resolve(schema['items'], sampling.tool.inputSchema);
      const items = depth < deepest ? sampleValues(name, item, sampling, depth + 1) : [];
      const least = Math.max(1, Number(schema['minItems'] ?? 1));
      const lists = [least, least + 1].map((count) =>
        Array.from({ length: count }, (_, at) => items[at % Math.max(1, items.length)] ?? ''),
      );
      return lists;
    }
    case 'object': {
      const { properties } = schema;
      if (!isJsonObject(properties) || depth >= deepest) return [{}];
      const required = arrayOrEmpty(schema['required']);
      const entries = Object.entries(properties).filter(([key]) => required.includes(key));
      return [
        Object.fromEntries(
          entries.map(([key, each]) => [
            key,
            sampleValues(key, resolve(each, sampling.tool.inputSchema), sampling, depth + 1)[0] ?? '',
          ]),
        ),
      ];
    }
    default:
      return plainTexts(name, schema);
  }
}

function plainNumbers(schema: JsonObject, whole: boolean): number[] {
  const least = Number(
    schema['minimum'] ?? (schema['exclusiveMinimum'] === undefined ? 1 : Number(schema['exclusiveMinimum']) + 1),
  );
  const most = Number(schema['maximum'] ?? Math.max(least, 10));
  const values = [Math.min(Math.max(5, least), most), least, most, whole ? least + 1 : least + 0.5];
  return values.filter((value) => value >= least && value <= most);
}

/** Values by the last word of a name. */
const textsByWord: Readonly<Record<string, readonly string[]>> = {
  city: ['Berlin', 'Paris'],
  location: ['Berlin', 'Paris'],
  place: ['Berlin', 'Paris'],
  country: ['France', 'Japan'],
  language: ['en', 'de'],
  lang: ['en', 'de'],
  locale: ['en-US', 'de-DE'],
  currency: ['EUR', 'USD'],
  timezone: ['Europe/Berlin', 'UTC'],
  tz: ['Europe/Berlin', 'UTC'],
  zone: ['Europe/Berlin', 'UTC'],
  date: ['2026-03-14', '2026-11-02'],
  day: ['2026-03-14', 'Monday'],
  time: ['2026-03-14T09:30:00Z', '09:30'],
  datetime: ['2026-03-14T09:30:00Z', '2026-11-02T18:00:00Z'],
  month: ['2026-03', 'March'],
  year: ['2026', '2025'],
  email: ['ada@example.com', 'alan@example.org'],
  url: ['https://example.com/', 'https://example.org/a'],
  uri: ['https://example.com/', 'https://example.org/a'],
  path: ['.', 'README.md'],
  file: ['README.md', 'notes.txt'],
  color: ['#3366cc', 'red'],
  colour: ['#3366cc', 'red'],
  hex: ['#3366cc', 'ff8800'],
  json: ['{"a":1}', '[1,2,3]'],
  csv: ['a,b\n1,2', 'x,y\n3,4'],
  expression: ['2+3*4', '7*6'],
  formula: ['2+3*4', '7*6'],
  regex: ['[a-z]+', '\\d+'],
  pattern: ['[a-z]+', '\\d+'],
  cron: ['0 9 * * 1', '*/5 * * * *'],
  sql: ['SELECT 1', 'SELECT 2'],
  ip: ['192.0.2.7', '198.51.100.9'],
  domain: ['example.com', 'example.org'],
  host: ['example.com', 'localhost'],
  phone: ['+49 30 1234567', '+1 202 555 0143'],
  version: ['1.2.3', '2.0.0'],
  base64: ['aGVsbG8=', 'd29ybGQ='],
  uuid: ['3f2b8c1e-4d5a-4b6c-8d7e-9f0a1b2c3d4e', '123e4567-e89b-42d3-a456-426614174000'],
  unit: ['km', 'kg'],
  symbol: ['AAPL', 'MSFT'],
  ticker: ['AAPL', 'MSFT'],
};

const textsByFormat: Readonly<Record<string, readonly string[]>> = {
  date: textsByWord['date'] ?? [],
  'date-time': textsByWord['datetime'] ?? [],
  time: ['09:30:00Z', '18:00:00Z'],
  email: textsByWord['email'] ?? [],
  uri: textsByWord['url'] ?? [],
  url: textsByWord['url'] ?? [],
  uuid: textsByWord['uuid'] ?? [],
  ipv4: textsByWord['ip'] ?? [],
  hostname: textsByWord['domain'] ?? [],
};

function plainTexts(name: string, schema: JsonObject): string[] {
  const { format, pattern, description } = schema;
  const formed = typeof format === 'string' ? (textsByFormat[format] ?? []) : [];
  const words = wordsOf(name);
  const named = words.toReversed().flatMap((word) => textsByWord[word] ?? []);
  const dated = /YYYY-MM-DD|ISO ?8601/i.test(textOf(description)) ? ['2026-03-14', '2026-03-14T09:30:00Z'] : [];
  const matching = typeof pattern === 'string' ? textsOfPattern(pattern) : [];
  return [...matching, ...formed, ...dated, ...named, 'apple', 'The quick brown fox', 'tea'];
}

/** Returns texts for the commonest patterns: groups of letters and digits of a stated number, with plain characters between. */
function textsOfPattern(pattern: string): string[] {
  const body = pattern.replace(/^\^/, '').replace(/\$$/, '');
  const make = (letter: string, digit: string): string | null => {
    let rest = body;
    let text = '';
    while (rest !== '') {
      const part = /^(\[[^\]]+\]|\\d|\\w|\\.|[^[\\(){}*+?|.])(\{(\d+)(?:,\d*)?\}|\+|\*|\?)?/.exec(rest);
      if (part === null) return null;
      const [whole, unit = '', , count] = part;
      const times = count === undefined ? 1 : Number(count);
      const one =
        unit === '\\d' || /^\[(?:0|1)-9/.test(unit)
          ? digit
          : unit === '\\w' || unit.startsWith('[a-z')
            ? letter.toLowerCase()
            : unit.startsWith('[A-Z')
              ? letter
              : unit.startsWith('[')
                ? (unit[1] ?? '')
                : unit.replace(/^\\/, '');
      text += one.repeat(Math.min(times, 50));
      rest = rest.slice(whole.length);
    }
    return text;
  };
  return [make('A', '1'), make('B', '2')].flatMap((text) => text ?? []);
}
