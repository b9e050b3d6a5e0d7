import type { Fields } from '#core/catalog/redaction/fields.ts';
import { redacted } from './marker.ts';

/** What is done with the parts of a JSON text. */
export interface JsonRedaction {
  readonly fields: Fields;
  /** Returns a text without what is secret in it: of a string, of a property's name, or the digits of a number. */
  readonly redactString: (text: string) => string;
}

const redactedJson = JSON.stringify(redacted);

/**
 * Returns a JSON text with its secret values replaced. Everything else stays as it was written, spaces and the form of numbers too.
 * `text` must be valid JSON of bounded depth.
 */
export const redactJsonText = (text: string, redaction: JsonRedaction): string =>
  new JsonRewriter(text, redaction).rewrite();

/** Copies a JSON text from left to right. */
class JsonRewriter {
  readonly #text: string;
  readonly #redaction: JsonRedaction;
  #at = 0;
  #written = '';
  /** Everything before it is written. */
  #copied = 0;

  constructor(text: string, redaction: JsonRedaction) {
    this.#text = text;
    this.#redaction = redaction;
  }

  rewrite(): string {
    this.#copyValue([]);
    return this.#written + this.#text.slice(this.#copied);
  }

  #copyValue(path: readonly string[]): void {
    this.#skipSpaces();
    const first = this.#text[this.#at];
    if (first === '{') this.#copyObject(path);
    else if (first === '[') this.#copyList(path);
    else this.#copyScalarRedacted();
  }

  #copyObject(path: readonly string[]): void {
    const names = new Set<string>();
    this.#at += 1;
    while (!this.#skipCommaAndCheckEnd('}')) {
      const start = this.#at;
      const name = this.#readString();
      const shown = this.#redaction.redactString(name);
      const unique = shown === name ? name : makeUniqueName(shown, names);
      names.add(unique);
      if (unique !== name) this.#replaceTextReadSince(start, JSON.stringify(unique));
      this.#skipSpaces();
      // The colon.
      this.#at += 1;
      this.#skipSpaces();
      const inner = [...path, name];
      if (this.#redaction.fields.isPathRedacted(inner) && !this.#text.startsWith('null', this.#at))
        this.#skipValueAndReplaceByMarker();
      else this.#copyValue(inner);
    }
    this.#at += 1;
  }

  #copyList(path: readonly string[]): void {
    this.#at += 1;
    while (!this.#skipCommaAndCheckEnd(']')) this.#copyValue(path);
    this.#at += 1;
  }

  /** Moves over spaces and a comma, and returns whether an object or list ends there. */
  #skipCommaAndCheckEnd(end: string): boolean {
    this.#skipSpaces();
    if (this.#text[this.#at] === ',') this.#at += 1;
    this.#skipSpaces();
    return this.#text[this.#at] === end;
  }

  #copyScalarRedacted(): void {
    const start = this.#at;
    if (this.#text[start] === '"') {
      const value = this.#readString();
      const shown = this.#redaction.redactString(value);
      if (shown !== value) this.#replaceTextReadSince(start, JSON.stringify(shown));
      return;
    }
    this.#skipWord();
    const word = this.#text.slice(start, this.#at);
    if (!/^[-\d]/.test(word)) return;
    const shown = this.#redaction.redactString(word);
    if (shown !== word) this.#replaceTextReadSince(start, JSON.stringify(shown));
  }

  #skipValueAndReplaceByMarker(): void {
    const start = this.#at;
    let depth = 0;
    do {
      const character = this.#text[this.#at] ?? '';
      if (character === '"') this.#skipString();
      else if (/[-\w]/.test(character)) this.#skipWord();
      else {
        if (character === '{' || character === '[') depth += 1;
        if (character === '}' || character === ']') depth -= 1;
        this.#at += 1;
      }
    } while (depth > 0);
    if (this.#text.slice(start, this.#at) !== redactedJson) this.#replaceTextReadSince(start, redactedJson);
  }

  #replaceTextReadSince(start: number, json: string): void {
    this.#written += this.#text.slice(this.#copied, start) + json;
    this.#copied = this.#at;
  }

  #readString(): string {
    const start = this.#at;
    this.#skipString();
    return String(JSON.parse(this.#text.slice(start, this.#at)));
  }

  #skipString(): void {
    let end = this.#at + 1;
    while (this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1;
    this.#at = end + 1;
  }

  #skipWord(): void {
    while (/[-+.\w]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #skipSpaces(): void {
    while (/[ \t\n\r]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }
}

function makeUniqueName(name: string, taken: ReadonlySet<string>): string {
  let unique = name;
  for (let number = 2; taken.has(unique); number += 1) unique = `${name} ${number}`;
  return unique;
}
