import {
  isSchema,
  listAlternatives,
  listRequiredTopLevelNames,
  listSchemaWithRefsAndAllOfParts,
  resolveLocalReference,
  type Schema,
} from '#core/catalog/schema-fields.ts';
import { arrayOrEmpty } from '#core/values/json-schema/json-object.ts';
import { generateSubschemas } from '#core/values/json-schema/subschemas.ts';
import { findingBy, type CheckFinding } from '../finding.ts';
import type { ListedServer, ListedTool } from '../listed-tool.ts';
import type { RuleId } from '../rules.ts';
import { countServerWords, type ServerWords } from './server-words.ts';
import { readName, type NamedWords } from './tool-words.ts';

/** Servers choose their texts and schemas: beyond these limits nothing is read. */
const readChars = 8_000;
const mostArguments = 200;
const mostDepth = 3;
const mostParts = 2_000;

/** An argument of a tool, or a field of one. */
export interface ReadArgument {
  readonly name: string;
  /** Where it is, such as `filter.from` or `rows[].id`. */
  readonly path: string;
  /** As it is written. */
  readonly property: Schema;
  /** Its schema with what it refers to and all its alternatives. */
  readonly parts: readonly Schema[];
  /** Whether it has two alternatives or more, so that what one of them says does not hold for all values. */
  readonly ambiguous: boolean;
  /** Types other than `null`; empty if the schema does not say. */
  readonly types: ReadonlySet<string>;
  /** Empty if there is none. */
  readonly description: string;
  /** Whether the object that it belongs to requires it. */
  readonly required: boolean;
  /** Whether it is an argument itself, and no field of one. */
  readonly isTop: boolean;
}

/** A text of a tool, and the words for where it is. */
export interface PlacedText {
  readonly where: string;
  readonly text: string;
}

/** A tool, read once for all rules. */
export interface ReadTool {
  readonly server: string;
  /** Its name on its own server. */
  readonly name: string;
  readonly named: NamedWords;
  readonly title: string;
  readonly description: string;
  readonly definition: ListedTool;
  readonly arguments: readonly ReadArgument[];
  /** Its title, its description and those of its arguments, without empty ones. */
  readonly texts: readonly PlacedText[];
}

/** A server, read once for all rules. */
export interface ReadServer {
  readonly name: string;
  readonly instructions: string;
  readonly tools: readonly ReadTool[];
  readonly words: ServerWords;
}

/** A rule that judges a tool by itself, with its server at hand. */
export type ToolRule = (tool: ReadTool, server: ReadServer) => CheckFinding | null;

type Said = Omit<Parameters<typeof findingBy>[1], 'server' | 'tool'>;

/** Returns a finding about a tool. */
export const findingOnTool = (rule: RuleId, { server, name }: ReadTool, said: Said): CheckFinding =>
  findingBy(rule, { ...said, server, tool: `${server}/${name}` });

/** Reads a server's list. */
export function readServer({ name, instructions = '', tools }: ListedServer): ReadServer {
  const said = instructions.slice(0, readChars);
  const read = tools.map((each) => readTool(name, each));
  return { name, instructions: said, tools: read, words: countServerWords([name, said], read) };
}

function readTool(server: string, definition: ListedTool): ReadTool {
  const { name, title = annotatedTitle(definition), description = '', inputSchema } = definition;
  const all = listArguments(inputSchema);
  const said = description.slice(0, readChars);
  return {
    server,
    name,
    named: readName(name),
    title: title.slice(0, readChars),
    description: said,
    definition,
    arguments: all,
    texts: [
      { where: 'title', text: title.slice(0, readChars) },
      { where: 'description', text: said },
      ...all.map((each) => ({ where: `description of \`${each.path}\``, text: each.description })),
    ].filter(({ text }) => text !== ''),
  };
}

const annotatedTitle = ({ annotations }: ListedTool): string => {
  const title = annotations?.['title'];
  return typeof title === 'string' ? title : '';
};

interface Around {
  readonly path: string;
  readonly depth: number;
}

function listArguments(root: Schema): ReadArgument[] {
  const found: ReadArgument[] = [];
  const seen = new Set<Schema>();
  const visit = (schema: Schema, { path, depth }: Around): void => {
    if (seen.has(schema) || depth > mostDepth) return;
    seen.add(schema);
    const required = new Set(listRequiredTopLevelNames(schema, root));
    for (const { properties } of listSchemaWithRefsAndAllOfParts(schema, root))
      for (const [name, property] of isSchema(properties) ? Object.entries(properties) : []) {
        if (!isSchema(property) || found.length >= mostArguments) continue;
        const at = path === '' ? name : `${path}.${name}`;
        const read = readArgument(property, root, { name, path: at, required: required.has(name), isTop: depth === 0 });
        found.push(read);
        for (const part of read.parts) {
          visit(part, { path: at, depth: depth + 1 });
          if (isSchema(part['items'])) visit(part['items'], { path: `${at}[]`, depth: depth + 1 });
        }
      }
  };
  visit(root, { path: '', depth: 0 });
  return found;
}

function readArgument(
  property: Schema,
  root: Schema,
  of: Pick<ReadArgument, 'name' | 'path' | 'required' | 'isTop'>,
): ReadArgument {
  const own = listSchemaWithRefsAndAllOfParts(property, root);
  const alternatives = listAlternatives(own).filter(({ type }) => type !== 'null');
  const parts = [...own, ...alternatives.flatMap((each) => listSchemaWithRefsAndAllOfParts(each, root))];
  const types = parts.flatMap(({ type }) => (Array.isArray(type) ? type : [type]));
  return {
    ...of,
    property,
    parts,
    ambiguous:
      alternatives.length > 1 || types.filter((each) => typeof each === 'string' && each !== 'null').length > 1,
    types: new Set(types.filter((each) => typeof each === 'string').filter((each) => each !== 'null')),
    description: parts.map(({ description }) => textOf(description)).find((text) => text !== '') ?? '',
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, readChars).trim() : '');

/** Returns what an argument's schema says with a keyword; undefined if nothing. */
export const valueOfKeyword = ({ parts }: Pick<ReadArgument, 'parts'>, keyword: string): unknown =>
  parts.find((part) => part[keyword] !== undefined)?.[keyword];

/** Returns the values that an argument takes if they are listed, also those of its alternatives and of its items. */
export function listedValuesOrNull(
  { parts }: Pick<ReadArgument, 'parts'>,
  root: Schema = {},
): readonly unknown[] | null {
  const found = parts.flatMap((part) => {
    const { items } = part;
    const item = isSchema(items) ? listSchemaWithRefsAndAllOfParts(items, root) : [];
    return [part, ...item].flatMap((each) => [
      ...arrayOrEmpty(each['enum']),
      ...(each['const'] === undefined ? [] : [each['const']]),
    ]);
  });
  return found.length === 0 ? null : found;
}

/** Returns an argument's schema as a document of its own, with the definitions that it may refer to. */
export const standaloneSchema = ({ property }: Pick<ReadArgument, 'property'>, root: Schema): Schema => {
  const kept = ['$schema', '$defs', 'definitions'].filter((key) => root[key] !== undefined);
  return { ...Object.fromEntries(kept.map((key) => [key, root[key]])), ...property };
};

/** Returns the names of all fields in a schema and the texts among its listed values: what a text may name without naming a tool. */
export function listSchemaWords(schema: Schema): Set<string> {
  const words = new Set<string>();
  const open: Schema[] = [schema];
  const seen = new Set<Schema>();
  for (let next = open.pop(); next !== undefined && seen.size < mostParts; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const name of isSchema(next['properties']) ? Object.keys(next['properties']) : []) words.add(name);
    for (const value of [...arrayOrEmpty(next['enum']), ...arrayOrEmpty(next['required']), next['const']])
      if (typeof value === 'string') words.add(value);
    for (const [, inner] of generateSubschemas(next, '')) if (isSchema(inner)) open.push(inner);
    const { $ref } = next;
    const target = typeof $ref === 'string' ? resolveLocalReference(schema, $ref) : undefined;
    if (isSchema(target)) open.push(target);
  }
  return words;
}
