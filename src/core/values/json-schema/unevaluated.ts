import { isJsonObject, arrayOrEmpty, type JsonObject } from './json-object.ts';
import { isPropertyDeclaredOrNull } from './is-named.ts';
import type { Case } from './rule.ts';

type List = readonly unknown[];

interface EvaluatedKeys {
  readonly keys: ReadonlySet<string>;
  /** Whether there may be more. */
  readonly open: boolean;
}

/** Finds the keys of an object that a schema, or one that it applies, mentions besides `unevaluatedProperties`. */
export function findEvaluatedKeys(at: Case<JsonObject>): EvaluatedKeys {
  const { value, by } = at;
  const keys = new Set<string>();
  let open = false;
  for (const { schema, own, fits } of generateAppliedSchemas(at)) {
    if (fits === null) open = true;
    const others =
      schema['additionalProperties'] !== undefined || (!own && schema['unevaluatedProperties'] !== undefined);
    for (const key of by.objectKeys(value)) {
      const named = others || (by.steps.tryTake() ? isPropertyDeclaredOrNull(key, schema, by) : null);
      if (named === null) open = true;
      if (named === true && fits === true) keys.add(key);
    }
  }
  return { keys, open };
}

interface EvaluatedItems {
  /** All items before this index are evaluated. */
  readonly before: number;
  readonly places: ReadonlySet<number>;
  /** Whether there may be more. */
  readonly open: boolean;
}

/** Finds the items of an array that a schema, or one that it applies, mentions besides `unevaluatedItems`. */
export function findEvaluatedItems(at: Case<List>): EvaluatedItems {
  const { value, depth, by } = at;
  const places = new Set<number>();
  let before = 0;
  let open = false;
  for (const { schema, own, fits } of generateAppliedSchemas(at)) {
    if (fits === null) open = true;
    if (fits !== true) continue;
    const { items, prefixItems, additionalItems, contains, unevaluatedItems } = schema;
    const listed = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
    const all =
      (items !== undefined && !Array.isArray(items)) ||
      additionalItems !== undefined ||
      (!own && unevaluatedItems !== undefined);
    before = Math.max(before, all ? value.length : listed.length);
    for (const [i, each] of contains === undefined ? [] : value.entries()) {
      const found = by.checkPartSilently(contains, each, null, depth);
      if (found === null) open = true;
      if (found === true) places.add(i);
    }
  }
  return { before, places, open };
}

interface Applied {
  readonly schema: JsonObject;
  /** Whether it is the schema that asks. */
  readonly own: boolean;
  readonly fits: true | null;
}

/** Lists a schema and those that it applies to the same value and that the value fits, or may fit. */
function* generateAppliedSchemas(at: Case<unknown>): Generator<Applied> {
  const { schema, value, depth, by } = at;
  const open: Applied[] = [{ schema, own: true, fits: true }];
  const seen = new Set<JsonObject>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next.schema)) continue;
    seen.add(next.schema);
    yield next;
    for (const each of schemasForSameValue(next.schema, at)) {
      if (!by.steps.tryTake()) return void (yield { schema: {}, own: false, fits: null });
      const fits = isJsonObject(each) ? by.checkPartSilently(each, value, null, depth) : false;
      if (isJsonObject(each) && fits !== false)
        open.push({ schema: each, own: false, fits: next.fits === null ? null : fits });
    }
  }
}

function schemasForSameValue(schema: JsonObject, { value, depth, by }: Case<unknown>): unknown[] {
  const lists = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap(arrayOrEmpty);
  const { $ref, dependentSchemas, if: condition } = schema;
  const referred = $ref === undefined ? [] : [by.resolveReference(schema)];
  const depending =
    isJsonObject(dependentSchemas) && isJsonObject(value)
      ? Object.keys(dependentSchemas)
          .filter((key) => Object.hasOwn(value, key))
          .map((key) => dependentSchemas[key])
      : [];
  const chosen = condition === undefined ? null : by.checkPartSilently(condition, value, null, depth);
  // If a condition is undecided, so is what its branches mention.
  const branches = chosen === false ? [schema['else']] : [condition, chosen === true ? schema['then'] : undefined];
  return [...lists, ...referred, ...depending, ...branches];
}
