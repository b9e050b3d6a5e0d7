import { z } from 'zod';
import { isJsonObject } from '#core/values/json-schema/json-object.ts';
import {
  answerText,
  isEmptyValue,
  isRefusal,
  isSuccess,
  oneLine,
  resultValue,
  type Answer,
} from '../check/probes/answer.ts';
import { resultShape, shapeOfValues } from '../lock/result-shape.ts';

/** What one call of a visit came to, as far as later ones are compared with it. */
export const seenCall = z.object({
  outcome: z.enum(['success', 'refusal', 'silence']),
  /** The form of a success. */
  shape: resultShape,
  /** Items in the lists of a success; without lists, 1 if it says something. */
  items: z.int().min(0),
  /** What a success says, one part each, such as `city.name=Graz`. Parts of lists do not say at which place they stood. */
  values: z.array(z.string()),
  ms: z.number().min(0),
  /** Length of the text. */
  chars: z.int().min(0),
  /** The beginning of the text, in one line. */
  text: z.string(),
});
export type SeenCall = Readonly<z.infer<typeof seenCall>>;

/** Parts of a result that are kept, the longest of them cut; deeper ones are not. */
const mostValues = 100;
const mostValueChars = 100;
const mostDepth = 8;

/** Reads an answer. */
export function readSeenCall(answer: Answer): SeenCall {
  const text = answerText(answer);
  const seen = { ms: answer.ms, chars: text.length, text: oneLine(text) };
  if (!isSuccess(answer))
    return { ...seen, outcome: isRefusal(answer) ? 'refusal' : 'silence', shape: {}, items: 0, values: [] };
  const value = resultValue(answer);
  return {
    ...seen,
    outcome: 'success',
    shape: shapeOfValues([value]),
    items: countItems(value),
    values: readValues(value),
  };
}

function countItems(value: unknown): number {
  let lists = 0;
  let items = 0;
  const visit = (each: unknown): void => {
    if (Array.isArray(each)) {
      lists += 1;
      items += each.length;
    }
    if (typeof each === 'object' && each !== null) for (const part of Object.values(each)) visit(part);
  };
  visit(value);
  return lists > 0 ? items : isEmptyValue(value) ? 0 : 1;
}

/** Returns the parts of a value that hold no others, each once; of a text its lines without numbers, and the numbers in them. */
function readValues(root: unknown): string[] {
  if (typeof root === 'string')
    return keepFirst(
      root.split('\n').flatMap((line) => {
        const words = line.trim().replaceAll(numeral, '#');
        return words === '' ? [] : [words, ...Array.from(line.matchAll(numeral), ([found]) => `${words}=${found}`)];
      }),
    );
  const found: string[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (depth > mostDepth || found.length >= 10 * mostValues) return;
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`, depth + 1);
    else if (isJsonObject(value))
      for (const [key, part] of Object.entries(value)) visit(part, path === '' ? key : `${path}.${key}`, depth + 1);
    else found.push(`${path}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  };
  visit(root, '', 0);
  return keepFirst(found);
}

const numeral = /\d+(?:[.,:]\d+)*/g;

/** Whether a value is a number. */
export const isNumber = (value: string): boolean => /=-?\d+(?:[.,:]\d+)*(?:e[+-]?\d+)?$/.test(value);

const keepFirst = (values: readonly string[]): string[] => [...new Set(values.map(shorten))].slice(0, mostValues);

/** A long value is told from others by its beginning, its length and a sum of its characters. */
function shorten(value: string): string {
  if (value.length <= mostValueChars) return value;
  let sum = 0;
  for (let at = 0; at < value.length; at += 1) sum = (Math.imul(sum, 31) + value.charCodeAt(at)) | 0;
  return `${value.slice(0, mostValueChars)}… (${value.length}, ${sum >>> 0})`;
}
