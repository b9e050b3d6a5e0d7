import { arrayOrEmpty } from './json-object.ts';
import type { Case, Rule, Rules } from './rule.ts';
import { findEvaluatedItems } from './unevaluated.ts';
import { makeEqualityKey } from './value-key.ts';
import { combineVerdicts, type Verdict } from './verdict.ts';

type List = readonly unknown[];

/** Keywords for arrays. */
export const rulesForArrays: Rules<List> = new Map<string, Rule<List>>([
  ['prefixItems', (at) => checkItemsByIndex(at, arrayOrEmpty(at.given))],
  [
    'items',
    (at) =>
      Array.isArray(at.given)
        ? checkItemsByIndex(at, at.given)
        : checkRemainingItems(at, arrayOrEmpty(at.schema['prefixItems']).length),
  ],
  // Without a list of schemas in `items` nothing is additional.
  [
    'additionalItems',
    (at) => (Array.isArray(at.schema['items']) ? checkRemainingItems(at, at.schema['items'].length) : true),
  ],
  ['unevaluatedItems', checkUnevaluatedItems],
  ['contains', checkContains],
  ['minItems', (at) => checkItemCount(at, (length, bound) => length >= bound, 'fewer')],
  ['maxItems', (at) => checkItemCount(at, (length, bound) => length <= bound, 'more')],
  ['uniqueItems', checkUniqueItems],
]);

/** Checks each item against the schema at its own index. */
function checkItemsByIndex({ value, place, depth, by }: Case<List>, schemas: List): Verdict {
  let verdict: Verdict = true;
  for (let i = 0; i < Math.min(schemas.length, value.length); i += 1) {
    if (!by.steps.tryTake()) return combineVerdicts(verdict, null);
    verdict = combineVerdicts(verdict, by.checkPart(schemas[i], value[i], { key: i, parent: place }, depth));
  }
  return verdict;
}

/** Checks all items from an index on against one schema. */
function checkRemainingItems({ given, value, place, depth, by }: Case<List>, from: number): Verdict {
  let verdict: Verdict = true;
  for (let i = from; i < value.length; i += 1) {
    if (!by.steps.tryTake()) return combineVerdicts(verdict, null);
    verdict = combineVerdicts(verdict, by.checkPart(given, value[i], { key: i, parent: place }, depth));
  }
  return verdict;
}

function checkUnevaluatedItems(at: Case<List>): Verdict {
  const { given, value, place, depth, by } = at;
  const evaluated = findEvaluatedItems(at);
  let verdict: Verdict = true;
  for (let i = evaluated.before; i < value.length; i += 1) {
    if (!by.steps.tryTake()) return combineVerdicts(verdict, null);
    if (evaluated.places.has(i)) continue;
    const here = { key: i, parent: place };
    const fits = evaluated.open
      ? by.checkPartSilently(given, value[i], here, depth)
      : by.checkPart(given, value[i], here, depth);
    verdict = combineVerdicts(verdict, evaluated.open && fits === false ? null : fits);
  }
  return verdict;
}

function checkContains({ given, schema, value, place, depth, by }: Case<List>): Verdict {
  const { minContains, maxContains } = schema;
  const least = typeof minContains === 'number' ? minContains : 1;
  const most = typeof maxContains === 'number' ? maxContains : Infinity;
  let found = 0;
  let open = 0;
  for (const each of value) {
    if (!by.steps.tryTake()) return null;
    const fits = by.checkPartSilently(given, each, null, depth);
    if (fits === true) found += 1;
    if (fits === null) open += 1;
  }
  if (found > most) return by.complainAndReturnFalse(place, `contains what is wanted more than ${most} times`);
  if (found + open < least) return by.complainAndReturnFalse(place, `contains what is wanted less than ${least} times`);
  return found < least || found + open > most ? null : true;
}

function checkItemCount(
  { given, value, place, by }: Case<List>,
  holds: (length: number, bound: number) => boolean,
  wrong: string,
): Verdict {
  return (
    typeof given !== 'number' ||
    holds(value.length, given) ||
    by.complainAndReturnFalse(place, `has ${wrong} than ${given} items`)
  );
}

function checkUniqueItems({ given, value, place, by }: Case<List>): Verdict {
  if (given !== true) return true;
  const seen = new Set<string>();
  for (const [i, each] of value.entries()) {
    const key = makeEqualityKey(each, by.steps);
    if (key === null) return null;
    if (seen.has(key)) return by.complainAndReturnFalse({ key: i, parent: place }, 'stands twice');
    seen.add(key);
  }
  return true;
}
