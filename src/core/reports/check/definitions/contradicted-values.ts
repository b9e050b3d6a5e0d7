import { whatToolSays } from './argument-texts.ts';
import { findingOnTool, listedValuesOrNull, valueOfKeyword, type ReadArgument, type ToolRule } from './read-tool.ts';
import { quoted } from './tool-words.ts';

interface Contradiction {
  readonly path: string;
  /** The words of the text. */
  readonly words: string;
  /** What the schema says, such as "`maximum` is 50". */
  readonly schema: string;
}

/** Finds values, bounds and defaults in texts that the schema contradicts. */
export const findContradictedValues: ToolRule = (tool) => {
  const found = tool.arguments.flatMap((argument) => {
    const said = argument.isTop ? whatToolSays(argument.name, tool) : null;
    return [argument.description, said ?? '']
      .filter((text) => text !== '')
      .flatMap((text) => [
        ...contradictedList(text, argument),
        ...contradictedBounds(text, argument),
        ...contradictedDefault(text, argument),
      ]);
  });
  const [one] = found;
  if (one === undefined) return null;
  return findingOnTool('values-contradicted', tool, {
    sentence: `the text about \`${one.path}\` says ${quoted(one.words)}, but in its schema ${one.schema}`,
    evidence: found.map(({ path, words, schema }) => `${path}: ${quoted(words, 120)}; ${schema}`),
    proposal: `make the text about \`${one.path}\` and its schema say the same`,
  });
};

const listIntroduction =
  /\b(?:one of|either|allowed values|possible values|valid values|valid options|options|values|choices|choose from|must be|can be|eins von|einer von|eine von|mögliche Werte|erlaubt sind|uno de|una de|valores|l['’]un de|valeurs)\b\s*(?:are|is|sind|son|sont)?\s*[:=]?\s*/giu;
const listedItem = /^\s*(?:"([^"\n]{1,40})"|'([^'\n]{1,40})'|`([^`\n]{1,40})`|([\p{L}\p{N}_][\p{L}\p{N}_./+-]{0,39}))/u;
const itemJoint =
  /^\s*(?:\([^)\n]{0,60}\)\s*)?(?:,\s*(?:or|and|oder|und|ou|o|y|et)?\b\s*|\|\s*|\/\s*|\b(?:or|and|oder|und|ou|o|y|et)\b\s*|、\s*)/u;

/** A list of three values, or of two that are marked, is meant to be whole; the schema has to have each of them. */
function contradictedList(text: string, argument: ReadArgument): Contradiction[] {
  const listed = listedValuesOrNull(argument);
  if (listed === null || listed.some((each) => typeof each === 'object')) return [];
  const known = new Set(listed.map(String));
  const introduced = new Set([
    ...Array.from(text.matchAll(listIntroduction), (match) => match.index + match[0].length),
    ...startsOfBars(text),
  ]);
  const starts = [...introduced, ...Array.from(text.matchAll(/^|[:(]\s*/g), (match) => match.index + match[0].length)];
  for (const start of starts) {
    const { items, marked, end } = readItems(text.slice(start, start + 400));
    const shared = items.filter((item) => known.has(item));
    const unknown = items.filter((item) => !known.has(item));
    const isList = items.length > 2 || (items.length === 2 && (marked || /:\s*$/.test(text.slice(0, start))));
    if (!isList || unknown.length === 0) continue;
    // Words that follow a list in a sentence are no values: at least one item has to be one, or all have to be marked.
    if (shared.length < (introduced.has(start) ? 1 : 2) && !(marked && introduced.has(start))) continue;
    if (!marked && unknown.some((item) => !/^[\w.-]+$/.test(item))) continue;
    if (/\b(?:not|except|nicht|kein\w*|without|deprecated|formerly)\b[^.]{0,30}$/i.test(text.slice(0, start))) continue;
    const values = listed.slice(0, 8).map(String).join(', ');
    return [
      {
        path: argument.path,
        words: text.slice(start, start + end).trim(),
        schema: `its values are ${values}${listed.length > 8 ? ', …' : ''}, without ${unknown.join(', ')}`,
      },
    ];
  }
  return [];
}

/** `A` for `F`, `A9` for `B12`, `a` for a word. */
const shapeOf = (value: string): string =>
  value
    .replaceAll(/\p{Lu}/gu, 'A')
    .replaceAll(/\p{Ll}+/gu, 'a')
    .replaceAll(/\d+/g, '9');

const startsOfBars = (text: string): number[] => {
  const bars = /[\w"'`-]+(?:\s?\|\s?[\w"'`-]+)+/.exec(text);
  return bars === null ? [] : [bars.index];
};

function readItems(text: string): { items: string[]; marked: boolean; end: number } {
  const items: string[] = [];
  let marked = true;
  let at = 0;
  while (items.length < 40) {
    const item = listedItem.exec(text.slice(at));
    if (item === null) break;
    const after = text.slice(at + item[0].length);
    const joint = itemJoint.exec(after);
    const isBare = item[4] !== undefined;
    const value = (item.slice(1).find((each) => each !== undefined) ?? '').replace(/\.$/, '');
    // A bare word that is followed by another word begins a phrase, unless it is written as all before it are.
    const isAlike = items.length > 2 && items.every((each) => shapeOf(each) === shapeOf(value));
    if (isBare && joint === null && !isAlike && !/^\s*(?:$|[.;)\]:(]|\n)/.test(after) && !item[0].endsWith('.')) break;
    if (isBare) marked = false;
    items.push(value);
    at += item[0].length;
    if (joint === null || joint[0] === '') break;
    at += joint[0].length;
  }
  return { items, marked: marked && items.length > 0, end: at };
}

const number = String.raw`(-?\d+(?:[.,]\d+)*)`;
const rangeOf = new RegExp(
  String.raw`(?:\b(?:between|from|range(?:s)?(?: from)?|zwischen|von|entre|de|da|от|с)\s+)?(?<![\w./-])${number}\s?(?:\((?:[^)]{1,20})\)\s?)?(?:(?:-|–|—|\.\.|到|至|~|〜|～)\s?|(?<=[\s)])(?:to|and|bis|und|et|y|à|a|e|до)\s)${number}(?![\w./-]*\d|[-/]\d)`,
  'giu',
);
const mostOf = new RegExp(
  String.raw`(?:\b(?:max(?:imum|imal|\.)?(?: of| is| value)?|at most|up to|no more than|not more than|cannot exceed|must not exceed|höchstens|bis zu|hasta|como máximo|máximo(?: de)?|au plus|jusqu['’]à)|最多\D{0,4}|最大|上限为?|не более|до)\s*[:=]?\s*${number}`,
  'giu',
);
const leastOf = new RegExp(
  String.raw`(?:\b(?:min(?:imum|imal|\.)?(?: of| is| value)?|at least|no less than|not less than|mindestens|como mínimo|mínimo(?: de)?|au moins)|最少|最小|至少|не менее)\s*[:=]?\s*${number}`,
  'giu',
);

interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
  readonly lowKeyword: string;
  readonly highKeyword: string;
}

function boundsOf(argument: ReadArgument): Bounds | null {
  if (argument.ambiguous) return null;
  const pick = (...keywords: readonly string[]): readonly [number | null, string] => {
    for (const keyword of keywords) {
      const value = valueOfKeyword(argument, keyword);
      if (typeof value === 'number') return [value, keyword];
    }
    return [null, keywords[0] ?? ''];
  };
  const { types } = argument;
  const of = (low: readonly [number | null, string], high: readonly [number | null, string]): Bounds => ({
    low: low[0],
    lowKeyword: low[1],
    high: high[0],
    highKeyword: high[1],
  });
  if (types.has('number') || types.has('integer'))
    return of(pick('minimum', 'exclusiveMinimum'), pick('maximum', 'exclusiveMaximum'));
  if (types.has('string')) return of(pick('minLength'), pick('maxLength'));
  return types.has('array') ? of(pick('minItems'), pick('maxItems')) : null;
}

const toNumber = (text: string): number => Number(text.replaceAll(/[.,](?=\d{3}(?:\D|$))/g, '').replace(',', '.'));

/** Words after a number that make it one of length or count, as texts and lists have them. */
const countedCharacters = /^\s?(?:characters?|chars?|zeichen|letters?|caracteres|caractères|个?字符|字)/iu;
const countedItems =
  /^\s?(?:items?|entries|elements?|values?|einträge|ids?|names?|elementos|éléments|\w+s\b|个|项|条)/iu;

function contradictedBounds(text: string, argument: ReadArgument): Contradiction[] {
  const bounds = boundsOf(argument);
  if (bounds === null || (bounds.low === null && bounds.high === null)) return [];
  const isNumber = argument.types.has('number') || argument.types.has('integer');
  const fits = (match: RegExpMatchArray, unit: string): boolean =>
    isNumber
      ? isPlainNumber(match, text)
      : argument.types.has('string')
        ? countedCharacters.test(unit)
        : countedItems.test(unit);
  const after = (match: RegExpMatchArray): string => text.slice((match.index ?? 0) + match[0].length);
  const found: Contradiction[] = [];
  const compare = (words: string, value: number, bound: number | null, keyword: string): void => {
    if (bound !== null && Number.isFinite(value) && value !== bound && !isNear(value, bound, keyword))
      found.push({ path: argument.path, words: words.trim(), schema: `\`${keyword}\` is ${bound}` });
  };
  for (const match of text.matchAll(rangeOf)) {
    const [low, high] = [toNumber(match[1] ?? ''), toNumber(match[2] ?? '')];
    if (!(low < high) || !fits(match, after(match)) || !isRange(match[0], text, argument)) continue;
    compare(match[0], low, bounds.low, bounds.lowKeyword);
    compare(match[0], high, bounds.high, bounds.highKeyword);
  }
  if (found.length > 0) return found.slice(0, 1);
  for (const match of text.matchAll(mostOf))
    if (fits(match, after(match)) && !isOfSomethingElse(match, text))
      compare(match[0], toNumber(match[1] ?? ''), bounds.high, bounds.highKeyword);
  for (const match of text.matchAll(leastOf))
    if (fits(match, after(match)) && !isOfSomethingElse(match, text))
      compare(match[0], toNumber(match[1] ?? ''), bounds.low, bounds.lowKeyword);
  return found.slice(0, 1);
}

/** `exclusiveMinimum: 0` is `at least 1` for whole numbers. */
const isNear = (value: number, bound: number, keyword: string): boolean =>
  (keyword === 'exclusiveMinimum' && value === bound + 1) ||
  (keyword === 'exclusiveMaximum' && value === bound - 1) ||
  Math.abs(bound) >= Number.MAX_SAFE_INTEGER;

/** Not part of a date, a version, a power or a share of something else. */
const isPlainNumber = (match: RegExpMatchArray, text: string): boolean => {
  const end = (match.index ?? 0) + match[0].length;
  return (
    !/^(?:[eE]\d|[%^:/]|\s?(?:%|percent|x\b|times\b|digits?|decimals?|e\d))/.test(text.slice(end)) &&
    !/[\w^:/.,-]$/.test(text.slice(Math.max(0, (match.index ?? 0) - 1), match.index ?? 0))
  );
};

/** Two numbers with a dash are a range only if the text is about nothing else: not `ISO 8601-1`, not `3-5 business days`. */
const isRange = (words: string, text: string, argument: ReadArgument): boolean =>
  /^(?:between|from|range|zwischen|von|entre|de)\b/i.test(words) ||
  /[([]\s?$/.test(text.slice(0, text.indexOf(words))) ||
  /[:,;]\s?$/.test(text.slice(0, text.indexOf(words))) ||
  (argument.types.size > 0 &&
    text.length < 60 &&
    !/\b(?:e\.g|default|about|typically|usually|recommended|ideally|often|such as|example|level|step|normally|empfohlen|meist)\b/i.test(
      text,
    ));

/** Bounds with conditions, and advice, are no bounds of the schema. */
const isOfSomethingElse = (match: RegExpMatchArray, text: string): boolean =>
  /\b(?:if|when|for|recommended|typically|usually|per|each|ideally|free|plan)\b[^.]{0,40}$|\bof the\s*$/i.test(
    text.slice(0, match.index),
  ) || /^\s?(?:if|when|for|per|with|in (?:free|the)|on)\b/i.test(text.slice((match.index ?? 0) + match[0].length));

const defaultOf =
  /(?:\bdefaults?(?: value)?(?: is| to| are)?|\bstandard(?:wert)?(?: ist)?|\bvorgabe(?: ist)?|\bpor defecto|\bpar défaut|\bpredefinito|\bpadrão|默认(?:值)?(?:为|是)?|по умолчанию|既定値(?:は)?|デフォルト(?:は|値は)?|預設)\s*[:=]?\s*(?:"([^"\n]{0,60})"|'([^'\n]{0,60})'|`([^`\n]{0,60})`|(-?\d+(?:\.\d+)?|true|false|[\p{L}_][\p{L}\p{N}_-]*))(?=\s*(?:$|[.,;)\]]|\n|。|,|，|）|\())/giu;

/** `10 by default` */
const valueBefore =
  /(?<![\w.-])(-?\d+(?:\.\d+)?|true|false) (?:by default|par défaut|por defecto|por padrão|standardmäßig|als Standard|по умолчанию)/giu;

function contradictedDefault(text: string, argument: ReadArgument): Contradiction[] {
  const value = valueOfKeyword(argument, 'default');
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
  const listed = listedValuesOrNull(argument)?.map(String) ?? [];
  const before = Array.from(
    text.matchAll(valueBefore),
    ([words, said]) => [words, undefined, undefined, undefined, said] as const,
  );
  return [...text.matchAll(defaultOf), ...before]
    .flatMap((match) => {
      const marked = match[1] ?? match[2] ?? match[3];
      const said = marked ?? match[4] ?? '';
      if (said.toLowerCase() === String(value).toLowerCase()) return [];
      if (typeof value === 'number' && (!/^-?\d+(?:\.\d+)?$/.test(said) || Number(said) === value)) return [];
      if (typeof value === 'boolean' && !/^(?:true|false)$/i.test(said)) return [];
      if (typeof value === 'string' && marked === undefined && !listed.includes(said)) return [];
      if (
        /\bif\b[^.]{0,60}$|\bwhen\b[^.]{0,60}$/i.test(text.slice(0, text.indexOf(match[0]))) &&
        !/\b(?:if|when) (?:omitted|left out|not)/i.test(text)
      )
        return [];
      return [{ path: argument.path, words: match[0], schema: `\`default\` is ${JSON.stringify(value)}` }];
    })
    .slice(0, 1);
}
