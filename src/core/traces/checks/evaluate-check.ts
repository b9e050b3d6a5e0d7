import { canonicalJson } from '#core/values/canonical.ts';
import { compilePattern } from '#core/values/json-schema/pattern.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import type { ToolOutcome } from '#core/ports.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import { findErrorByRule } from '../error-by-rule.ts';
import { firstCharacters } from '#core/values/excerpt.ts';
import type { Check, CheckResult, Expectation, Statement } from './check.ts';
import { findBoxedValueAtPointer } from './json-pointer.ts';

/** Steps of matching one pattern in one result. */
const matchSteps = 5_000_000;

type AfterCheck = Extract<Check, { readonly when: 'after' }>;
type BeforeCheck = Extract<Check, { readonly when: 'before' }>;

/** Decides a check that was called after the attempt. What cannot be read is null, not a failure. */
export function evaluateCheckAfterAttempt(made: AfterCheck, outcome: ToolOutcome): CheckResult {
  const read = readCheckedValue(made, outcome);
  if (!read.ok) {
    const { problem, kind } = read.problem;
    if (kind === 'nothing-there' || (kind === 'tool-error' && made.errorFails === true))
      return makeCheckResult(false, problem);
    return makeCheckResult(null, problem);
  }
  const { value, truncated } = read.value;
  const held = meetsExpectation(value, made.expect);
  if (held === null) return makeCheckResult(null, 'The pattern cannot be matched within the allowed steps.');
  // What is cut off may have decided otherwise, except that something found stays found.
  if (truncated && !(held && (made.expect.kind === 'contain' || made.expect.kind === 'match')))
    return makeCheckResult(null, 'The result is too long to be read to its end.');
  return makeCheckResult(held, `The result has ${excerptOfJson(value)}.`);
}

/** Returns the value that a response must state, from a call before the attempt; or why there is none. */
export function readValueThatResponseMustState(made: BeforeCheck, outcome: ToolOutcome): Result<string, string> {
  const read = readCheckedValue(made, outcome);
  if (!read.ok) return err(read.problem.problem);
  const { value, truncated } = read.value;
  if (truncated) return err('The result is too long to be read to its end.');
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return err('The result has no single value there.');
  const text = String(value).trim();
  if (text === '') return err('The result is empty.');
  if (made.state.kind === 'near' && parseNumberOrNull(text) === null) return err('The result has no number there.');
  return ok(text);
}

/** Decides whether a response states the value that a check before the attempt has read. */
export function decideWhetherResponseStatesValue(
  made: BeforeCheck,
  value: Result<string, string>,
  response: string,
): CheckResult {
  if (!value.ok) return makeCheckResult(null, value.problem);
  const held = statesValue(response, value.value, made.state);
  return makeCheckResult(held, `The response ${held ? 'states' : 'does not state'} ${excerptOfJson(value.value)}.`);
}

const makeCheckResult = (held: boolean | null, why: string): CheckResult => ({
  held,
  why: firstCharacters(why, 1_000),
});

const excerptOfJson = (value: unknown): string => firstCharacters(JSON.stringify(value), 200);

interface Unread {
  readonly kind: 'not-run' | 'tool-error' | 'nothing-there';
  readonly problem: string;
}

function readCheckedValue(
  { tool, at }: Check,
  outcome: ToolOutcome,
): Result<{ readonly value: unknown; readonly truncated: boolean }, Unread> {
  const unread = (kind: Unread['kind'], problem: string) => err({ kind, problem });
  if (outcome.kind === 'fault') return unread('not-run', `${tool} gave no answer: ${outcome.fault.detail}`);
  const { text, truncated } = outcome;
  if (outcome.cause === 'environment' || outcome.code !== undefined)
    return unread('not-run', `${tool} could not answer: ${text}`);
  if (outcome.kind === 'error' || findErrorByRule(text, tool) !== null)
    return unread('tool-error', `${tool} answered with an error: ${text}`);
  if (at === undefined) return ok({ value: text, truncated });
  const json = parseJsonOrLastLine(text);
  if (truncated || !json.ok) return unread('not-run', `The result of ${tool} is not JSON.`);
  const found = findBoxedValueAtPointer(json.value, at);
  return found === undefined
    ? unread('nothing-there', `The result of ${tool} has nothing at ${at}.`)
    : ok({ value: found.value, truncated });
}

/** Parses a result as JSON, or its last line, where structured content stands after the texts. */
function parseJsonOrLastLine(text: string): Result<unknown, string> {
  const whole = parseJsonWithinLimits(text);
  return whole.ok ? whole : parseJsonWithinLimits(text.slice(text.lastIndexOf('\n') + 1));
}

/** Returns whether a value is as expected; null if a pattern cannot be matched. */
function meetsExpectation(value: unknown, expected: Expectation): boolean | null {
  switch (expected.kind) {
    case 'equal':
      return isSameJsonValue(value, expected.value);
    case 'contain':
      return containsValue(value, expected.value);
    case 'match': {
      if (typeof value !== 'string' && typeof value !== 'number') return false;
      const steps = new Steps(matchSteps);
      return compilePattern(expected.pattern, steps)?.hasMatch(String(value), steps) ?? null;
    }
    case 'near': {
      const number = typeof value === 'number' ? value : typeof value === 'string' ? parseNumberOrNull(value) : null;
      return number !== null && isWithinTolerance(number, expected.value, expected.tolerance);
    }
  }
}

const isSameJsonValue = (one: unknown, other: unknown): boolean =>
  canonicalJson(typeof one === 'string' ? one.trim() : one) ===
  canonicalJson(typeof other === 'string' ? other.trim() : other);

const containsValue = (value: unknown, wanted: unknown): boolean =>
  Array.isArray(value)
    ? value.some((each: unknown) => isSameJsonValue(each, wanted))
    : typeof value === 'string' && typeof wanted === 'string' && value.includes(wanted);

/** Allows for the error of a subtraction, so that 0.3 is within 0.1 of 0.2. */
const isWithinTolerance = (one: number, other: number, tolerance: number): boolean =>
  Math.abs(one - other) <= tolerance + Number.EPSILON * Math.max(Math.abs(one), Math.abs(other));

const decimal = String.raw`[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?`;
const wholeNumber = new RegExp(`^${decimal}$`);
const numbersInText = new RegExp(String.raw`(?<![\d.\p{L}])${decimal}(?!\d)`, 'gu');

/** Returns the number that a text is, with commas between thousands or without; null if it is none. */
const parseNumberOrNull = (text: string): number | null => {
  const shownNumber = text.trim();
  if (!wholeNumber.test(shownNumber)) return null;
  const number = Number(shownNumber.replaceAll(',', ''));
  return Number.isFinite(number) ? number : null;
};

/** Returns a text with the minus signs and the spaces within numbers that typesetting has other characters for as ASCII has them. */
const normalizeNumberCharacters = (text: string): string =>
  text.replaceAll(/[\u2212\uFE63\uFF0D]/gu, '-').replaceAll(/(?<=\d)[\u00A0\u2009\u202F](?=\d{3}(?!\d))/gu, ',');

function statesValue(stated: string, looked: string, how: Statement): boolean {
  const [response, value] = [normalizeNumberCharacters(stated), normalizeNumberCharacters(looked)];
  const numbers = (response.match(numbersInText) ?? []).flatMap((text) => parseNumberOrNull(text) ?? []);
  const number = parseNumberOrNull(value);
  if (how.kind === 'near')
    return number !== null && numbers.some((each) => isWithinTolerance(each, number, how.tolerance));
  // 1,200.0 states 1200, and 12 does not state 1.
  if (number !== null) return numbers.includes(number);
  const [text, wanted] = [response, value].map(normalizeCaseAndSpaces);
  if (text === undefined || wanted === undefined) return false;
  return hasWholeWords(text, wanted);
}

const normalizeCaseAndSpaces = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** Returns whether a text has another one that does not begin or end within a word. */
function hasWholeWords(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const [before, first] = [text.slice(0, at).at(-1) ?? '', wanted.at(0) ?? ''];
    const [last, after] = [wanted.at(-1) ?? '', text.at(at + wanted.length) ?? ''];
    if (!areBothWordCharacters(before, first) && !areBothWordCharacters(last, after)) return true;
  }
  return false;
}

/** Scripts without spaces have no words to split. */
const areBothWordCharacters = (one: string, other: string): boolean =>
  /^[\p{Script=Latin}\p{N}]{2}$/u.test(one + other);
