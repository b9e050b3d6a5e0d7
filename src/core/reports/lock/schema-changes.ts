import { canonicalJson } from '#core/values/canonical.ts';
import {
  isSchema,
  listAlternatives,
  listRequiredTopLevelNames,
  listSchemaWithRefsAndAllOfParts,
  type Schema,
} from '#core/catalog/schema-fields.ts';
import { arrayOrEmpty } from '#core/values/json-schema/json-object.ts';

/** Whether calls, or readers of results, that were right before may be wrong now. */
export interface SchemaChange {
  readonly breaks: boolean;
  /** What changed, such as `argument "id" is required now`. */
  readonly what: string;
}

/** Deeper parts of schemas are compared as a whole. */
const mostDepth = 5;

interface Field {
  readonly schema: Schema;
  readonly required: boolean;
}

/** Returns what changed for callers: an argument that is gone, needed or narrower breaks calls; a new or wider one does not. */
export const listInputChanges = (before: Schema, now: Schema): SchemaChange[] =>
  compareObjects(before, now, { path: '', noun: 'argument', direction: 'in', depth: 0 }, before, now);

/** Returns what changed for readers of results: a field that is gone, no longer sure or wider breaks them; a new one does not. */
export function listOutputChanges(before: Schema | undefined, now: Schema | undefined): SchemaChange[] {
  if (before === undefined) return now === undefined ? [] : [{ breaks: false, what: 'results have a schema now' }];
  if (now === undefined) return [{ breaks: true, what: 'results have no schema any more' }];
  return compareObjects(before, now, { path: '', noun: 'result field', direction: 'out', depth: 0 }, before, now);
}

interface Where {
  readonly path: string;
  readonly noun: 'argument' | 'result field';
  readonly direction: 'in' | 'out';
  readonly depth: number;
}

/** Returns the fields of a schema. One that only some alternatives have, or require, is not always there; one that several have takes what any of them does. */
function readFields(schema: Schema, root: Schema): ReadonlyMap<string, Field> {
  const required = new Set(listRequiredTopLevelNames(schema, root));
  const parts = listSchemaWithRefsAndAllOfParts(schema, root);
  const fields = new Map<string, Field>();
  const alternatives = listAlternatives(parts).map((each) => readFields(each, root));
  for (const name of new Set(alternatives.flatMap((each) => [...each.keys()]))) {
    const own = alternatives.map((each) => each.get(name));
    const schemas = own.flatMap((field) => (field === undefined ? [] : [field.schema]));
    fields.set(name, {
      schema: schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? {}),
      required: own.every((field) => field?.required === true),
    });
  }
  for (const { properties } of parts)
    for (const [name, property] of isSchema(properties) ? Object.entries(properties) : [])
      fields.set(name, { schema: isSchema(property) ? property : {}, required: required.has(name) });
  return fields;
}

function compareObjects(
  before: Schema,
  now: Schema,
  where: Where,
  rootBefore: Schema,
  rootNow: Schema,
): SchemaChange[] {
  const { noun, direction } = where;
  const [old, present] = [readFields(before, rootBefore), readFields(now, rootNow)];
  const changes = [...new Set([...old.keys(), ...present.keys()])].flatMap((name): SchemaChange[] => {
    const [was, is] = [old.get(name), present.get(name)];
    const path = where.path === '' ? name : `${where.path}.${name}`;
    const said = `${noun} "${path}"`;
    if (is === undefined) return [{ breaks: true, what: `${said} is gone` }];
    if (was === undefined)
      return is.required && direction === 'in'
        ? [{ breaks: true, what: `${said} is new and required` }]
        : [{ breaks: false, what: `${said} is new` }];
    const needed = was.required === is.required ? [] : [requiredChange(said, is.required, direction)];
    return [
      ...needed,
      ...compareValues(was.schema, is.schema, { ...where, path, depth: where.depth + 1 }, rootBefore, rootNow),
    ];
  });
  const closed = [before, now].map((schema) => schema['additionalProperties'] === false);
  if (closed[0] === closed[1] || where.depth > 0 || direction === 'out') return changes;
  return [
    ...changes,
    closed[1] === true
      ? { breaks: true, what: 'arguments that the schema does not name are refused now' }
      : { breaks: false, what: 'arguments that the schema does not name are taken now' },
  ];
}

const requiredChange = (said: string, isRequired: boolean, direction: Where['direction']): SchemaChange => ({
  breaks: isRequired === (direction === 'in'),
  what: `${said} is ${isRequired ? (direction === 'in' ? 'required' : 'always there') : direction === 'in' ? 'optional' : 'not always there'} now`,
});

function compareValues(was: Schema, is: Schema, where: Where, rootBefore: Schema, rootNow: Schema): SchemaChange[] {
  const said = `${where.noun} "${where.path}"`;
  const [old, present] = [readValue(was, rootBefore), readValue(is, rootNow)];
  const changes: SchemaChange[] = [];
  const types = compareSets(old.types, present.types);
  if (types !== null)
    changes.push({
      breaks: where.direction === 'in' ? types.lost : types.gained,
      what: `${said} is ${[...present.types].join(' or ') || 'anything'} now, and was ${[...old.types].join(' or ') || 'anything'}`,
    });
  const values = compareSets(old.values, present.values);
  if (values !== null)
    changes.push({
      breaks: where.direction === 'in' ? values.lost : values.gained,
      what: `${said} takes ${listText(present.values)} now, and took ${listText(old.values)}`,
    });
  for (const [keyword, tighter] of bounds) {
    const [limitBefore, limitNow] = [old.bound(keyword), present.bound(keyword)];
    if (limitBefore === limitNow) continue;
    const isTighter = limitNow !== undefined && (limitBefore === undefined || tighter(limitNow, limitBefore));
    changes.push({
      breaks: isTighter === (where.direction === 'in'),
      what: `${said}: ${keyword} is ${String(limitNow ?? 'open')} now, and was ${String(limitBefore ?? 'open')}`,
    });
  }
  for (const keyword of ['pattern', 'format'])
    if (canonicalJson(old.keyword(keyword) ?? null) !== canonicalJson(present.keyword(keyword) ?? null))
      changes.push({
        breaks: present.keyword(keyword) !== undefined && where.direction === 'in',
        what: `${said}: ${keyword} is ${JSON.stringify(present.keyword(keyword)) ?? 'open'} now, and was ${JSON.stringify(old.keyword(keyword)) ?? 'open'}`,
      });
  if (canonicalJson(old.keyword('default') ?? null) !== canonicalJson(present.keyword('default') ?? null))
    changes.push({
      breaks: false,
      what: `${said}: default is ${JSON.stringify(present.keyword('default')) ?? 'none'} now, and was ${JSON.stringify(old.keyword('default')) ?? 'none'}`,
    });
  if (where.depth >= mostDepth) return changes;
  const [itemsBefore, itemsNow] = [old.keyword('items'), present.keyword('items')];
  const ofItems =
    isSchema(itemsBefore) && isSchema(itemsNow)
      ? compareValues(
          itemsBefore,
          itemsNow,
          { ...where, path: `${where.path}[]`, depth: where.depth + 1 },
          rootBefore,
          rootNow,
        )
      : [];
  return [...changes, ...ofItems, ...compareObjects(was, is, where, rootBefore, rootNow)];
}

/** Keywords that bound a value, and whether one bound is tighter than another. */
const bounds: readonly (readonly [keyword: string, tighter: (one: number, other: number) => boolean])[] = [
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(
    (keyword) => [keyword, (one: number, other: number) => one > other] as const,
  ),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(
    (keyword) => [keyword, (one: number, other: number) => one < other] as const,
  ),
];

interface ReadValue {
  /** Empty if any type is taken. */
  readonly types: ReadonlySet<string>;
  /** As JSON; empty if any value is taken. */
  readonly values: ReadonlySet<string>;
  readonly keyword: (name: string) => unknown;
  readonly bound: (name: string) => number | undefined;
}

function readValue(schema: Schema, root: Schema): ReadValue {
  const own = listSchemaWithRefsAndAllOfParts(schema, root);
  const parts = [...own, ...listAlternatives(own).flatMap((each) => listSchemaWithRefsAndAllOfParts(each, root))];
  const keyword = (name: string): unknown => parts.find((part) => part[name] !== undefined)?.[name];
  const types = parts
    .flatMap(({ type }) => (Array.isArray(type) ? type : [type]))
    .filter((type) => typeof type === 'string');
  return {
    types: new Set(types),
    values: new Set(
      parts
        .flatMap((part) => [...arrayOrEmpty(part['enum']), ...('const' in part ? [part['const']] : [])])
        .map((value) => JSON.stringify(value)),
    ),
    keyword,
    bound: (name) => {
      const bound = keyword(name);
      return typeof bound === 'number' ? bound : undefined;
    },
  };
}

/** Returns whether a set of what is taken lost or gained something; null if neither. An empty one takes all. An integer is a number. */
function compareSets(before: ReadonlySet<string>, now: ReadonlySet<string>): { lost: boolean; gained: boolean } | null {
  const takes = (set: ReadonlySet<string>, each: string): boolean =>
    set.size === 0 || set.has(each) || (each === 'integer' && set.has('number'));
  const lost = before.size === 0 ? now.size > 0 : [...before].some((each) => !takes(now, each));
  const gained = now.size === 0 ? before.size > 0 : [...now].some((each) => !takes(before, each));
  return lost || gained ? { lost, gained } : null;
}

const listText = (values: ReadonlySet<string>): string =>
  values.size === 0 ? 'anything' : [...values].slice(0, 12).join(', ');
