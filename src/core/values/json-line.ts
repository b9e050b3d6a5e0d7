import type { z } from 'zod';
import { parseJsonWithinLimits } from './parse-json.ts';
import { err, ok, type Result } from './result.ts';

/** Parses a line of JSON with its schema, or returns what is wrong with it, for a person. */
export function parseLineWithSchema<T>(schema: z.ZodType<T>, text: string): Result<T, string> {
  const json = parseJsonWithinLimits(text);
  return json.ok ? parseWithSchemaOrFirstIssue(schema, json.value) : json;
}

/** Checks parsed JSON with a schema and returns its data, or the first thing that is wrong, for a person. */
export function parseWithSchemaOrFirstIssue<T>(schema: z.ZodType<T>, json: unknown): Result<T, string> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return err(`${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'of another form'}`);
}
