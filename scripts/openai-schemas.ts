import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * Writes tests/fixtures/openai/schemas.json from OpenAI's published OpenAPI document: the schemas of requests that Sextant
 * makes, with those that they refer to, without descriptions and examples.
 */
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: openai-schemas.ts <openapi.json>');

const document = z
  .object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) })
  .parse(JSON.parse(readFileSync(file, 'utf8')));
const { schemas } = document.components;

const dropped: ReadonlySet<string> = new Set(['description', 'example', 'examples', 'title', 'deprecated']);

function withoutDescriptiveKeywords(value: unknown, isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutDescriptiveKeywords(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isProperties || !(dropped.has(key) || key.startsWith('x-')))
      .map(([key, each]) => [key, withoutDescriptiveKeywords(each, key === 'properties' && !isProperties)]),
  );
}

const found = new Map<string, unknown>();
function addSchemaWithReferences(name: string): void {
  if (found.has(name)) return;
  const schema = withoutDescriptiveKeywords(schemas[name]);
  found.set(name, schema);
  for (const [, other = ''] of JSON.stringify(schema).matchAll(/#\/components\/schemas\/([^"/]+)"/g))
    addSchemaWithReferences(other);
}
for (const name of ['CreateChatCompletionRequest', 'CreateResponse', 'CreateEmbeddingRequest'])
  addSchemaWithReferences(name);

const sorted = Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('tests/fixtures/openai/schemas.json', `${JSON.stringify({ components: { schemas: sorted } })}\n`);
