import { arrayOrEmpty } from './json-object.ts';
import type { Case, Rule, Rules } from './rule.ts';
import { makeEqualityKey } from './value-key.ts';
import { combineVerdicts, negateVerdict, type Verdict } from './verdict.ts';

/** Keywords for values of every type. */
export const rulesForAny: Rules<unknown> = new Map<string, Rule<unknown>>([
  ['type', checkType],
  ['const', checkConst],
  ['enum', checkEnum],
  ['$ref', checkReference],
  // Their meaning depends on the dynamic scope, and no known server needs that.
  ['$dynamicRef', () => null],
  ['$recursiveRef', () => null],
  ['allOf', checkAllOf],
  ['anyOf', checkAnyOf],
  ['oneOf', checkOneOf],
  ['not', checkNot],
  ['if', checkIfThenElse],
]);

function checkType({ given, value, place, by }: Case<unknown>): Verdict {
  const wanted: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (!by.steps.tryTake(wanted.length / 16)) return null;
  const type = jsonTypeOf(value);
  if (wanted.includes(type) || (type === 'integer' && wanted.includes('number'))) return true;
  return by.complainAndReturnFalse(place, `is of type ${type}, not ${wanted.slice(0, 7).join(' or ')}`);
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

function checkConst({ given, value, place, by }: Case<unknown>): Verdict {
  const [wanted, key] = [makeEqualityKey(given, by.steps), makeEqualityKey(value, by.steps)];
  if (wanted === null || key === null) return null;
  return wanted === key || by.complainAndReturnFalse(place, 'is not the one value that is allowed');
}

function checkEnum({ given, value, place, by }: Case<unknown>): Verdict {
  if (!Array.isArray(given)) return true;
  const keys = by.getEqualityKeysOfListOrNull(given);
  const key = keys === null ? null : makeEqualityKey(value, by.steps);
  if (keys === null || key === null) return null;
  return keys.has(key) || by.complainAndReturnFalse(place, `is none of the ${keys.size} values that are allowed`);
}

function checkReference({ schema, value, place, depth, by }: Case<unknown>): Verdict {
  const meant = by.resolveReference(schema);
  return meant === undefined ? null : by.checkPart(meant, value, place, depth);
}

function checkAllOf({ given, value, place, depth, by }: Case<unknown>): Verdict {
  let verdict: Verdict = true;
  for (const part of arrayOrEmpty(given)) {
    if (!by.steps.tryTake()) return combineVerdicts(verdict, null);
    verdict = combineVerdicts(verdict, by.checkPart(part, value, place, depth));
  }
  return verdict;
}

function checkAnyOf({ given, value, place, depth, by }: Case<unknown>): Verdict {
  let open = 0;
  for (const part of arrayOrEmpty(given)) {
    if (!by.steps.tryTake()) return null;
    const fits = by.checkPartSilently(part, value, place, depth);
    if (fits === true) return true;
    if (fits === null) open += 1;
  }
  return open > 0 ? null : by.complainAndReturnFalse(place, 'fits no alternative');
}

function checkOneOf({ given, value, place, depth, by }: Case<unknown>): Verdict {
  let fitting = 0;
  let open = 0;
  for (const part of arrayOrEmpty(given)) {
    if (!by.steps.tryTake()) return null;
    const fits = by.checkPartSilently(part, value, place, depth);
    if (fits === true) fitting += 1;
    if (fits === null) open += 1;
    if (fitting > 1) return by.complainAndReturnFalse(place, 'fits more than one alternative');
  }
  if (open > 0) return null;
  return fitting === 1 || by.complainAndReturnFalse(place, 'fits no alternative');
}

function checkNot({ given, value, place, depth, by }: Case<unknown>): Verdict {
  const fits = negateVerdict(by.checkPartSilently(given, value, place, depth));
  return fits === false ? by.complainAndReturnFalse(place, 'fits what is excluded') : fits;
}

function checkIfThenElse({ given, schema, value, place, depth, by }: Case<unknown>): Verdict {
  const condition = by.checkPartSilently(given, value, place, depth);
  const [whereTrue, whereFalse] = [schema['then'] ?? true, schema['else'] ?? true];
  if (condition !== null) return by.checkPart(condition ? whereTrue : whereFalse, value, place, depth);
  const one = by.checkPartSilently(whereTrue, value, place, depth);
  const same = one === by.checkPartSilently(whereFalse, value, place, depth);
  if (same && one === false) return by.complainAndReturnFalse(place, 'fits neither branch');
  return same ? one : null;
}
