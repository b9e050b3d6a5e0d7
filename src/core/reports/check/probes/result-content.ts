import { isJsonObject } from '#core/values/json-schema/json-object.ts';
import type { ListedTool } from '../listed-tool.ts';
import { parseJsonOrNull, resultValue, type Arguments, type Result } from './answer.ts';
import { wordsOf } from './known-values.ts';
import { argumentsOf, typeOf, type Argument } from './sample-arguments.ts';

interface SampledCall {
  readonly arguments: Arguments;
  readonly answer: Result;
}

/** Counts at which servers cut. */
const roundCounts = new Set([10, 20, 25, 30, 40, 50, 100, 200, 250, 500, 1_000]);
/** Words by which a result says how many there are, or that there may be more. */
const saysMore =
  /\b(?:total|more|next|pages?|cursor|offset|truncated|limit(?:ed)?|showing|remaining|count|weiter\w*|insgesamt|más|mostrando)\b|\d+\s*(?:of|von|de|sur|\/)\s*\d+|共|全部|更多|下一页|件中|次の|총/iu;
/** Words by which a description says that not all are listed. */
const saysLimit =
  /\b(?:pages?|paginated|cursor|truncated|limited|at most|up to|maximum|max|top|latest|newest|most recent|höchstens|bis zu|maximal|au plus|jusqu'à|hasta|como máximo)\b|\b(?:first|last|ersten|letzten|premi\w+|derni\w+|primer\w+|últim\w+)\s+(?:\d+|[a-z]+(?:ty|een)|five|six|ten|twelve)\b|最多|最新|まで|최대/iu;

/**
 * Returns a list that ends at a round count, without a word about it; null if none does. It takes two calls with different arguments whose lists have the same
 * round count, with none that is longer, or one that asked for more than came.
 */
export function findSilentCut(
  tool: ListedTool,
  samples: readonly SampledCall[],
): { readonly items: number; readonly sample: SampledCall } | null {
  if (saysLimit.test(tool.description ?? '')) return null;
  const counted = samples.flatMap((sample) => {
    const items = countItems(sample.answer);
    return items === null || saysMore.test(wordsAround(sample.answer)) ? [] : [{ items, sample }];
  });
  const most = Math.max(...counted.map(({ items }) => items));
  for (const { items, sample } of counted) {
    if (!roundCounts.has(items) || items < most) continue;
    const alike = counted.filter(
      (each) => each.items === items && JSON.stringify(each.sample.arguments) !== JSON.stringify(sample.arguments),
    );
    if (alike.length > 0 || askedForMore(tool, sample, items)) return { items, sample };
  }
  return null;
}

/** Whether a call asked for more items than came: by an argument that limits them, or by its default. */
const askedForMore = (tool: ListedTool, { arguments: given }: SampledCall, items: number): boolean =>
  argumentsOf(tool).some(({ name, schema }) => {
    if (!/^(?:limit|count|max|n|num|size|top|page_?size|per_?page|max_?(?:results|items))$/i.test(name)) return false;
    const asked = given[name] ?? schema['default'];
    return typeof asked === 'number' && asked > items;
  });

/** The integer arguments of a tool that may limit how many items its lists have. */
export const listPossibleLimits = (tool: ListedTool): Argument[] =>
  argumentsOf(tool).filter(
    ({ name, schema }) =>
      typeOf(schema) === 'integer' &&
      Number(schema['maximum'] ?? mostAsked) > fewAsked &&
      !/page(?!_?size)|offset|cursor|start|skip|from|year|id\b/i.test(name),
  );

/** How many items are asked for to see whether an argument limits them, and the most that are asked for. */
export const fewAsked = 2;
export const mostAsked = 1_000;

/**
 * Returns the most items that a list has although more were asked for, without a word about it; null if all came. `few` is the answer to a call for two items, which
 * shows that the argument limits them, `many` that to one for `asked`.
 */
export function findCutBelowLimit(
  tool: ListedTool,
  few: Result,
  { many, asked }: { readonly many: Result; readonly asked: number },
): number | null {
  const items = countItems(many);
  if (saysLimit.test(tool.description ?? '') || countItems(few) !== fewAsked || items === null) return null;
  return items < asked && (roundCounts.has(items) || items === 12 || items === 15) && !saysMore.test(wordsAround(many))
    ? items
    : null;
}

/** Returns how many items a result lists, in JSON or a line each; null if it is no list. */
export function countItems(answer: Result): number | null {
  const value = resultValue(answer);
  if (Array.isArray(value)) return value.length;
  if (isJsonObject(value)) {
    const lists = Object.values(value).filter((each) => Array.isArray(each));
    return lists.length === 1 ? (lists[0]?.length ?? null) : null;
  }
  const lines = answer.text.trim().split('\n');
  return lines.length >= 10 && parseJsonOrNull(answer.text) === null ? lines.length : null;
}

/** What a result says beside its items: the names of its fields, or the lines at its edges. */
function wordsAround(answer: Result): string {
  const value = resultValue(answer);
  if (Array.isArray(value)) return '';
  if (isJsonObject(value)) return Object.keys(value).join(' ').replaceAll('_', ' ');
  const lines = answer.text.trim().split('\n');
  return [lines[0] ?? '', lines.at(-1) ?? ''].join('\n');
}

/**
 * Whether a text in prose has numbers, and none of them is in the structured content or the length of a list there, though that has numbers
 * too; null if one of them has none. Numbers that stand in texts of the structure or of the arguments do not count.
 */
export function saysOtherNumbers({ text, structured }: Result, given: Arguments): boolean | null {
  const [numbers, texts] = leavesOf(structured);
  const known = [...texts, ...leavesOf(given)[1], ...leavesOf(given)[0].map(String)].toSorted(
    (one, other) => other.length - one.length,
  );
  const bare = known.reduce((left, each) => (each === '' ? left : left.replaceAll(each, ' ')), text);
  const said = bare.match(/(?<![\p{L}\d.])\d+(?:\.\d+)?(?![\p{L}\d])/gu) ?? [];
  if (said.length === 0 || numbers.length === 0) return null;
  return said.every((each) => !numbers.some((number) => isRounded(each, number)));
}

/**
 * Whether a sentence of a text in prose names a field of the structured content by all words of its name, and has numbers of which none is the
 * field's: "29 kWh in total" beside `total_kwh: 31`.
 */
export function contradictsNamedNumber({ text, structured }: Result): boolean {
  const fields = Object.entries(structured ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' ? [{ words: wordsOf(name), value }] : [],
  );
  const named = fields.filter(({ words }) => words.some((word) => word.length > 2));
  const sentences = text.split(/\n|;|(?<=\D)[.,]|[.,](?=\s|$)/);
  return named.some(({ words, value }) =>
    sentences.some((sentence) => {
      const said = new Set(
        (sentence.match(/\p{L}+/gu) ?? []).flatMap((word) => [word.toLowerCase(), ...wordsOf(word)]),
      );
      if (!words.every((word) => said.has(word))) return false;
      const isShared = fields.some((other) => other.value !== value && other.words.every((word) => said.has(word)));
      const numbers = sentence.match(/(?<![\p{L}\d.])\d+(?:\.\d+)?(?![\p{L}\d])/gu) ?? [];
      return !isShared && numbers.length > 0 && numbers.every((each) => !isRounded(each, value));
    }),
  );
}

/** Whether a written number is another one as it is, rounded, in percent or in thousands. */
const isRounded = (written: string, number: number): boolean => {
  const decimals = written.split('.')[1]?.length ?? 0;
  return [1, 100, 0.01, 1_000, 0.001, 60, 1 / 60].some(
    (factor) => Math.abs(Number(written) - Math.abs(number) * factor) <= 0.51 * 10 ** -decimals,
  );
};

/** Returns the numbers of a value, with the lengths of its lists, and its texts. */
function leavesOf(value: unknown): [numbers: number[], texts: string[]] {
  if (typeof value === 'number') return [[value], []];
  if (typeof value === 'string') return [[], [value]];
  if (Array.isArray(value)) {
    const inside = value.map(leavesOf);
    return [[value.length, ...inside.flatMap(([numbers]) => numbers)], inside.flatMap(([, texts]) => texts)];
  }
  if (!isJsonObject(value)) return [[], []];
  const inside = Object.values(value).map(leavesOf);
  return [inside.flatMap(([numbers]) => numbers), inside.flatMap(([, texts]) => texts)];
}

/** Whether the text of a result states other values than its structure: for fields that both have. */
export function contradicts(text: unknown, structured: unknown): boolean {
  if (Array.isArray(text) || Array.isArray(structured)) {
    if (!Array.isArray(text) || !Array.isArray(structured)) return false;
    return text.length !== structured.length || text.some((each, at) => contradicts(each, structured[at]));
  }
  if (typeof text !== 'object' || text === null || typeof structured !== 'object' || structured === null)
    return typeof text === typeof structured && text !== structured;
  const other = new Map(Object.entries(structured));
  return Object.entries(text).some(([key, each]) => other.has(key) && contradicts(each, other.get(key)));
}
