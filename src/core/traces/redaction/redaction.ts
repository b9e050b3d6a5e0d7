import { type Pattern, type Span, compilePattern } from '#core/values/json-schema/pattern.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { hideHeaderValuesInText } from './hide-header-values.ts';
import { Fields } from '#core/catalog/redaction/fields.ts';
import { redactJsonText } from './json-text.ts';
import { redactSpans, redacted } from './marker.ts';
import { isPatternName, listMatchSpansOfNamedPattern } from '#core/catalog/redaction/named-patterns.ts';
import { type RedactionRules, compilingSteps } from '#core/catalog/redaction/rules.ts';

/** The name of a property in quotes, and the colon after it; JSON within other text, JSON that is cut off, and Python's dictionaries. */
const quotedName = /(["'])((?:(?!\1)[^\\\n]|\\.){1,200})\1\s{0,20}:\s{0,20}/g;
const nothing = /(?:null|None|nil|undefined)(?!\w)/y;
const bareValue = /[^\s,;}\])]*/y;

/**
 * Returns the values of named properties in a text that is not JSON as a whole, such as a log line with an object in it. A value
 * whose end is missing reaches to the end of the text.
 */
function findSpansOfFieldValues(text: string, fields: Fields): Span[] {
  const found: Span[] = [];
  quotedName.lastIndex = 0;
  for (let match = quotedName.exec(text); match !== null; match = quotedName.exec(text)) {
    const [whole, , name = ''] = match;
    if (!fields.isNameRedactedAtAnyPath(name) && !fields.isNameRedactedAtAnyPath(unescapeName(name))) continue;
    const start = match.index + whole.length;
    const end = findEndOfValue(text, start);
    if (end === start) continue;
    // The quotes stay.
    const isQuoted = /^["']/.test(text.slice(start, start + 1)) && text[start] === text[end - 1] && end - start > 1;
    if (!(isQuoted && end - start === 2)) found.push(isQuoted ? { start: start + 1, end: end - 1 } : { start, end });
    quotedName.lastIndex = end;
  }
  return found;
}

function unescapeName(name: string): string {
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    return name;
  }
}

function findEndOfValue(text: string, start: number): number {
  const first = text[start] ?? '';
  if (first === '"' || first === "'") return findEndOfQuoted(text, start);
  if (first === '{' || first === '[') return findEndOfNested(text, start);
  nothing.lastIndex = start;
  if (nothing.test(text)) return start;
  bareValue.lastIndex = start;
  return start + (bareValue.exec(text)?.[0].length ?? 0);
}

function findEndOfQuoted(text: string, start: number): number {
  const quote = text[start];
  let end = start + 1;
  while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1;
  return Math.min(end + 1, text.length);
}

function findEndOfNested(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '"' || character === "'") {
      at = findEndOfQuoted(text, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** Values of headers whose names say that they are secret are hidden from this length on, others only if nobody would type them. */
const leastChars = 6;
const leastCharsOfOthers = 16;
const secretName = /auth|token|key|secret|cookie|passw|credential|session|signature/i;

/** Returns the headers whose values a server must not return: a mode such as `X-MCP-Readonly: true` is no secret. */
const pickSecretHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => value.length >= (secretName.test(name) ? leastChars : leastCharsOfOthers),
    ),
  );

/** Steps that the patterns of one result or of one call's arguments may take together: enough for 5 patterns on a megabyte, half a second at worst. */
const matchingSteps = 20_000_000;

/** Passes over one text. Each replaces something or is the last, and more than two need patterns that match what others leave. */
const maxPasses = 6;

/** Texts of JSON within texts of JSON that are looked into. */
const maxTextsInTexts = 4;

/** Removes what a server's owner, or the secrecy of its headers, keeps out of everything that is stored or shown. Doing it again changes nothing. */
export interface Redaction {
  /** Whether no rule can match, so that everything stays as it is. */
  readonly isEmpty: boolean;
  /** Returns a text without secrets; JSON in it stays JSON of the same structure. */
  readonly text: (text: string) => string;
  /** Returns a JSON value without secrets. A redacted value is a string. */
  readonly value: (value: unknown) => unknown;
  readonly arguments: (args: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** Returns whether the value of a property at the root of a JSON value is redacted. */
  readonly hasField: (name: string) => boolean;
  /** Returns the same redaction for all parts of one result, which share the steps that a single text or value has otherwise. */
  readonly begin: () => Redaction;
}

/** The redaction of one server, to which secrets can be added that are known later. */
export interface ServerRedaction extends Redaction {
  /** Returns the same redaction, which also hides these values wherever they are. */
  readonly hiding: (secrets: Readonly<Record<string, string>>) => Redaction;
}

/** Makes the redaction of a server's results from its owner's rules and from the headers that it is sent. */
export function makeServerRedaction(rules: RedactionRules, headers: Readonly<Record<string, string>>): ServerRedaction {
  const secrets = pickSecretHeaders(headers);
  const own = rules.patterns.filter((source) => !isPatternName(source));
  // The steps are those that admitted the pattern.
  const compiled = own.map((source) => compilePattern(source, new Steps(compilingSteps)) ?? unreadablePattern);
  const parts: RedactionParts = {
    fields: new Fields(rules.fields),
    secrets,
    named: rules.patterns.filter(isPatternName),
    patterns: compiled,
  };
  const made = makeRedactionOfParts(parts);
  return {
    ...made,
    hiding: (more) =>
      Object.keys(more).length === 0 ? made : makeRedactionOfParts({ ...parts, secrets: { ...secrets, ...more } }),
  };
}

function makeRedactionOfParts(parts: RedactionParts): Redaction {
  const { fields, named, patterns, secrets } = parts;
  if (fields.isEmpty && named.length + patterns.length + Object.keys(secrets).length === 0) return nothingToRedact;
  const begin = (): Redaction => makeRedactionWithFreshSteps(parts);
  return {
    isEmpty: false,
    text: (text) => begin().text(text),
    value: (value) => begin().value(value),
    arguments: (args) => begin().arguments(args),
    hasField: (name) => parts.fields.isPathRedacted([name]),
    begin,
  };
}

/** A stored pattern that is no longer understood: no text can be searched for it, so none is kept. */
const unreadablePattern: Pattern = { hasMatch: () => null, findMatches: () => null };

const nothingToRedact: Redaction = {
  isEmpty: true,
  text: (text) => text,
  value: (value) => value,
  arguments: (args) => ({ ...args }),
  hasField: () => false,
  begin: () => nothingToRedact,
};

interface RedactionParts {
  readonly fields: Fields;
  readonly secrets: Readonly<Record<string, string>>;
  readonly named: readonly Parameters<typeof listMatchSpansOfNamedPattern>[0][];
  readonly patterns: readonly Pattern[];
}

function makeRedactionWithFreshSteps(parts: RedactionParts): Redaction {
  const steps = new Steps(matchingSteps);
  const redactor = new TextRedactor(parts, steps);
  const value = (given: unknown): unknown => {
    const json = JSON.stringify(given);
    if (json === undefined) return given;
    const kept = redactor.redactJson(json, 0);
    if (!steps.tryTake(0)) return redacted;
    return kept === json ? given : JSON.parse(kept);
  };
  return {
    isEmpty: false,
    text: (text) => redactor.redactText(text, 0),
    value,
    arguments(args) {
      const kept = value(args);
      return isRecord(kept) ? kept : { [redacted]: redacted };
    },
    hasField: (name) => parts.fields.isPathRedacted([name]),
    begin: () => makeRedactionWithFreshSteps(parts),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

class TextRedactor {
  readonly #parts: RedactionParts;
  readonly #steps: Steps;

  constructor(parts: RedactionParts, steps: Steps) {
    this.#parts = parts;
    this.#steps = steps;
  }

  /** Redacts until nothing changes any more. What cannot be searched within the steps is replaced as a whole. */
  redactText(text: string, depth: number): string {
    if (text === '' || !this.#mayHoldSecret(text)) return text;
    let [before, after] = ['', text];
    for (let pass = 0; pass < maxPasses && after !== before; pass += 1)
      [before, after] = [after, this.#redactOnce(after, depth)];
    return after === before && this.#steps.tryTake(0) ? after : redacted;
  }

  redactJson(json: string, depth: number): string {
    return redactJsonText(json, {
      fields: this.#parts.fields,
      redactString: (text) => this.redactText(text, depth + 1),
    });
  }

  /** Without rules only the headers are looked for, which is quick. */
  #mayHoldSecret(text: string): boolean {
    const { fields, named, patterns, secrets } = this.#parts;
    const hasRules = !fields.isEmpty || named.length > 0 || patterns.length > 0;
    return hasRules || hideHeaderValuesInText(text, secrets) !== text;
  }

  #redactOnce(text: string, depth: number): string {
    if (depth < maxTextsInTexts && /^\s*[[{"]/.test(text) && parseJsonWithinLimits(text).ok)
      return this.redactJson(text, depth);
    const { fields, secrets } = this.#parts;
    const visible = hideHeaderValuesInText(text, secrets);
    const withoutFields = fields.isEmpty ? visible : redactSpans(visible, findSpansOfFieldValues(visible, fields));
    const spans = this.#findPatternSpansUnlessOutOfSteps(withoutFields);
    return spans === null ? redacted : redactSpans(withoutFields, spans);
  }

  /** Returns where patterns match; null if the steps are used up. */
  #findPatternSpansUnlessOutOfSteps(text: string): Span[] | null {
    const found = this.#parts.named.flatMap((name) => listMatchSpansOfNamedPattern(name, text));
    for (const pattern of this.#parts.patterns) {
      const spans = pattern.findMatches(text, this.#steps);
      if (spans === null) return null;
      found.push(...spans);
    }
    return found;
  }
}
