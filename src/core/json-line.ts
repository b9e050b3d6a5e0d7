import type { z } from 'zod';
import { isTooDeep, maxJsonDepth } from './json-depth.ts';

/** A line of an upload as its schema reads it, or what is wrong with it, for a person. */
export function parseJsonLine<T>(
  schema: z.ZodType<T>,
  text: string,
): { ok: true; value: T } | { ok: false; problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `not JSON: ${error instanceof Error ? error.message : 'unreadable'}` };
  }
  if (isTooDeep(json)) return { ok: false, problem: `nested deeper than ${maxJsonDepth} levels` };
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  return { ok: false, problem: `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'of another form'}` };
}
