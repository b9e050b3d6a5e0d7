import { toBase64 } from '#core/values/base64.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';

/** An argument whose value a server wants in a header too, and where it is in the arguments. */
interface ParamHeader {
  readonly path: readonly string[];
  readonly name: string;
}

/** A name of a header (RFC 9110, section 5.1). */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const plainTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean']);

/**
 * Returns which arguments a tool wants in headers (`x-mcp-header` in its input schema, MCP 2026-07-28, "Custom headers from tool
 * parameters"), or why it may not be called: the protocol demands of clients to leave out tools that declare them wrongly.
 */
export function parseParamHeadersOfSchema(inputSchema: JsonObject): Result<ParamHeader[], string> {
  const found: ParamHeader[] = [];
  const problem = collectParamHeadersOrFindProblem(inputSchema, [], true, found);
  if (problem !== null) return err(problem);
  const names = found.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined ? ok(found) : err(`x-mcp-header "${twice}" is declared twice`);
}

function collectParamHeadersOrFindProblem(
  schema: unknown,
  path: readonly string[],
  isReachable: boolean,
  found: ParamHeader[],
): string | null {
  if (Array.isArray(schema))
    return firstNonNullProblem(schema.map((each) => collectParamHeadersOrFindProblem(each, path, false, found)));
  if (!isJsonObject(schema)) return null;
  const { properties, 'x-mcp-header': name, ...others } = schema;
  if (name !== undefined && isReachable && path.length > 0) {
    if (typeof name !== 'string' || !headerName.test(name))
      return `${path.join('.')}: x-mcp-header is no name of a header`;
    if (!plainTypes.has(schema['type'])) return `${path.join('.')}: x-mcp-header is for strings, numbers and booleans`;
    found.push({ path, name });
  } else if (name !== undefined)
    return `${path.join('.')}: x-mcp-header is for properties that are always at the same place`;
  return firstNonNullProblem([
    ...(isJsonObject(properties)
      ? Object.entries(properties).map(([key, each]) =>
          collectParamHeadersOrFindProblem(each, [...path, key], isReachable, found),
        )
      : []),
    ...Object.entries(others)
      .filter(([key]) => !dataKeywords.has(key))
      .map(([key, each]) => collectParamHeadersOrFindProblem(each, [...path, key], false, found)),
  ]);
}

/** Keywords that hold values, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);

const firstNonNullProblem = (problems: readonly (string | null)[]): string | null =>
  problems.find((problem) => problem !== null) ?? null;

/** Returns the headers of a call: the arguments that its tool wants there, as far as they are given. */
export function makeParamHeadersOfCall(inputSchema: JsonObject, args: JsonObject): Record<string, string> {
  const declared = parseParamHeadersOfSchema(inputSchema);
  if (!declared.ok) return {};
  const headers = declared.value.flatMap(({ path, name }): [string, string][] => {
    const value = path.reduce<unknown>((from, key) => (isJsonObject(from) ? from[key] : undefined), args);
    const isPlain = typeof value === 'string' || typeof value === 'boolean' || isExactNumber(value);
    return isPlain ? [[`mcp-param-${name}`, encodeHeaderValue(String(value))]] : [];
  });
  return Object.fromEntries(headers);
}

/** Returns a schema that wants no argument in a header. */
export function schemaWithoutHeaderKeywords(schema: JsonObject): JsonObject {
  const { 'x-mcp-header': _name, ...others } = schema;
  const { properties } = others;
  if (!isJsonObject(properties)) return others;
  const inner = Object.entries(properties).map(([key, each]) => [
    key,
    isJsonObject(each) ? schemaWithoutHeaderKeywords(each) : each,
  ]);
  return { ...others, properties: Object.fromEntries(inner) };
}

const isExactNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

const visible = /^[\t\x20-\x7e]+$/;
const encoded = /^=\?base64\?.*\?=$/;

/** Writes what a header cannot carry as it is in Base64, between marks. */
function encodeHeaderValue(text: string): string {
  if (visible.test(text) && text === text.trim() && !encoded.test(text)) return text;
  return `=?base64?${toBase64(new TextEncoder().encode(text))}?=`;
}
