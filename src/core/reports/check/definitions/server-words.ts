import { fullWords, plainWords, stemOf } from './tool-words.ts';

interface ToolTexts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** Letters by which the forms of a word begin alike, in most languages of Latin letters. */
export const sameBeginning = 4;

/** Returns the first letters of a word, without marks. */
export const beginningOf = (word: string): string =>
  word.normalize('NFD').replaceAll(/\p{M}/gu, '').slice(0, sameBeginning);

/** What a server and its tools speak of, counted once: a server may list hundreds of tools. */
export interface ServerWords {
  /** Whether the server itself, or a tool other than the one named, has a word of this stem. */
  readonly hasStem: (stem: string, exceptTool: string) => boolean;
  /** Whether one of them has a word that begins so. */
  readonly hasBeginning: (beginning: string, exceptTool: string) => boolean;
}

export const countServerWords = (own: readonly string[], tools: readonly ToolTexts[]): ServerWords => ({
  hasStem: countKeys(own, tools, (text) => fullWords(text).map(stemOf)),
  hasBeginning: countKeys(own, tools, (text) => plainWords(text).map(beginningOf)),
});

function countKeys(own: readonly string[], tools: readonly ToolTexts[], read: (text: string) => string[]) {
  const ofServer = new Set(own.flatMap(read));
  const byTool = new Map(
    tools.map((tool) => [tool.name, new Set([tool.name, tool.title, tool.description].flatMap(read))]),
  );
  const tellers = new Map<string, number>();
  for (const keys of byTool.values()) for (const key of keys) tellers.set(key, (tellers.get(key) ?? 0) + 1);
  return (key: string, exceptTool: string): boolean =>
    ofServer.has(key) || (tellers.get(key) ?? 0) > (byTool.get(exceptTool)?.has(key) === true ? 1 : 0);
}
