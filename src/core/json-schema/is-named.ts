import { isFields, type Fields } from './fields.ts';
import type { Checking } from './rule.ts';
import type { Verdict } from './verdict.ts';

/** Returns whether `properties` or `patternProperties` name a key. */
export function isNamed(key: string, { properties, patternProperties }: Fields, by: Checking): Verdict {
  if (isFields(properties) && Object.hasOwn(properties, key)) return true;
  let named: Verdict = false;
  for (const source of isFields(patternProperties) ? Object.keys(patternProperties) : []) {
    if (!by.steps.take()) return null;
    const matches = by.pattern(source)?.matches(key, by.steps) ?? null;
    if (matches === true) return true;
    if (matches === null) named = null;
  }
  return named;
}
