import { parsePattern, type PatternMode, type PatternNode } from './pattern-syntax.ts';
import type { Steps } from './steps.ts';

/** Limits of a pattern; larger ones are not matched at all. */
const maxPatternChars = 4_000;
const maxStates = 8_000;

type Edge = Extract<PatternNode, { readonly kind: 'edge' }>['edge'];
type State =
  | { readonly op: 'character'; readonly test: (character: string) => boolean; readonly next: number }
  | { readonly op: 'split'; readonly nexts: number[] }
  | { readonly op: 'edge'; readonly edge: Edge; readonly next: number }
  | { readonly op: 'look'; readonly negated: boolean; readonly start: number; readonly next: number }
  | { readonly op: 'accept' };

/**
 * An untrusted regular expression, matched without backtracking: all paths are followed at once, character by
 * character, so time is bounded by the length of the text times the size of the pattern.
 */
export interface Pattern {
  /** Returns whether it matches anywhere in the text; null if the steps are used up. */
  hasMatch(text: string, steps: Steps): boolean | null;
  /**
   * Returns all matches that are not empty, from left to right, each as long as possible and none within another; null if the
   * steps are used up.
   */
  findMatches(text: string, steps: Steps): readonly Span[] | null;
}

/** A part of a text: from a UTF-16 code unit up to another one, which it does not include. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Compiles a pattern; null if it is invalid, too large, or needs backtracking (references to groups, lookbehinds). */
export function compilePattern(source: string, steps: Steps): Pattern | null {
  if (source.length > maxPatternChars || !steps.tryTake(source.length)) return null;
  const parsed = parsePattern(source, steps);
  if (parsed === null) return null;
  const compiler = new Compiler(steps);
  const start = compiler.addNodeAndReturnStart(parsed.root, compiler.accept);
  if (start === null) return null;
  const { states } = compiler;
  return {
    hasMatch(text, taken) {
      if (!taken.tryTake(text.length)) return null;
      return new Run(states, splitCharacters(text, parsed.mode), taken).hasMatchFrom(start, 0, false);
    },
    findMatches(text, taken) {
      if (!taken.tryTake(text.length)) return null;
      return findAllMatches(states, start, splitCharacters(text, parsed.mode), taken);
    },
  };
}

function findAllMatches(
  states: readonly State[],
  start: number,
  characters: readonly string[],
  steps: Steps,
): readonly Span[] | null {
  const run = new Run(states, characters, steps);
  const found: Span[] = [];
  // Where the character at `from` begins in the text.
  let [from, offset] = [0, 0];
  const lengthBetween = (begin: number, end: number): number =>
    characters.slice(begin, end).reduce((sum, character) => sum + character.length, 0);
  for (;;) {
    const match = run.findLeftmostLongestFrom(start, from);
    if (match === null) return null;
    if (match === undefined) return found;
    const begin = offset + lengthBetween(from, match.start);
    const end = begin + lengthBetween(match.start, match.end);
    found.push({ start: begin, end });
    [from, offset] = [match.end, end];
  }
}

const splitCharacters = (text: string, mode: PatternMode): readonly string[] =>
  mode === 'u' ? Array.from(text) : text.split('');

/** The place of the state in which a match ends. */
const acceptState = 0;

/** Builds states from the end of a pattern to its beginning. */
class Compiler {
  readonly states: State[] = [{ op: 'accept' }];
  readonly accept = acceptState;
  readonly #steps: Steps;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  /** Returns the state in which `node` begins, if it continues at `next`; null if the pattern is too large. */
  addNodeAndReturnStart(node: PatternNode, next: number): number | null {
    if (!this.#steps.tryTake() || this.states.length > maxStates) return null;
    switch (node.kind) {
      case 'character':
        return this.#addState({ op: 'character', test: node.test, next });
      case 'edge':
        return this.#addState({ op: 'edge', edge: node.edge, next });
      case 'look': {
        const start = this.addNodeAndReturnStart(node.part, this.accept);
        return start === null ? null : this.#addState({ op: 'look', negated: node.negated, start, next });
      }
      case 'sequence':
        return node.parts.reduceRight<number | null>(
          (after, part) => (after === null ? null : this.addNodeAndReturnStart(part, after)),
          next,
        );
      case 'choice': {
        const nexts = node.branches
          .map((branch) => this.addNodeAndReturnStart(branch, next))
          .filter((start) => start !== null);
        return nexts.length < node.branches.length ? null : this.#addState({ op: 'split', nexts });
      }
      case 'repeat':
        return this.#addRepeatStates(node, next);
    }
  }

  #addRepeatStates(
    { part, least, most }: Extract<PatternNode, { readonly kind: 'repeat' }>,
    next: number,
  ): number | null {
    let start: number | null = next;
    if (most === Infinity) {
      const nexts = [next];
      const loop = this.#addState({ op: 'split', nexts });
      const again = this.addNodeAndReturnStart(part, loop);
      if (again === null) return null;
      nexts.push(again);
      start = loop;
    }
    const optional = most === Infinity ? 0 : most - least;
    for (let i = 0; i < optional && start !== null; i += 1) {
      const once = this.addNodeAndReturnStart(part, start);
      start = once === null ? null : this.#addState({ op: 'split', nexts: [next, once] });
    }
    for (let i = 0; i < least && start !== null; i += 1) start = this.addNodeAndReturnStart(part, start);
    return start;
  }

  #addState(state: State): number {
    return this.states.push(state) - 1;
  }
}

/** Follows a pattern through one text. */
class Run {
  readonly #states: readonly State[];
  readonly #text: readonly string[];
  readonly #steps: Steps;

  constructor(states: readonly State[], text: readonly string[], steps: Steps) {
    this.#states = states;
    this.#text = text;
    this.#steps = steps;
  }

  /** Returns whether a match begins at `from` or, unless `here`, later; null if the steps are used up. */
  hasMatchFrom(start: number, from: number, here: boolean): boolean | null {
    let current = new Set<number>();
    for (let at = from; at <= this.#text.length; at += 1) {
      if (at === from || !here) {
        const accepted = this.#enterStateAndTestEnd(start, at, current);
        if (accepted !== false) return accepted;
      }
      if (current.size === 0 && here) return false;
      const character = this.#text[at];
      if (character === undefined) return false;
      const next = new Set<number>();
      for (const place of current) {
        const state = this.#states[place];
        if (!this.#steps.tryTake()) return null;
        if (state?.op !== 'character' || !state.test(character)) continue;
        const accepted = this.#enterStateAndTestEnd(state.next, at + 1, next);
        if (accepted !== false) return accepted;
      }
      current = next;
    }
    return false;
  }

  /**
   * Returns the leftmost match from a place on that is not empty, the longest of those, by characters; undefined if there is none,
   * null if the steps are used up. Each state remembers where its match began. Earlier ones are followed first, so the first to
   * reach a state is the leftmost.
   */
  findLeftmostLongestFrom(start: number, from: number): Span | undefined | null {
    let current = new Map<number, number>();
    let best: Span | undefined;
    for (let at = from; at < this.#text.length; at += 1) {
      if (best === undefined && !this.#enterStatesIfStepsLeft(start, at, at, current)) return null;
      if (current.size === 0 && best !== undefined) return best;
      const next = new Map<number, number>();
      for (const [place, begun] of current) {
        if (best !== undefined && begun > best.start) continue;
        const state = this.#states[place];
        if (state?.op !== 'character') continue;
        if (!this.#steps.tryTake()) return null;
        if (!state.test(this.#text[at] ?? '')) continue;
        if (!this.#enterStatesIfStepsLeft(state.next, at + 1, begun, next)) return null;
      }
      const ended = next.get(acceptState);
      if (ended !== undefined && (best === undefined || ended <= best.start)) best = { start: ended, end: at + 1 };
      current = next;
    }
    return best;
  }

  /** Adds a state and everything that it reaches without a character; false if the steps are used up. */
  #enterStatesIfStepsLeft(start: number, at: number, begun: number, into: Map<number, number>): boolean {
    const open = [start];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (into.has(place)) continue;
      if (!this.#steps.tryTake()) return false;
      into.set(place, begun);
      const state = this.#states[place];
      if (state?.op === 'split') open.push(...state.nexts);
      else if (state?.op === 'edge') {
        if (this.#isAtEdge(state.edge, at)) open.push(state.next);
      } else if (state?.op === 'look') {
        const found = this.hasMatchFrom(state.start, at, true);
        if (found === null) return false;
        if (found !== state.negated) open.push(state.next);
      }
    }
    return true;
  }

  /** Adds a state and everything that it reaches without a character; true if that includes the end of the pattern. */
  #enterStateAndTestEnd(start: number, at: number, into: Set<number>): boolean | null {
    const open = [start];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (into.has(place)) continue;
      if (!this.#steps.tryTake()) return null;
      into.add(place);
      const state = this.#states[place];
      if (state === undefined || state.op === 'character') continue;
      if (state.op === 'accept') return true;
      if (state.op === 'split') open.push(...state.nexts);
      else if (state.op === 'edge') {
        if (this.#isAtEdge(state.edge, at)) open.push(state.next);
      } else {
        const found = this.hasMatchFrom(state.start, at, true);
        if (found === null) return null;
        if (found !== state.negated) open.push(state.next);
      }
    }
    return false;
  }

  #isAtEdge(edge: Edge, at: number): boolean {
    if (edge === 'start') return at === 0;
    if (edge === 'end') return at === this.#text.length;
    const between = isWordCharacter(this.#text[at - 1]) !== isWordCharacter(this.#text[at]);
    return between === (edge === 'word');
  }
}

const isWordCharacter = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character);
