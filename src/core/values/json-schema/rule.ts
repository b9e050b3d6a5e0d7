import type { JsonObject } from './json-object.ts';
import type { Pattern } from './pattern.ts';
import type { Steps } from './steps.ts';
import type { Verdict } from './verdict.ts';

/** The position of a check in a value; the path is formatted only for a finding. */
export interface Place {
  readonly key: string | number;
  readonly parent: Place | null;
}

/** What a rule needs from its check. */
export interface Checking {
  readonly steps: Steps;
  /** Checks a part of the value against a part of the schema and reports findings. */
  checkPart(schema: unknown, value: unknown, place: Place | null, depth: number): Verdict;
  /** The same without findings, because what does not fit here may fit elsewhere. */
  checkPartSilently(schema: unknown, value: unknown, place: Place | null, depth: number): Verdict;
  /** Reports what is wrong and where; returns false. */
  complainAndReturnFalse(place: Place | null, wrong: string): false;
  /** Returns a pattern; null if it cannot be matched. */
  getCompiledPatternOrNull(source: string): Pattern | null;
  /** The keys of an object; those of a large one are listed once. */
  objectKeys(object: JsonObject): readonly string[];
  /** The keys of the values in a list; null if the steps are used up. */
  getEqualityKeysOfListOrNull(list: readonly unknown[]): ReadonlySet<string> | null;
  /** Returns the target of the schema's `$ref`; undefined if there is none. */
  resolveReference(from: JsonObject): unknown;
}

/** A keyword with its schema, and the value that it is to be checked on. */
export interface Case<Value> {
  /** The keyword's value, which may not have the right form. */
  readonly given: unknown;
  readonly schema: JsonObject;
  readonly value: Value;
  readonly place: Place | null;
  readonly depth: number;
  readonly by: Checking;
}

export type Rule<Value> = (at: Case<Value>) => Verdict;
export type Rules<Value> = ReadonlyMap<string, Rule<Value>>;
