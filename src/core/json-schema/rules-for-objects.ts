import { isFields, listOf, type Fields } from './fields.ts';
import { isNamed } from './is-named.ts';
import type { Case, Rule, Rules } from './rule.ts';
import { evaluatedKeys } from './unevaluated.ts';
import { both, negated, type Verdict } from './verdict.ts';

/** Keywords for objects. */
export const rulesForObjects: Rules<Fields> = new Map<string, Rule<Fields>>([
  ['properties', fitsProperties],
  ['patternProperties', fitsPatternProperties],
  ['additionalProperties', fitsAdditionalProperties],
  ['unevaluatedProperties', fitsUnevaluatedProperties],
  ['propertyNames', fitsPropertyNames],
  ['required', (at) => hasKeys(at, listOf(at.given))],
  ['minProperties', (at) => hasSize(at, (size, bound) => size >= bound, 'fewer')],
  ['maxProperties', (at) => hasSize(at, (size, bound) => size <= bound, 'more')],
  ['dependentRequired', fitsDependencies],
  ['dependentSchemas', fitsDependencies],
  ['dependencies', fitsDependencies],
]);

function fitsProperties({ given, value, place, depth, by }: Case<Fields>): Verdict {
  if (!isFields(given)) return true;
  let verdict: Verdict = true;
  for (const key of Object.keys(given)) {
    if (!by.steps.take()) return both(verdict, null);
    if (!Object.hasOwn(value, key)) continue;
    verdict = both(verdict, by.check(given[key], value[key], { key, parent: place }, depth));
  }
  return verdict;
}

function fitsPatternProperties({ given, value, place, depth, by }: Case<Fields>): Verdict {
  if (!isFields(given)) return true;
  let verdict: Verdict = true;
  for (const source of Object.keys(given)) {
    const pattern = by.pattern(source);
    for (const key of by.keysIn(value)) {
      if (!by.steps.take()) return both(verdict, null);
      const matches = pattern?.matches(key, by.steps) ?? null;
      if (matches === false) continue;
      verdict = both(verdict, fitsPart({ given: given[source], value, place, depth, by }, key, matches));
    }
  }
  return verdict;
}

function fitsAdditionalProperties({ given, schema, value, place, depth, by }: Case<Fields>): Verdict {
  if (given === true) return true;
  let verdict: Verdict = true;
  for (const key of by.keysIn(value)) {
    if (!by.steps.take()) return both(verdict, null);
    const named = isNamed(key, schema, by);
    if (named === true) continue;
    verdict = both(verdict, fitsPart({ given, value, place, depth, by }, key, negated(named)));
  }
  return verdict;
}

/** Checks one part of an object against its schema; if that may not apply, a violation is undecided. */
function fitsPart(
  { given, value, place, depth, by }: Omit<Case<Fields>, 'schema'>,
  key: string,
  applies: Verdict,
): Verdict {
  if (applies === true) return by.check(given, value[key], { key, parent: place }, depth);
  return by.try(given, value[key], null, depth) === true ? true : null;
}

function fitsUnevaluatedProperties(at: Case<Fields>): Verdict {
  const { value, by } = at;
  const evaluated = evaluatedKeys(at);
  let verdict: Verdict = true;
  for (const key of by.keysIn(value)) {
    if (!by.steps.take()) return both(verdict, null);
    if (evaluated.keys.has(key)) continue;
    verdict = both(verdict, fitsPart(at, key, evaluated.open ? null : true));
  }
  return verdict;
}

function fitsPropertyNames({ given, value, place, depth, by }: Case<Fields>): Verdict {
  let verdict: Verdict = true;
  for (const key of by.keysIn(value)) {
    if (!by.steps.take()) return both(verdict, null);
    verdict = both(verdict, by.check(given, key, { key, parent: place }, depth));
  }
  return verdict;
}

function hasKeys(
  { value, place, by }: Pick<Case<Fields>, 'value' | 'place' | 'by'>,
  keys: readonly unknown[],
): Verdict {
  let verdict: Verdict = true;
  for (const key of keys) {
    if (!by.steps.take()) return both(verdict, null);
    if (typeof key !== 'string' || Object.hasOwn(value, key)) continue;
    verdict = by.complain(place, `has no ${JSON.stringify(key.slice(0, 100))}`);
  }
  return verdict;
}

function hasSize(
  { given, value, place, by }: Case<Fields>,
  holds: (size: number, bound: number) => boolean,
  wrong: string,
): Verdict {
  if (typeof given !== 'number') return true;
  return holds(by.keysIn(value).length, given) || by.complain(place, `has ${wrong} than ${given} keys`);
}

function fitsDependencies(at: Case<Fields>): Verdict {
  const { given, value, place, depth, by } = at;
  if (!isFields(given)) return true;
  let verdict: Verdict = true;
  for (const key of Object.keys(given)) {
    if (!by.steps.take()) return both(verdict, null);
    if (!Object.hasOwn(value, key)) continue;
    const wanted = given[key];
    verdict = both(verdict, Array.isArray(wanted) ? hasKeys(at, wanted) : by.check(wanted, value, place, depth));
  }
  return verdict;
}
