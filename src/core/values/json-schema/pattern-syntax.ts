import type { Steps } from './steps.ts';

/** How a pattern reads texts: by code points (`u`), or by code units if only the older syntax accepts it. */
export type PatternMode = 'u' | '';

/** A regular expression without captures, because only the match matters. */
export type PatternNode =
  | { readonly kind: 'character'; readonly test: (character: string) => boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number }
  | { readonly kind: 'edge'; readonly edge: 'start' | 'end' | 'word' | 'no-word' }
  | { readonly kind: 'look'; readonly negated: boolean; readonly part: PatternNode };

const maxNesting = 50;
/** Measured cost of building the test of one character: classes of Unicode properties have hundreds of ranges. */
const testSteps = 100;
const propertyTestSteps = 2_000;

/** Parses an ECMAScript regular expression. Null if it is invalid, needs backtracking, or exceeds the steps. */
export function parsePattern(
  source: string,
  steps: Steps,
): { readonly root: PatternNode; readonly mode: PatternMode } | null {
  const mode = findPatternMode(source);
  if (mode === null) return null;
  const parser = new Parser(source, mode, steps);
  const root = parser.parseChoice(0);
  return root === null || !parser.isAtEnd ? null : { root, mode };
}

function findPatternMode(source: string): PatternMode | null {
  for (const mode of ['u', ''] as const) {
    try {
      // This only parses: V8 compiles a pattern at its first match, and this one is never matched.
      void new RegExp(source, mode);
      return mode;
    } catch {
      continue;
    }
  }
  return null;
}

/** Parses what `RegExp` accepted, so it only needs to refuse what this engine does not support. */
class Parser {
  readonly #source: string;
  readonly #mode: PatternMode;
  /** Tests by their source: a repeated class is built once. */
  readonly #tests = new Map<string, (character: string) => boolean>();
  readonly #steps: Steps;
  #at = 0;

  constructor(source: string, mode: PatternMode, steps: Steps) {
    this.#source = source;
    this.#mode = mode;
    this.#steps = steps;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#source.length;
  }

  parseChoice(nesting: number): PatternNode | null {
    if (nesting > maxNesting) return null;
    const branches: PatternNode[] = [];
    do {
      const branch = this.#parseSequence(nesting);
      if (branch === null) return null;
      branches.push(branch);
    } while (this.#consumeIfNext('|'));
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { kind: 'choice', branches };
  }

  #parseSequence(nesting: number): PatternNode | null {
    const parts: PatternNode[] = [];
    while (!this.isAtEnd && !this.#isNext('|') && !this.#isNext(')')) {
      const term = this.#parseUnrepeatedTerm(nesting);
      const repeated = term === null ? null : this.#repeatPartIfQuantified(term);
      if (repeated === null) return null;
      parts.push(repeated);
    }
    return { kind: 'sequence', parts };
  }

  #parseUnrepeatedTerm(nesting: number): PatternNode | null {
    if (this.#consumeIfNext('^')) return { kind: 'edge', edge: 'start' };
    if (this.#consumeIfNext('$')) return { kind: 'edge', edge: 'end' };
    if (this.#consumeIfNext('\\b')) return { kind: 'edge', edge: 'word' };
    if (this.#consumeIfNext('\\B')) return { kind: 'edge', edge: 'no-word' };
    if (this.#isNext('(')) return this.#parseGroupOrLookahead(nesting);
    const atom = this.#peekSourceOfOneCharacter();
    if (atom === null) return null;
    this.#at += atom.length;
    const test = this.#getCharacterTestIfStepsLeft(atom);
    return test === null ? null : { kind: 'character', test };
  }

  #parseGroupOrLookahead(nesting: number): PatternNode | null {
    const [opening = '', name] = /^\((?:\?(?:[:=!]|<([^=!>][^>]*)>))?/u.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += opening.length;
    // Anything left begins a lookbehind or changes flags.
    if (opening === '(' && this.#isNext('?')) return null;
    const inner = this.parseChoice(nesting + 1);
    if (inner === null || !this.#consumeIfNext(')')) return null;
    const looks = name === undefined && (opening === '(?=' || opening === '(?!');
    return looks ? { kind: 'look', negated: opening === '(?!', part: inner } : inner;
  }

  #repeatPartIfQuantified(part: PatternNode): PatternNode | null {
    const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})/.exec(this.#source.slice(this.#at, this.#at + 40));
    if (found === null) return part;
    const [text, from, comma, to] = found;
    this.#at += text.length;
    this.#consumeIfNext('?');
    if (from === undefined) {
      return { kind: 'repeat', part, least: text === '+' ? 1 : 0, most: text === '?' ? 1 : Infinity };
    }
    const most = comma === undefined ? from : to;
    return { kind: 'repeat', part, least: Number(from), most: most ? Number(most) : Infinity };
  }

  /** The source of a single character. */
  #peekSourceOfOneCharacter(): string | null {
    const rest = this.#source.slice(this.#at);
    if (rest.startsWith('[')) return /^\[(?:\\[^]|[^\]\\])*\]/.exec(rest)?.[0] ?? null;
    if (!rest.startsWith('\\'))
      return this.#mode === 'u' ? String.fromCodePoint(rest.codePointAt(0) ?? 0) : rest.charAt(0);
    // References to groups, by number or name.
    if (/^\\[1-9k]/.test(rest)) return null;
    const escaped =
      this.#mode === 'u'
        ? /^\\(?:u\{[^}]*\}|u[dD][89abAB][^]{2}\\u[dD][c-fC-F][^]{2}|[pP]\{[^}]*\}|u[^]{4}|x[^]{2}|c[^]|[^])/u
        : /^\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|0(?!\d)|[^cu\dx])/;
    return escaped.exec(rest)?.[0] ?? null;
  }

  #getCharacterTestIfStepsLeft(atom: string): ((character: string) => boolean) | null {
    const known = this.#tests.get(atom);
    if (known !== undefined) return known;
    if (!this.#steps.tryTake(/\\p/i.test(atom) ? propertyTestSteps : testSteps)) return null;
    const test = makeCharacterTest(atom, this.#mode);
    this.#tests.set(atom, test);
    return test;
  }

  #isNext(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #consumeIfNext(text: string): boolean {
    const taken = this.#isNext(text);
    if (taken) this.#at += text.length;
    return taken;
  }
}

/** The platform's own engine decides what a single character matches: over one character it cannot backtrack. */
function makeCharacterTest(atom: string, mode: PatternMode): (character: string) => boolean {
  const isLiteral = !/^[.[\\]/.test(atom) || /^\\[^\w]$/u.test(atom);
  if (isLiteral) {
    const literal = atom.startsWith('\\') ? atom.slice(1) : atom;
    return (character) => character === literal;
  }
  const one = new RegExp(`^${atom}$`, mode);
  return (character) => one.test(character);
}
