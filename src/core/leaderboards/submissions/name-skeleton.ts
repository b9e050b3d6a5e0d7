import confusables from './confusables.json' with { type: 'json' };
import { normalizeName } from './record.ts';

/**
 * Returns what a name looks like: names with a common skeleton look alike. There is one for the name as it is
 * written and one for its lower case, because `I` looks like `l` and `i` does not. By UTS #39, section 4, without the
 * reordering of bidirectional text; marks above and below letters of European scripts do not count either.
 */
export function nameSkeletons(name: string): string[] {
  const key = normalizeName(name);
  const written = name.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
  return [...new Set([skeletonOf(key), skeletonOf(written)])];
}

const ignored = /\p{Default_Ignorable_Code_Point}|\p{Cc}|\p{Cf}/gu;
const marked = /([\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])\p{Mn}+/gu;

const skeletonOf = (text: string): string =>
  Array.from(text.normalize('NFD').replaceAll(ignored, ''), (each) => prototypesByCharacter().get(each) ?? each)
    .join('')
    .normalize('NFD')
    .replaceAll(marked, '$1');

let known: ReadonlyMap<string, string> | null = null;

/** The prototype of each character that looks like another, made when it is first needed. */
const prototypesByCharacter = (): ReadonlyMap<string, string> =>
  (known ??= new Map(
    Object.entries(confusables.prototypes).flatMap(([prototype, alike]) =>
      alike.split(' ').map((each) => [textOfHexCodePoints(each), textOfHexCodePoints(prototype)] as const),
    ),
  ));

const textOfHexCodePoints = (hex: string): string =>
  String.fromCodePoint(...hex.split(' ').map((each) => Number.parseInt(each, 16)));
