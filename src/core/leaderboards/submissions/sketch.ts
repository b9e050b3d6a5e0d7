import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import { arrayOrEmpty, isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';

/** Number of digests in a sketch: enough that sharing half of them is no coincidence. */
const sketchSize = 64;

/** Returns the input schema of a tool, if there is such a tool. */
type FindInputSchema = (tool: string) => JsonObject | undefined;

/**
 * Returns a digest of what an agent did in an attempt: its calls in order, with the arguments that the tools' schemas name.
 * It ignores everything that a copy can change without another meaning: texts, times, costs, other arguments, case and
 * spaces of values; and the results, which a file may have made up. Null for an attempt without calls: all such attempts
 * are alike, so they prove nothing.
 */
export async function callsDigestOrNull(
  unit: string,
  side: RequestName,
  { steps }: Pick<Trace, 'steps'>,
  findInputSchema: FindInputSchema,
): Promise<string | null> {
  if (steps.length === 0) return null;
  const calls = steps.map(({ tool, arguments: args }) => ({
    tool,
    args: normalizeSchemaNamedValues(args, findInputSchema(tool)),
  }));
  return sha256Hex(canonicalJson({ unit, side, calls }));
}

/** Returns the named part of a value, its texts in lower case and without outer or repeated spaces. */
function normalizeSchemaNamedValues(value: unknown, schema: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
  const { properties, items } = isJsonObject(schema) ? schema : {};
  if (Array.isArray(value)) return arrayOrEmpty(value).map((item) => normalizeSchemaNamedValues(item, items));
  if (!isJsonObject(value)) return value;
  const named = isJsonObject(properties) ? properties : null;
  // A schema without names takes any.
  const kept = Object.entries(value).filter(([key]) => named === null || Object.hasOwn(named, key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, normalizeSchemaNamedValues(inner, named?.[key])]));
}

/**
 * Returns the smallest digests, each once: the share that two sketches have in common estimates how many of their
 * attempts are the same (bottom-k sketch; Broder 1997). Its size does not grow with the submission.
 */
export const makeSketchOfAttempts = (digests: Iterable<string>): string[] =>
  [...new Set(digests)].toSorted().slice(0, sketchSize);
