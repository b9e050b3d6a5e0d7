import { splitIdentifier } from '#core/catalog/category.ts';
import { isJsonObject } from '#core/values/json-schema/json-object.ts';

/** A value that a server has shown, and the words of where it stood, such as `order`, `id`. */
interface KnownValue {
  readonly words: readonly string[];
  readonly value: string | number;
}

const mostValues = 2_000;
const mostDepth = 6;
const mostItems = 20;

export const singular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : /[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;

export const wordsOf = (name: string): string[] => splitIdentifier(name).map((word) => singular(word.toLowerCase()));

/** What a server has shown so far: values for the arguments of later calls. */
export class KnownValues {
  readonly #values: KnownValue[] = [];

  /** Adds what an answer shows of things that a tool is about. */
  add(value: unknown, about: readonly string[]): void {
    if (typeof value === 'string') this.#addFromText(value, about);
    else this.#walk(value, about, 0);
  }

  /** Returns values for an argument, those under the most fitting name first; ten at most. */
  find(argument: string, about: readonly string[]): (string | number)[] {
    const asked = wordsOf(argument);
    const isBare = asked.length === 1 && bareNames.has(asked[0] ?? '');
    const wanted = isBare ? [...about, ...asked] : asked;
    const scored = this.#values.flatMap(({ words, value }) => {
      const held = asked.every(
        (word) => words.includes(word) || (idNames.has(word) && idNames.has(words.at(-1) ?? '')),
      );
      if (!held) return [];
      // A value under the very name is worth more than one next to it.
      const isNamed = words.at(-1) === asked.at(-1);
      const shared = wanted.filter((word) => words.includes(word)).length;
      return [{ value, score: shared + (isNamed ? 0.5 : 0) - words.length / 100 }];
    });
    const sorted = scored.toSorted((one, other) => other.score - one.score).map(({ value }) => value);
    return [...new Set(sorted)].slice(0, 10);
  }

  #walk(value: unknown, path: readonly string[], depth: number): void {
    if (depth > mostDepth || this.#values.length >= mostValues) return;
    if (typeof value === 'string' || typeof value === 'number') {
      if (String(value) !== '' && String(value).length <= 200) this.#values.push({ words: path, value });
    } else if (Array.isArray(value)) for (const each of value.slice(0, mostItems)) this.#walk(each, path, depth + 1);
    else if (isJsonObject(value))
      for (const [key, each] of Object.entries(value))
        this.#walk(each, [...path.slice(-3), ...wordsOf(key)], depth + 1);
  }

  /** Takes what looks like an id, and quoted or listed words behind "one of", "available" and the like. */
  #addFromText(text: string, about: readonly string[]): void {
    const ids = text.slice(0, 20_000).match(/\b[A-Za-z]{1,8}[-_]\d[\w-]{0,20}\b|\b[A-Z]{2,6}\d{2,10}\b/g) ?? [];
    for (const id of new Set(ids.slice(0, mostItems))) this.#values.push({ words: [...about, 'id'], value: id });
    for (const match of text.matchAll(/\bID:?\*{0,2} ?`?(\d{1,12}|[\w-]{2,40})`?/gi))
      if (match[1] !== undefined) this.#values.push({ words: [...about, 'id'], value: match[1] });
    const listed =
      /(?:one of|available|known|valid|allowed|supported|expected|e\.g\.|for example|try)\b[^:\n]{0,40}:?\s*([^\n]{2,400})/i.exec(
        text,
      )?.[1];
    for (const word of listed?.match(/[\p{L}\d][\p{L}\d_.:/-]*/gu)?.slice(0, mostItems) ?? [])
      this.#values.push({ words: [...about, 'id', 'name', 'code'], value: word.replace(/[.:]$/, '') });
  }
}

const bareNames = new Set('id name key code slug number ref uuid symbol'.split(' '));
const idNames = new Set('id key code number ref reference uuid slug no sku'.split(' '));
