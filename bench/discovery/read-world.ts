import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { UsageError } from '../../engine/usage-error.ts';
import { worldFile, type WorldFile } from './world-file.ts';

/** Reads a world file. Throws a UsageError that names the file, and lists each wrong field on its own line. */
export async function readWorld(path: string): Promise<WorldFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`the world file ${path} cannot be read: ${errorMessageOf(error)}`, { cause: error });
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`the world file ${path} is not JSON: ${errorMessageOf(error)}`, { cause: error });
  }
  const parsed = worldFile.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new UsageError([`the world file ${path} is wrong:`, ...parsed.error.issues.flatMap(issueLines)].join('\n'), {
    cause: parsed.error,
  });
}

const errorMessageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A line for each field that an issue is about: `servers.3.tools: ...`. */
function issueLines(issue: z.core.$ZodIssue): string[] {
  const named = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'the file';
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(
      (key) =>
        `${named([...issue.path, key])}: there is no such field; there are ${listAllowedFieldsAtPath(issue.path).join(', ')}`,
    );
  return [`${named(issue.path)}: ${issue.message}`];
}

/** The fields that the object at a path may have. */
function listAllowedFieldsAtPath(path: readonly PropertyKey[]): string[] {
  let schema: Described | undefined = z.toJSONSchema(worldFile);
  for (const step of path) schema = findChildSchema(schema, step);
  return Object.keys(schema?.properties ?? {});
}

type Described = z.core.JSONSchema.BaseSchema;

function findChildSchema(schema: Described | undefined, step: PropertyKey): Described | undefined {
  const next = typeof step === 'number' ? schema?.items : schema?.properties?.[String(step)];
  return typeof next === 'object' && !Array.isArray(next) ? next : undefined;
}
