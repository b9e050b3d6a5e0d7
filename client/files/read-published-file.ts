import { readTextFile } from './read-text-file.ts';
import type { z } from 'zod';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { UsageError } from '../../engine/usage-error.ts';

/** Reads a published JSON file. Throws a UsageError that says what is wrong with it, and where. */
export async function readPublishedJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readTextFile(path);
  const json = parseJsonWithinLimits(text);
  if (!json.ok) throw new UsageError(`${path} is not JSON`);
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${path} is wrong at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
