import type { Refused, Rule } from './profile.ts';
import { refused } from './rules.ts';

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The rules of an endpoint for the schema of a function's parameters. */
interface SchemaRules {
  /** The keywords that it knows; null if it passes over others. */
  readonly keywords: readonly string[] | null;
  readonly notAtRoot: readonly string[];
  /** How it refuses these. */
  readonly notAtRootWords: string;
  readonly wantsProperties: boolean;
  readonly wantsItems: boolean;
  readonly fieldNames: RegExp;
}

/** `Schema` of the Generative Language API, v1beta, without `default`, which it passes over since 2025 (openswarm-ai/openswarm#24). */
const geminiKeywords = (
  'type format title description nullable enum maxItems minItems properties required minProperties maxProperties ' +
  'minLength maxLength pattern anyOf items minimum maximum'
).split(' ');

const rulesOf: Readonly<Record<'openai' | 'anthropic' | 'gemini', SchemaRules>> = {
  // langchain-ai/langchain-mcp-adapters#137, PrefectHQ/fastmcp#2464, langchain-ai/langchainjs#9804.
  openai: {
    keywords: null,
    notAtRoot: ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'],
    notAtRootWords:
      "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level.",
    wantsProperties: true,
    wantsItems: true,
    fieldNames: /^/,
  },
  // anthropics/claude-code#27337, beautyfree/appstore-connect-mcp#2.
  anthropic: {
    keywords: null,
    notAtRoot: ['oneOf', 'anyOf', 'allOf'],
    notAtRootWords: 'input_schema does not support oneOf, allOf, or anyOf at the top level',
    wantsProperties: false,
    wantsItems: false,
    fieldNames: /^[a-zA-Z0-9_.-]{1,64}$/,
  },
  gemini: {
    keywords: geminiKeywords,
    notAtRoot: [],
    notAtRootWords: '',
    wantsProperties: false,
    wantsItems: true,
    fieldNames: /^/,
  },
};

/** Returns what an endpoint says of a schema that breaks one of its rules; null if it takes it. */
export function findBrokenRule(schema: Node, endpoint: keyof typeof rulesOf): string | null {
  const rules = rulesOf[endpoint];
  if (schema['type'] !== 'object') return `schema must be a JSON Schema of 'type: "object"'`;
  if (rules.notAtRoot.some((keyword) => keyword in schema)) return rules.notAtRootWords;
  const { properties } = schema;
  if (rules.wantsProperties && !isNode(properties)) return 'In context=(), object schema missing properties.';
  const wrong = Object.keys(isNode(properties) ? properties : {}).find((name) => !rules.fieldNames.test(name));
  if (wrong !== undefined) return `properties: Property keys should match pattern '${rules.fieldNames.source}'`;
  return findBrokenPart(schema, '', rules);
}

/** A rule for the keywords of a schema: forms of older drafts, and what the endpoint has no word for. */
function findBrokenPart(node: unknown, path: string, rules: SchemaRules): string | null {
  if (typeof node === 'boolean') return rules.keywords === null ? null : `Invalid value at '${path}' (type), ${node}`;
  if (!isNode(node)) return `${JSON.stringify(node)} is not of type 'object', 'boolean' at ${path}`;
  const unknown = Object.keys(node).find((keyword) => rules.keywords !== null && !rules.keywords.includes(keyword));
  if (unknown !== undefined) return `Unknown name "${unknown}" at '${path}': Cannot find field.`;
  const { type, items, exclusiveMinimum, exclusiveMaximum, required } = node;
  if (typeof exclusiveMinimum === 'boolean' || typeof exclusiveMaximum === 'boolean')
    return `True is not of type 'number' at ${path}`;
  if (Array.isArray(items)) return `${JSON.stringify(items)} is not of type 'object', 'boolean' at ${path}`;
  const isOfArrays = type === 'array' || (Array.isArray(type) && type.includes('array'));
  if (rules.wantsItems && isOfArrays && items === undefined) return `In context=(${path}), array schema missing items.`;
  return (rules.keywords === null ? null : findBrokenGemini(node, path, required)) ?? findInside(node, path, rules);
}

/** anomalyco/opencode#28397 (`enum`), google-gemini/gemini-cli#4415 (its values). */
function findBrokenGemini({ type, enum: listed, properties }: Node, path: string, required: unknown): string | null {
  if (Array.isArray(type)) return `Invalid value at '${path}.type', Proto field is not repeating, cannot start list.`;
  if (Array.isArray(listed) && (type !== 'string' || listed.some((each) => typeof each !== 'string')))
    return `${path}.enum: only allowed for STRING type`;
  const fields = isNode(properties) ? properties : {};
  const undefinedField = (Array.isArray(required) ? required : []).find((name) => !Object.hasOwn(fields, String(name)));
  return undefinedField === undefined ? null : `${path}.required[0]: property is not defined`;
}

const single = 'items additionalProperties not if then else contains propertyNames'.split(' ');
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const maps = ['properties', 'patternProperties', '$defs', 'definitions'];

function findInside(node: Node, path: string, rules: SchemaRules): string | null {
  for (const [keyword, value] of Object.entries(node)) {
    const at = `${path}.${keyword}`;
    const inside = single.includes(keyword)
      ? [value]
      : lists.includes(keyword) && Array.isArray(value)
        ? value
        : maps.includes(keyword) && isNode(value)
          ? Object.values(value)
          : [];
    for (const each of inside) {
      const broken = findBrokenPart(each, at, rules);
      if (broken !== null) return broken;
    }
  }
  return null;
}

/** Refuses functions whose schemas OpenAI does not take, by the place of the first one. */
export const takesOpenAiSchemas: Rule = ({ body: { tools } }) => findRefusedFunction(tools, 'openai');

/** Refuses functions whose schemas Gemini does not take, by the place of the first one. */
export const takesGeminiSchemas: Rule = ({ body: { tools } }) => findRefusedFunction(tools, 'gemini');

function findRefusedFunction(
  tools: Parameters<Rule>[0]['body']['tools'],
  endpoint: 'openai' | 'gemini',
): Refused | null {
  for (const [at, { function: offered }] of tools.entries()) {
    const broken = findBrokenRule(offered.parameters, endpoint);
    if (broken === null) continue;
    return endpoint === 'gemini'
      ? refused(`* GenerateContentRequest.tools[0].function_declarations[${at}].parameters${broken}`)
      : refused(
          `Invalid schema for function '${offered.name}': ${broken}`,
          `tools[${at}].function.parameters`,
          'invalid_function_parameters',
        );
  }
  return null;
}
