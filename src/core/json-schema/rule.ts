import type { Fields } from './fields.ts';
import type { Pattern } from './pattern.ts';
import type { Steps } from './steps.ts';
import type { Verdict } from './verdict.ts';

/** Where in a value a check stands; the path is only written out for a complaint. */
export interface Place {
  readonly key: string | number;
  readonly parent: Place | null;
}

/** What a rule needs of the check that it is part of. */
export interface Checking {
  readonly steps: Steps;
  /** Holds part of the value against part of the schema, as its own complaints. */
  check(schema: unknown, value: unknown, place: Place | null, depth: number): Verdict;
  /** The same without complaints: what does not fit here may fit elsewhere. */
  try(schema: unknown, value: unknown, place: Place | null, depth: number): Verdict;
  /** Notes what is wrong and where; gives false. */
  complain(place: Place | null, wrong: string): false;
  /** A pattern; null where it cannot be matched. */
  pattern(source: string): Pattern | null;
  /** The keys of an object; a large one is listed once. */
  keysIn(object: Fields): readonly string[];
  /** The keys of the values in a list; null where the steps do not suffice. */
  keysOf(list: readonly unknown[]): ReadonlySet<string> | null;
  /** The schema that the `$ref` of a schema means; undefined where there is none. */
  resolve(from: Fields): unknown;
}

/** What a keyword says about a value. */
export interface Case<Value> {
  /** What stands under the keyword: not checked to be what the keyword wants. */
  readonly given: unknown;
  readonly schema: Fields;
  readonly value: Value;
  readonly place: Place | null;
  readonly depth: number;
  readonly by: Checking;
}

export type Rule<Value> = (at: Case<Value>) => Verdict;
export type Rules<Value> = ReadonlyMap<string, Rule<Value>>;
