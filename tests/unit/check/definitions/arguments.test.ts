import { describe, expect, test } from 'vitest';
import { findingsOf, namesOf, tool } from './listed.ts';

const text = (description: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'string',
  description,
  ...more,
});
const whole = (description: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'integer',
  description,
  ...more,
});
const one = (name: string, argument: unknown, required: readonly string[] = []) => [
  tool('prepare_shipment', 'Packs an order and prints its label.', { [name]: argument }, { required }),
];

describe('arguments that a model cannot fill in are found', () => {
  test.each([
    ['mode', text('The mode.')],
    ['q', text('The q parameter.')],
    ['data', { type: 'object', description: 'Data object.' }],
    ['options', { description: 'The options to use.' }],
    ['type', text('Type value', { examples: ['a'] })],
    ['date', text('The date.')],
    ['start_date', text('First day of the period.')],
    ['datum', text('Das Datum.', { examples: ['07.03.2025'] })],
    ['weight', { type: 'number', description: 'Weight of the parcel.' }],
    ['timeout', whole('How long to wait.')],
  ])('%s: %o', (name, argument) => {
    expect(namesOf('argument-unclear', one(name, argument, [name]))).toEqual(['shop/prepare_shipment']);
  });

  test.each([
    ['mode', text('The mode.', { enum: ['fast', 'safe'] })],
    ['mode', text('How labels are printed: "a4" or "roll".')],
    ['city', text('The city.')],
    ['value', text('New value for the field')],
    ['q', text('Words of the title.')],
    ['date', text('The date.', { format: 'date' })],
    ['date', text('Date string (ISO8601)')],
    ['date', text('The day, e.g. 2025-03-07.')],
    ['date', text('The day.', { examples: ['2025-03-07'] })],
    ['date', text('The date.', { default: 'today' })],
    ['date_format', text('How dates are written.')],
    ['timezone', text('The time zone.')],
    ['weight', { type: 'number', description: 'Weight in kg.' }],
    ['weight_kg', { type: 'number', description: 'Weight of the parcel.' }],
    ['page_size', whole('Size of a page.')],
    ['temperature', { type: 'number', description: 'Sampling temperature of the model.' }],
    ['depth', whole('Depth of the tree.')],
  ])('%s: %o is clear', (name, argument) => {
    expect(namesOf('argument-unclear', one(name, argument, [name]))).toEqual([]);
  });

  test('a required argument without words is worse if its name says nothing', () => {
    const severityOf = (name: string) =>
      findingsOf('arguments-undescribed', one(name, { type: 'string' }, [name]))[0]?.severity;
    expect([severityOf('q'), severityOf('path')]).toEqual(['medium', 'low']);
  });
});

describe('examples that the schema refuses are found', () => {
  test.each([
    ['unit', text('Unit, e.g. "celsius".', { enum: ['C', 'F'] })],
    ['unit', text('Unit (e.g. celsius or fahrenheit).', { enum: ['C', 'F'] })],
    ['id', text('Id, such as ORD-12.', { pattern: '^O[0-9]{6}$' })],
    ['day', text('Day, for example 12.05.2024.', { format: 'date' })],
    ['count', whole('How many, e.g. "ten".')],
    ['count', whole('How many, e.g. 500.', { maximum: 100 })],
    ['unit', text('Unit.', { enum: ['C', 'F'], examples: ['K'] })],
    ['currency', text('Code (e.g. euro, dollar).', { pattern: '^[A-Z]{3}$', examples: ['euro'] })],
    ['einheit', text('Einheit, z. B. "Liter".', { enum: ['l', 'ml'] })],
  ])('%s: %o', (name, argument) => {
    expect(findingsOf('example-refused', one(name, argument))[0]?.sentence).toContain(`\`${name}\``);
  });

  test('they are found in JSON and in calls that a description shows', () => {
    const unit = { unit: text('The unit.', { enum: ['C', 'F'] }) };
    const shown = ['For example {"unit": "celsius"}.', 'For example convert(unit="celsius").'];
    expect(
      shown.map((words) => namesOf('example-refused', [tool('convert', `Converts. ${words}`, unit)]).length),
    ).toEqual([1, 1]);
  });

  test.each([
    ['unit', text('Unit, e.g. "C" or "F".', { enum: ['C', 'F'] })],
    ['id', text('Begins with letters, such as NP and six digits.', { pattern: '^NP[0-9]{6}$' })],
    ['id', text('Id of the question, such as q-101 (up to q-130).', { pattern: '^q-[0-9]{3}$' })],
    ['id', text('Not the number, e.g. "12".', { pattern: '^O[0-9]{6}$' })],
    ['value', { anyOf: [{ type: 'number' }, { type: 'string' }], description: 'Also as text, e.g. "2.675".' }],
    ['tags', { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, description: 'Tags, e.g. "a", "b".' }],
    ['tags', { type: 'array', items: { type: 'string' }, description: 'Tags, e.g. ["red"].' }],
    ['limit', whole('How many, e.g. 1,000.', { maximum: 5000, minimum: 10 })],
    ['city', text('A city such as the capital of a country.', { pattern: '^[A-Z]' })],
    ['code', text('Code of a colour, e.g. `#ff0000`.', { pattern: '^#[0-9a-f]{6}$' })],
  ])('%s: %o is fine', (name, argument) => {
    expect(namesOf('example-refused', one(name, argument))).toEqual([]);
  });

  test('an example of a result is none of an argument', () => {
    const id = { id: text('The id.', { pattern: '^O[0-9]{6}$' }) };
    expect(namesOf('example-refused', [tool('state', 'Returns the state of an order, e.g. "paid".', id)])).toEqual([]);
  });
});

describe('defaults that the schema refuses are found', () => {
  test.each([
    ['a bound', whole('How many.', { minimum: 1, default: 0 }), 1],
    ['a list', text('Unit.', { enum: ['C', 'F'], default: 'K' }), 1],
    ['a type', whole('How many.', { default: '10' }), 1],
    ['nothing, for one that fits', whole('How many.', { minimum: 1, default: 1 }), 0],
    ['nothing, for null', text('Unit.', { default: null }), 0],
  ])('by %s', (_, argument, count) => {
    expect(namesOf('default-refused', one('limit', argument))).toHaveLength(count);
  });
});

describe('words about what may be left out are compared with the schema', () => {
  test.each([
    ['limit (optional)', text('How many (optional).'), true],
    ['Optional.', text('Optional. How many.'), true],
    ['if omitted', text('How many; 10 if omitted.'), true],
    ['a default', text('How many. Defaults to 10.'), true],
    ['opcional', text('Opcional. Cuántos.'), true],
    ['可选', text('可选，数量'), true],
    ['required', text('(required) How many.'), false],
    ['Required.', text('How many. Required.'), false],
    ['必填', text('必填，数量'), false],
    ['erforderlich', text('Anzahl, erforderlich.'), false],
  ])('%s contradicts it', (_, argument, isRequired) => {
    expect(namesOf('optional-contradicted', one('limit', argument, isRequired ? ['limit'] : []))).toHaveLength(1);
  });

  test('the words of the tool count as well', () => {
    const tools = [
      tool('list_orders', 'Lists orders. `limit` is optional.', { limit: whole('How many.') }, { required: ['limit'] }),
    ];
    expect(namesOf('optional-contradicted', tools)).toHaveLength(1);
  });

  test.each([
    ['one that may be left out', text('How many (optional).'), false],
    ['one that is needed', text('Required. How many.'), true],
    ['a condition', text('Required if `mode` is set.'), false],
    ['another subject', text('Pattern with optional parts.'), true],
    ['a default that is a name', text('Owner or roles (Default Admin Rules).'), true],
    ['another requirement', text('Batch mint (sequential minting is mandatory).'), false],
    ['what a user needs', text('Required for deliveries abroad.'), false],
    ['a default of the schema', text('Required.', { default: 'a' }), false],
    ['something else that is missing', text('Order; if `id` is not given, the newest.'), true],
  ])('%s is fine', (_, argument, isRequired) => {
    expect(namesOf('optional-contradicted', one('limit', argument, isRequired ? ['limit'] : []))).toEqual([]);
  });
});

describe('values in texts are compared with the schema', () => {
  test.each([
    ['a list', text('One of: open, closed, all.', { enum: ['open', 'closed'] })],
    ['a list without an introduction', whole('Period in years: 2, 5, 10, 50 or 100', { enum: [2, 5, 10, 20] })],
    ['bars', text('open | closed | all', { enum: ['open', 'closed'] })],
    ['quotes', text('Either "asc" or "desc".', { enum: ['ascending', 'descending'] })],
    ['a range', whole('From 1 to 100.', { minimum: 1, maximum: 50 })],
    ['between', whole('Between 0 and 10.', { minimum: 1, maximum: 10 })],
    ['a range with a dash', whole('Number of rows (1-100).', { minimum: 1, maximum: 20 })],
    ['a maximum', whole('How many (max 50).', { maximum: 100 })],
    ['at most', whole('At most 50.', { maximum: 20 })],
    ['characters', text('Name, at most 50 characters.', { maxLength: 20 })],
    ['items', { type: 'array', items: {}, description: 'At most 5 items.', maxItems: 3 }],
    ['a default', whole('How many. Default: 5.', { default: 10 })],
    ['a default in words', text('Order, default "asc".', { default: 'desc', enum: ['asc', 'desc'] })],
    ['zwischen', whole('Zwischen 1 und 9.', { minimum: 1, maximum: 5 })],
  ])('%s contradicts it', (_, argument) => {
    expect(findingsOf('values-contradicted', one('limit', argument))[0]?.severity).toBe('medium');
  });

  test.each([
    ['the same list', text('One of: open, closed.', { enum: ['open', 'closed'] })],
    ['a sentence', text('Either the open orders or all of them.', { enum: ['open', 'all'] })],
    ['the same range', whole('1 (easy) to 5 (hard).', { minimum: 1, maximum: 5 })],
    ['a text without bounds', whole('Between 1 and 100.', {})],
    ['a date', whole('Since 2024-01-05.', { minimum: 0, maximum: 9 })],
    ['a power', { type: 'number', description: 'Between -1e12 and 1e12.', minimum: -1e12, maximum: 1e12 }],
    ['thousands', text('Text, up to 20,000 characters.', { maxLength: 20_000 })],
    ['an exclusive bound', whole('At least 1.', { exclusiveMinimum: 0 })],
    ['a default in a sentence', text('Defaults to the folder of the project.', { default: '.' })],
    ['the same default', whole('Default: 10.', { default: 10 })],
    ['advice', whole('Typically up to 5.', { maximum: 10 })],
    ['something else', whole('How many of the up to 30 days.', { maximum: 10 })],
  ])('%s is fine', (_, argument) => {
    expect(namesOf('values-contradicted', one('limit', argument))).toEqual([]);
  });
});
