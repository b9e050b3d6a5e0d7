import { z } from 'zod';
import { textOfVariable } from '../coverage.ts';
import { stemsOfContentWords } from '../words.ts';

/** Lines are split so that one of them does not fill a summary. */
const pieceChars = 400;

/**
 * Summarises a long result for a request by leaving things out: the beginning stays, then the pieces that share most words
 * with the request, all in their order. Adds nothing.
 */
export const summariseLongResult = (variables: ReadonlyMap<string, unknown>): string => {
  const most = z.number().catch(1_000).parse(variables.get('characters'));
  const wanted = new Set(stemsOfContentWords(textOfVariable(variables, 'request')));
  const pieces = textOfVariable(variables, 'longResult')
    .split(/(?<=\n)/u)
    .flatMap((line) => line.match(new RegExp(`[\\s\\S]{1,${pieceChars}}`, 'gu')) ?? []);
  const ranked = pieces
    .map((text, index) => ({ text, place: index, shared: index === 0 ? Infinity : countSharedWords(text, wanted) }))
    .toSorted((one, other) => other.shared - one.shared || one.place - other.place);
  const kept: { readonly text: string; readonly place: number }[] = [];
  let left = most;
  for (const piece of ranked) {
    if (piece.text.length > left) break;
    kept.push(piece);
    left -= piece.text.length;
  }
  return kept
    .toSorted((one, other) => one.place - other.place)
    .map(({ text }) => text)
    .join('');
};

const countSharedWords = (text: string, wanted: ReadonlySet<string>): number =>
  new Set(stemsOfContentWords(text).filter((word) => wanted.has(word))).size;
