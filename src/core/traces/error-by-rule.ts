import { splitIdentifier } from '#core/catalog/category.ts';
import { toolNameWithoutServer } from '#core/catalog/tool.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { findErrorRuleInJsonOrNull } from './reported-json.ts';
import { terminalCodes } from './error-traits.ts';
import { findErrorRuleInTextOrNull, findRefusalOrNull, findSignedErrorRuleOrNull } from './reported-text.ts';

/** Lines of JSON that are read as a list; more are no list of errors. */
const maxLines = 200;

/** Verbs of tools that change one thing, which has to be there: what a search does not find is an answer, but not for these. */
const changingVerbs = new Set(
  (
    'restore delete remove update edit modify rename move archive reopen resume revert rollback complete cancel approve ' +
    'assign close resolve'
  ).split(' '),
);
/** Verbs of tools whose answer may be that something is wrong, or that nothing fits. */
const judgingVerbs = new Set(
  (
    'check diagnose doctor validate verify lint audit test detect scan inspect health status ' +
    'search find query count lookup'
  ).split(' '),
);
/** Verbs of tools whose answer may be that something is missing or broken. */
const lookingVerbs = new Set([...judgingVerbs, 'list', 'get', 'show', 'read']);
const foundNothing = /^no (?:[\p{L}_-]{1,30} ){1,3}(?:was |were )?found\b[^\n]{0,120}$/iu;

/**
 * Returns the rule by which the text of a result that its server marked as a success says that the call failed; null if none
 * does. `tool` is the tool's name, if it is known: with `server/` or without.
 */
export const findErrorByRule = (text: string, tool = ''): string | null => {
  const shown = text.replaceAll(terminalCodes, '').trim();
  if (shown === '') return null;
  const words = splitIdentifier(toolNameWithoutServer(tool));
  if (foundNothing.test(shown) && words.some((word) => changingVerbs.has(word))) return 'nothing-to-change';
  const found = /^[[{"]/.test(shown) ? (parseJsonOrLines(shown) ?? parseLastOfSeveral(shown)) : undefined;
  if (found !== undefined) return findErrorRuleInJsonOrNull(found.value);
  // The verb stands first or last: `find_note`, `notes_search`.
  const does = (verbs: ReadonlySet<string>): boolean =>
    [words[0], words.at(-1)].some((word) => word !== undefined && verbs.has(word));
  return (
    findErrorRuleInTextOrNull(shown) ??
    (does(lookingVerbs) ? null : findSignedErrorRuleOrNull(shown)) ??
    (does(judgingVerbs) ? null : findRefusalOrNull(shown))
  );
};

/**
 * Parses the last of two values in JSON, one below the other, as the blocks of a result are joined: a note or a greeting comes
 * first. Undefined if the text is anything else.
 */
const parseLastOfSeveral = (text: string): { readonly value: unknown } | undefined => {
  for (
    let at = text.indexOf('\n{'), tries = 0;
    at >= 0 && tries < maxBlocks;
    at = text.indexOf('\n{', at + 1), tries++
  ) {
    const last = parseJsonWithinLimits(text.slice(at + 1));
    if (last.ok && parseJsonWithinLimits(text.slice(0, at)).ok) return { value: last.value };
  }
  return undefined;
};

/** Places at which a second block is looked for. */
const maxBlocks = 20;

/** Parses JSON, or JSON lines as a list; undefined if the text is neither. */
const parseJsonOrLines = (text: string): { readonly value: unknown } | undefined => {
  const whole = parseJsonWithinLimits(text);
  if (whole.ok) return whole;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || lines.length > maxLines) return undefined;
  const values = lines.map(parseJsonWithinLimits);
  const parsed = values.flatMap((each) => (each.ok ? [each.value] : []));
  return parsed.length === values.length ? { value: parsed } : undefined;
};
