import type { StoredPassage } from './passage-record.ts';
import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import { parseLineWithSchema } from '#core/values/json-line.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import { passageBytes, passageLine, type PassageLine } from './record.ts';

/** A parsed line of an upload; `vector` is null if an embedder must compute it. */
export interface GivenPassage {
  readonly passage: StoredPassage;
  readonly vector: readonly number[] | null;
}

const idDigits = 24;

/**
 * Parses a passage from a line of JSON, or returns what is wrong with the line, for a person. Its digest is the SHA-256
 * of all its content. A generated id depends only on text, source and licence, so a new vector replaces an earlier one.
 */
export async function parsePassageLine(text: string): Promise<Result<GivenPassage, string>> {
  const parsed = parseLineWithSchema(passageLine, text);
  if (!parsed.ok) return parsed;
  const problem = findPassageProblem(parsed.value);
  if (problem !== null) return err(problem);
  const { id, vector = null, ...said } = parsed.value;
  const own = id === undefined || vector === null ? await sha256Hex(canonicalJson(said)) : '';
  const digest = vector === null ? own : await sha256Hex(canonicalJson({ ...said, vector }));
  return ok({ passage: { id: id ?? `p_${own.slice(0, idDigits)}`, ...said, digest }, vector });
}

const encoder = new TextEncoder();

function findPassageProblem({ id = '', text, source, licence }: PassageLine): string | null {
  if (text.trim() === '') return 'text: it says nothing';
  const bytes = encoder.encode(text).byteLength;
  if (bytes > passageBytes) return `text: it has ${bytes} bytes, and may have ${passageBytes}`;
  const whole = [id, text, source, licence ?? ''].every((each) => each.isWellFormed());
  return whole ? null : 'half a character (a lone surrogate) stands in it';
}
