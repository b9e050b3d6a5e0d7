import { isJsonObject, type JsonObject } from './json-object.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import { References } from './references.ts';
import type { Case, Checking, Place, Rules } from './rule.ts';
import { rulesForAny } from './rules-for-any.ts';
import { rulesForArrays } from './rules-for-arrays.ts';
import { rulesForObjects } from './rules-for-objects.ts';
import { rulesForNumbers, rulesForTexts } from './rules-for-scalars.ts';
import { Steps } from './steps.ts';
import { makeEqualityKey } from './value-key.ts';
import { combineVerdicts, type Verdict } from './verdict.ts';

/** Step limit of one check: 20 to 80 ms at worst, and enough for normal values of tools. */
const checkSteps = 100_000;
const maxDepth = 200;
const maxComplaints = 20;
const shownChars = 200;

/** The result of checking a value against a schema. */
export type Checked =
  | { readonly verdict: 'fits' }
  | { readonly verdict: 'violates'; readonly violations: readonly string[] }
  /** Undecided: the schema needs something unsupported, or more steps than allowed. */
  | { readonly verdict: 'undecided' };

/**
 * Checks a value against a JSON Schema (drafts 4 to 2020-12) that may be hostile, within a bounded number of steps and
 * without backtracking. What one part of the schema leaves undecided, another may still decide.
 */
export function checkValueAgainstSchema(schema: JsonObject, value: unknown, steps = new Steps(checkSteps)): Checked {
  const check = new Check(schema, steps);
  const verdict = check.checkPart(schema, value, null, 0);
  if (verdict === null) return { verdict: 'undecided' };
  return verdict ? { verdict: 'fits' } : { verdict: 'violates', violations: check.complaints };
}

class Check implements Checking {
  readonly steps: Steps;
  readonly complaints: string[] = [];
  readonly #references: References;
  readonly #patterns = new Map<string, Pattern | null>();
  readonly #keysIn = new Map<JsonObject, readonly string[]>();
  readonly #keysOf = new Map<readonly unknown[], ReadonlySet<string> | null>();
  /** Drafts up to 7 ignore the siblings of a reference. */
  readonly #referenceAlone: boolean;
  /** Number of current tries, whose findings are not reported. */
  #trying = 0;

  constructor(root: JsonObject, steps: Steps) {
    const { $schema } = root;
    this.steps = steps;
    this.#references = new References(root, steps);
    this.#referenceAlone = typeof $schema === 'string' && /draft-0[3-7]/.test($schema);
  }

  checkPart(schema: unknown, value: unknown, place: Place | null, depth: number): Verdict {
    if (!this.steps.tryTake() || depth > maxDepth) return null;
    if (schema === false) return this.complainAndReturnFalse(place, 'is not allowed');
    if (!isJsonObject(schema)) return true;
    const alone = this.#referenceAlone && schema['$ref'] !== undefined;
    let verdict: Verdict = true;
    for (const keyword of alone ? ['$ref'] : Object.keys(schema)) {
      if (!this.steps.tryTake()) return combineVerdicts(verdict, null);
      const at = { given: schema[keyword], schema, value, place, depth: depth + 1, by: this };
      verdict = combineVerdicts(verdict, checkValueAgainstKeyword(keyword, at));
    }
    return verdict;
  }

  checkPartSilently(schema: unknown, value: unknown, place: Place | null, depth: number): Verdict {
    this.#trying += 1;
    const verdict = this.checkPart(schema, value, place, depth);
    this.#trying -= 1;
    return verdict;
  }

  complainAndReturnFalse(place: Place | null, wrong: string): false {
    if (this.#trying === 0 && this.complaints.length < maxComplaints)
      this.complaints.push(`${formatPlaceAsJsonPointer(place)}: ${wrong}`.slice(0, shownChars));
    return false;
  }

  getCompiledPatternOrNull(source: string): Pattern | null {
    const known = this.#patterns.get(source);
    if (known !== undefined) return known;
    const pattern = compilePattern(source, this.steps);
    this.#patterns.set(source, pattern);
    return pattern;
  }

  objectKeys(object: JsonObject): readonly string[] {
    const known = this.#keysIn.get(object);
    if (known !== undefined) return known;
    const keys = Object.keys(object);
    this.steps.tryTake(keys.length / 8);
    this.#keysIn.set(object, keys);
    return keys;
  }

  getEqualityKeysOfListOrNull(list: readonly unknown[]): ReadonlySet<string> | null {
    const known = this.#keysOf.get(list);
    if (known !== undefined) return known;
    const keys = list.map((each) => makeEqualityKey(each, this.steps)).filter((key) => key !== null);
    const all = keys.length < list.length ? null : new Set(keys);
    this.#keysOf.set(list, all);
    return all;
  }

  resolveReference(from: JsonObject): unknown {
    return this.#references.resolveReference(from);
  }
}

/** Returns a keyword's verdict on a value; keywords for other types have no objection. */
function checkValueAgainstKeyword(keyword: string, at: Case<unknown>): Verdict {
  const { value } = at;
  const ruleForAny = rulesForAny.get(keyword);
  if (ruleForAny !== undefined) return ruleForAny(at);
  if (typeof value === 'string') return checkKeywordByRule(rulesForTexts, keyword, { ...at, value });
  if (typeof value === 'number') return checkKeywordByRule(rulesForNumbers, keyword, { ...at, value });
  if (Array.isArray(value)) return checkKeywordByRule<readonly unknown[]>(rulesForArrays, keyword, { ...at, value });
  return isJsonObject(value) ? checkKeywordByRule(rulesForObjects, keyword, { ...at, value }) : true;
}

function checkKeywordByRule<Value>(rules: Rules<Value>, keyword: string, at: Case<Value>): Verdict {
  const rule = rules.get(keyword);
  return rule === undefined ? true : rule(at);
}

/** Formats a path as a JSON pointer in a fragment; the innermost part comes last in the list. */
function formatPlaceAsJsonPointer(place: Place | null): string {
  const parts: string[] = [];
  for (let at = place; at !== null; at = at.parent) parts.unshift(String(at.key).slice(0, shownChars));
  return ['#', ...parts].join('/');
}
