import { isJsonObject, arrayOrEmpty, type JsonObject } from './json-object.ts';
import { isPropertyDeclaredOrNull } from './is-named.ts';
import type { Case, Rule, Rules } from './rule.ts';
import { findEvaluatedKeys } from './unevaluated.ts';
import { combineVerdicts, negateVerdict, type Verdict } from './verdict.ts';

/** Keywords for objects. */
export const rulesForObjects: Rules<JsonObject> = new Map<string, Rule<JsonObject>>([
  ['properties', checkProperties],
  ['patternProperties', checkPatternProperties],
  ['additionalProperties', checkAdditionalProperties],
  ['unevaluatedProperties', checkUnevaluatedProperties],
  ['propertyNames', checkPropertyNames],
  ['required', (at) => checkRequiredKeys(at, arrayOrEmpty(at.given))],
  ['minProperties', (at) => checkKeyCount(at, (size, bound) => size >= bound, 'fewer')],
  ['maxProperties', (at) => checkKeyCount(at, (size, bound) => size <= bound, 'more')],
  ['dependentRequired', checkDependencies],
  ['dependentSchemas', checkDependencies],
  ['dependencies', checkDependencies],
]);

function checkProperties({ given, value, place, depth, by }: Case<JsonObject>): Verdict {
  if (!isJsonObject(given)) return true;
  let verdict: Verdict = true;
  for (const key of Object.keys(given)) {
    if (!by.steps.tryTake()) return combineVerdicts(verdict, null);
    if (!Object.hasOwn(value, key)) continue;
    verdict = combineVerdicts(verdict, by.checkPart(given[key], value[key], { key, parent: place }, depth));
  }
  return verdict;
}

function checkPatternProperties({ given, value, place, depth, by }: Case<JsonObject>): Verdict {
  if (!isJsonObject(given)) return true;
  let verdict: Verdict = true;
  for (const source of Object.keys(given)) {
    const pattern = by.getCompiledPatternOrNull(source);
    for (const key of by.objectKeys(value)) {
      if (!by.steps.tryTake()) return combineVerdicts(verdict, null);
      const matches = pattern?.hasMatch(key, by.steps) ?? null;
      if (matches === false) continue;
      verdict = combineVerdicts(
        verdict,
        checkPropertyIfApplies({ given: given[source], value, place, depth, by }, key, matches),
      );
    }
  }
  return verdict;
}

function checkAdditionalProperties({ given, schema, value, place, depth, by }: Case<JsonObject>): Verdict {
  if (given === true) return true;
  let verdict: Verdict = true;
  for (const key of by.objectKeys(value)) {
    if (!by.steps.tryTake()) return combineVerdicts(verdict, null);
    const named = isPropertyDeclaredOrNull(key, schema, by);
    if (named === true) continue;
    verdict = combineVerdicts(
      verdict,
      checkPropertyIfApplies({ given, value, place, depth, by }, key, negateVerdict(named)),
    );
  }
  return verdict;
}

/** Checks one part of an object against its schema; if that may not apply, a violation is undecided. */
function checkPropertyIfApplies(
  { given, value, place, depth, by }: Omit<Case<JsonObject>, 'schema'>,
  key: string,
  applies: Verdict,
): Verdict {
  if (applies === true) return by.checkPart(given, value[key], { key, parent: place }, depth);
  return by.checkPartSilently(given, value[key], null, depth) === true ? true : null;
}

function checkUnevaluatedProperties(at: Case<JsonObject>): Verdict {
  const { value, by } = at;
  const evaluated = findEvaluatedKeys(at);
  let verdict: Verdict = true;
  for (const key of by.objectKeys(value)) {
    if (!by.steps.tryTake()) return combineVerdicts(verdict, null);
    if (evaluated.keys.has(key)) continue;
    verdict = combineVerdicts(verdict, checkPropertyIfApplies(at, key, evaluated.open ? null : true));
  }
  return verdict;
}

function checkPropertyNames({ given, value, place, depth, by }: Case<JsonObject>): Verdict {
  let verdict: Verdict = true;
  for (const key of by.objectKeys(value)) {
    if (!by.steps.tryTake()) return combineVerdicts(verdict, null);
    verdict = combineVerdicts(verdict, by.checkPart(given, key, { key, parent: place }, depth));
  }
  return verdict;
}

function checkRequiredKeys(
  { value, place, by }: Pick<Case<JsonObject>, 'value' | 'place' | 'by'>,
  keys: readonly unknown[],
): Verdict {
  let verdict: Verdict = true;
  for (const key of keys) {
    if (!by.steps.tryTake()) return combineVerdicts(verdict, null);
    if (typeof key !== 'string' || Object.hasOwn(value, key)) continue;
    verdict = by.complainAndReturnFalse(place, `has no ${JSON.stringify(key.slice(0, 100))}`);
  }
  return verdict;
}

function checkKeyCount(
  { given, value, place, by }: Case<JsonObject>,
  holds: (size: number, bound: number) => boolean,
  wrong: string,
): Verdict {
  if (typeof given !== 'number') return true;
  return (
    holds(by.objectKeys(value).length, given) || by.complainAndReturnFalse(place, `has ${wrong} than ${given} keys`)
  );
}

function checkDependencies(at: Case<JsonObject>): Verdict {
  const { given, value, place, depth, by } = at;
  if (!isJsonObject(given)) return true;
  let verdict: Verdict = true;
  for (const key of Object.keys(given)) {
    if (!by.steps.tryTake()) return combineVerdicts(verdict, null);
    if (!Object.hasOwn(value, key)) continue;
    const wanted = given[key];
    verdict = combineVerdicts(
      verdict,
      Array.isArray(wanted) ? checkRequiredKeys(at, wanted) : by.checkPart(wanted, value, place, depth),
    );
  }
  return verdict;
}
