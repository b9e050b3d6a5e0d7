import { isJsonObject, type JsonObject } from './json-object.ts';
import type { Checking } from './rule.ts';
import type { Verdict } from './verdict.ts';

/** Returns whether `properties` or `patternProperties` name a key. */
export function isPropertyDeclaredOrNull(
  key: string,
  { properties, patternProperties }: JsonObject,
  by: Checking,
): Verdict {
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) return true;
  let named: Verdict = false;
  for (const source of isJsonObject(patternProperties) ? Object.keys(patternProperties) : []) {
    if (!by.steps.tryTake()) return null;
    const matches = by.getCompiledPatternOrNull(source)?.hasMatch(key, by.steps) ?? null;
    if (matches === true) return true;
    if (matches === null) named = null;
  }
  return named;
}
