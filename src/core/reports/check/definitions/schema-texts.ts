import { isSchema, type Schema } from '#core/catalog/schema-fields.ts';
import { arrayOrEmpty } from '#core/values/json-schema/json-object.ts';
import { generateSubschemas } from '#core/values/json-schema/subschemas.ts';
import type { PlacedText } from './read-tool.ts';

const mostParts = 2_000;
const mostValues = 500;
const readChars = 20_000;

/** Returns the texts in a schema that a model reads: names of fields, titles, descriptions and listed values. */
export function listSchemaTexts(root: Schema): PlacedText[] {
  const texts: PlacedText[] = [];
  const seen = new Set<Schema>();
  const open: { schema: Schema; name: string }[] = [{ schema: root, name: '' }];
  const add = (where: string, value: unknown): void => {
    if (typeof value === 'string' && value !== '') texts.push({ where, text: value.slice(0, readChars) });
  };
  for (let next = open.pop(); next !== undefined && seen.size < mostParts; next = open.pop()) {
    const { schema, name } = next;
    if (seen.has(schema)) continue;
    seen.add(schema);
    const of = name === '' ? 'schema' : `\`${name}\``;
    add(`description of ${of}`, schema['description']);
    add(`title of ${of}`, schema['title']);
    for (const value of [...arrayOrEmpty(schema['enum']).slice(0, mostValues), schema['const'], schema['default']])
      add(`value of ${of}`, value);
    const { properties } = schema;
    for (const key of isSchema(properties) ? Object.keys(properties) : []) add('name of an argument', key);
    for (const [path, inner] of generateSubschemas(schema, '')) {
      const key = /^\/properties\/(.*)$/s.exec(path)?.[1];
      if (isSchema(inner)) open.push({ schema: inner, name: key ?? name });
    }
  }
  return texts;
}
