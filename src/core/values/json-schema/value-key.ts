import { isJsonObject } from './json-object.ts';
import type { Steps } from './steps.ts';

const maxDepth = 100;
/** Objects cost most, because their keys are sorted and written out. */
const objectSteps = 4;
const keySteps = 2;

/** Returns a text that two JSON values share if and only if they are equal; null if the steps are used up. */
export function makeEqualityKey(value: unknown, steps: Steps, depth = 0): string | null {
  if (depth > maxDepth || !steps.tryTake(typeof value === 'string' ? 1 + value.length / 16 : 1)) return null;
  if (Array.isArray(value)) {
    const parts: string[] = [];
    for (const each of value) {
      const key = makeEqualityKey(each, steps, depth + 1);
      if (key === null) return null;
      parts.push(key);
    }
    return `[${parts.join(',')}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value);
  if (!steps.tryTake(objectSteps + keySteps * names.length)) return null;
  const parts: string[] = [];
  for (const name of names.toSorted()) {
    const key = makeEqualityKey(value[name], steps, depth + 1);
    if (key === null) return null;
    parts.push(`${JSON.stringify(name)}:${key}`);
  }
  return `{${parts.join(',')}}`;
}
