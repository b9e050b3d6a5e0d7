import { isSchema, listSchemaWithRefsAndAllOfParts, type Schema } from '#core/catalog/schema-fields.ts';
import { arrayOrEmpty } from '#core/values/json-schema/json-object.ts';
import { References } from '#core/values/json-schema/references.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import { generateSubschemas } from '#core/values/json-schema/subschemas.ts';
import { findingOnTool, type ToolRule } from './read-tool.ts';

const mostSteps = 100_000;
const mostParts = 5_000;
const shownFaults = 5;

const knownTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** What authors write for types. */
const typeOf: Readonly<Record<string, string>> = {
  str: 'string',
  text: 'string',
  char: 'string',
  date: 'string',
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  dict: 'object',
  map: 'object',
  list: 'array',
  tuple: 'array',
  set: 'array',
  none: 'null',
};
const boundPairs = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

interface SchemaFault {
  readonly where: string;
  readonly what: string;
  readonly proposal: string;
}

/** Finds what makes a schema none. */
export const findBrokenSchema: ToolRule = (tool) => {
  const { inputSchema, outputSchema } = tool.definition;
  const found = [
    ...listFaults(inputSchema, 'inputSchema'),
    ...(outputSchema === undefined ? [] : listFaults(outputSchema, 'outputSchema')),
  ];
  const [one] = found;
  if (one === undefined) return null;
  return findingOnTool('schema-broken', tool, {
    sentence: `its \`${one.where.split('/', 1)[0] ?? ''}\` is no schema: ${one.what}`,
    evidence: found.slice(0, shownFaults).map(({ where, what }) => `${where}: ${what}`),
    proposal: one.proposal,
  });
};

function listFaults(root: Schema, name: string): SchemaFault[] {
  const found: SchemaFault[] = [...faultsOfRoot(root, name)];
  const open: { schema: Schema; path: string; partial: boolean }[] = [{ schema: root, path: name, partial: false }];
  for (let at = 0; at < open.length && at < mostParts; at += 1) {
    const { schema, path, partial } = open[at] ?? { schema: {}, path: '', partial: true };
    found.push(...faultsOfPart(schema, path), ...(partial ? [] : faultsOfRequired(schema, path, root)));
    for (const [inner, part] of generateSubschemas(schema, path))
      if (isSchema(part)) open.push({ schema: part, path: inner, partial: isPartial(inner.slice(path.length)) });
  }
  const broken = new References(root, new Steps(mostSteps)).findBrokenReference();
  if (typeof broken === 'string' && broken.startsWith('#'))
    found.push({
      where: name,
      what: `the reference "${broken}" leads nowhere`,
      proposal: `write the schema that "${broken}" stands for at that place`,
    });
  return found;
}

/** What is in an alternative or a condition may leave its properties to the schema around it. */
const isPartial = (step: string): boolean =>
  /^\/(?:anyOf|oneOf|allOf|if|then|else|not|dependentSchemas|dependencies)/.test(step);

function faultsOfRoot(root: Schema, name: string): SchemaFault[] {
  const { type } = root;
  if (type === 'object' || (Array.isArray(type) && type.includes('object'))) return [];
  if (
    type === undefined &&
    (Object.keys(root).length === 0 ||
      isSchema(root['properties']) ||
      ['$ref', 'anyOf', 'oneOf', 'allOf'].some((key) => root[key] !== undefined))
  )
    return [];
  return type === undefined
    ? []
    : [
        {
          where: name,
          what: `its type is ${JSON.stringify(type)} and not "object"`,
          proposal: 'describe an object: its properties are the arguments',
        },
      ];
}

function faultsOfPart(schema: Schema, path: string): SchemaFault[] {
  const { type, properties, pattern } = schema;
  const found: SchemaFault[] = [];
  const add = (what: string, proposal: string): void => {
    found.push({ where: path, what: `${inWords(path)}${what}`, proposal });
  };
  for (const each of Array.isArray(type) ? type : type === undefined ? [] : [type])
    if (typeof each !== 'string' || !knownTypes.has(each)) {
      const meant =
        typeof each === 'string'
          ? (typeOf[each.toLowerCase()] ?? (knownTypes.has(each.toLowerCase()) ? each.toLowerCase() : undefined))
          : undefined;
      add(
        `there is no type ${JSON.stringify(each)}`,
        meant === undefined ? `use one of ${[...knownTypes].join(', ')}` : `write \`type: "${meant}"\``,
      );
    }
  if (properties !== undefined && !isSchema(properties))
    add('`properties` is no object', 'write `properties` as an object of schemas by name');
  for (const [key, each] of isSchema(properties) ? Object.entries(properties) : [])
    if (!isSchema(each) && typeof each !== 'boolean')
      add(
        `\`${key}\` has ${JSON.stringify(each)?.slice(0, 40) ?? 'nothing'} in the place of a schema`,
        `write a schema for \`${key}\`, such as { "type": "string" }`,
      );
  if (
    schema['required'] !== undefined &&
    !Array.isArray(schema['required']) &&
    !(typeof schema['required'] === 'boolean' && path.includes('/properties/'))
  )
    add('`required` is no list of names', 'write `required` as a list of the names of arguments');
  for (const [low, high] of boundPairs) {
    const [least, most] = [schema[low], schema[high]];
    if (typeof least === 'number' && typeof most === 'number' && least > most)
      add(
        `\`${low}\` is ${least} and \`${high}\` is ${most}: nothing fits`,
        `swap \`${low}\` and \`${high}\`, or correct them`,
      );
  }
  if (Array.isArray(schema['enum']) && schema['enum'].length === 0)
    add('`enum` is empty: nothing fits', 'list the values, or remove `enum`');
  if (typeof pattern === 'string' && !isPattern(pattern))
    add(
      `\`pattern\` is no regular expression: ${pattern.slice(0, 60)}`,
      'correct the expression: clients refuse the whole schema',
    );
  return found;
}

/** The place of a part, for a sentence about it; nothing for the top. */
const inWords = (path: string): string => {
  const name = /\/properties\/([^/]+)(?:\/items)?$/.exec(path)?.[1];
  return name === undefined ? '' : `for \`${name}\` `;
};

const isPattern = (source: string): boolean => isExpression(source, 'u') || isExpression(source, '');

function isExpression(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    // A syntax error is the answer.
    return false;
  }
}

function faultsOfRequired(schema: Schema, path: string, root: Schema): SchemaFault[] {
  const names = arrayOrEmpty(schema['required']).filter((each) => typeof each === 'string');
  if (names.length === 0) return [];
  const parts = listSchemaWithRefsAndAllOfParts(schema, root);
  if (
    parts.some(
      (part) => isSchema(part['patternProperties']) || ['anyOf', 'oneOf', 'if'].some((key) => part[key] !== undefined),
    )
  )
    return [];
  if (!parts.some((part) => isSchema(part['properties'])) && path.includes('/')) return [];
  const known = new Set(parts.flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : [])));
  const missing = names.filter((each) => !known.has(each));
  if (missing.length === 0) return [];
  const quotedNames = missing.map((each) => `"${each}"`).join(', ');
  return [
    {
      where: path,
      what: `${inWords(path)}\`required\` names ${quotedNames}, and there is no such property`,
      proposal: `describe ${quotedNames} in \`properties\`, or take it out of \`required\``,
    },
  ];
}
