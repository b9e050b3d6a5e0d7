import { hasInfiniteNumber } from './infinite-number.ts';
import { isTooDeep, maxJsonDepth } from './json-depth.ts';
import { err, ok, type Result } from './result.ts';

/** Parses JSON from outside, or returns what is wrong with it, for a person. */
export function parseJsonWithinLimits(text: string): Result<unknown, string> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return err(`not JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  if (isTooDeep(json)) return err(`nested deeper than ${maxJsonDepth} levels`);
  return hasInfiniteNumber(json) ? err('a number in it is too large') : ok(json);
}
