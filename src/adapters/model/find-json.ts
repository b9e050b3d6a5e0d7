import { z } from 'zod';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { err, type Result } from '#core/values/result.ts';

/**
 * Separates what a model thought aloud from its answer. Some templates open the thoughts in the prompt, so that the text
 * begins within them. A text of which no end of thoughts is known is an answer.
 */
export function splitOffThoughts(text: string): { readonly thoughts: string; readonly answer: string } {
  const opened = /^\s*<think(?:ing)?>([\s\S]*?)<\/think(?:ing)?>\s*([\s\S]*)$/.exec(text);
  const found = opened ?? /^(\s*[^\s{[][\s\S]*?)<\/think(?:ing)?>\s*([\s\S]*)$/.exec(text);
  const [, thoughts = '', answer = text] = found ?? [];
  return { thoughts, answer };
}

/**
 * Finds the JSON of an answer: the whole text, or else the last object in it that is complete. Models whose output is not
 * enforced write words or a Markdown fence around it.
 */
export function parseJsonOrLastObjectInText(text: string): Result<unknown, string> {
  const whole = parseJsonWithinLimits(text);
  if (whole.ok) return whole;
  const found = findLastJsonObjectText(text);
  return found === undefined ? err('not JSON') : parseJsonWithinLimits(found);
}

/**
 * Returns whether a text around an answer holds another object with all of its keys and other values: a model that quotes what
 * it was shown beside its own answer. Which of them is its own cannot be told from the text.
 */
export function hasRivalOfAnswer(text: string, answer: unknown): boolean {
  const own = recordOfJson.safeParse(answer);
  if (!own.success || parseJsonWithinLimits(text).ok) return false;
  const keys = Object.keys(own.data);
  return listOutermostBraceTexts(text)
    .slice(-mostAttempts)
    .some((candidate) => {
      const other = recordOfJson.safeParse(valueOrUndefined(parseJsonWithinLimits(candidate)));
      const isAlike = other.success && keys.every((key) => Object.hasOwn(other.data, key));
      return isAlike && JSON.stringify(other.data) !== JSON.stringify(own.data);
    });
}

const recordOfJson = z.record(z.string(), z.unknown());
const valueOrUndefined = (read: Result<unknown, string>): unknown => (read.ok ? read.value : undefined);

/** Attempts to parse, so that a text of nothing but braces costs little. */
const mostAttempts = 100;

/** Returns the last outermost text in braces that is JSON; a stray brace in the words before it does not hide it. */
function findLastJsonObjectText(text: string): string | undefined {
  const end = text.lastIndexOf('}') + 1;
  const upToEnd = [...text.matchAll(/\{/g)].slice(0, mostAttempts).map(({ index }) => text.slice(index, end));
  const candidates = [...listOutermostBraceTexts(text).slice(-mostAttempts).toReversed(), ...upToEnd];
  return candidates.find((candidate) => parseJsonWithinLimits(candidate).ok);
}

/** Returns the outermost balanced texts in braces, in their order. Quotes count within braces only. */
function listOutermostBraceTexts(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted && char === '\\') at += 1;
    else if (depth > 0 && char === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (char === '{') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (char === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) found.push(text.slice(start, at + 1));
    }
  }
  return found;
}
