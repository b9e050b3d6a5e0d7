/**
 * Everything that can be wrong with a request, one entry a code. The problem documents of the API, the enum in its OpenAPI
 * schema and the pages under docs/errors derive from this table.
 */
export const errorCatalog = {
  'malformed-json': { status: 400, title: 'The body is not JSON', retryable: false },
  'invalid-request': { status: 400, title: 'The request does not have the required form', retryable: false },
  'invalid-line': { status: 400, title: 'A line of the upload does not have the required form', retryable: false },
  unauthorized: { status: 401, title: 'A valid key is required', retryable: false },
  forbidden: { status: 403, title: 'The key lacks the scope for this', retryable: false },
  'not-found': { status: 404, title: 'There is no such thing here', retryable: false },
  'method-not-allowed': { status: 405, title: 'The resource does not offer this method', retryable: false },
  'name-taken': { status: 409, title: 'The name is in use', retryable: false },
  'wrong-state': { status: 409, title: 'The run is not in a state that allows this', retryable: false },
  'body-too-large': { status: 413, title: 'The body is larger than allowed', retryable: false },
  'unsupported-media-type': { status: 415, title: 'The content type is not accepted here', retryable: false },
  'idempotency-mismatch': { status: 422, title: 'The idempotency key was used for another request', retryable: false },
  'address-forbidden': { status: 422, title: 'The address may not be contacted', retryable: false },
  'server-unreachable': { status: 422, title: 'The MCP server could not be reached', retryable: true },
  'server-timeout': { status: 422, title: 'The MCP server did not answer in time', retryable: true },
  'server-unauthorized': { status: 422, title: 'The MCP server refused the credentials', retryable: false },
  'not-an-mcp-server': { status: 422, title: 'The server does not speak MCP over Streamable HTTP', retryable: false },
  'no-tools': { status: 422, title: 'The MCP server lists no tools', retryable: false },
  'duplicate-tool': { status: 422, title: 'The MCP server lists a tool twice', retryable: false },
  'broken-tool-schema': { status: 422, title: 'A tool has a broken JSON schema', retryable: false },
  'too-many-tools': { status: 422, title: 'There are more tools than allowed', retryable: false },
  'tools-too-large': { status: 422, title: 'The list of tools is larger than allowed', retryable: false },
  'catalog-mismatch': { status: 422, title: 'The runs explored different catalogs', retryable: false },
  'nothing-to-freeze': { status: 422, title: 'There are no accepted units', retryable: false },
  'content-mismatch': { status: 422, title: 'The content does not match its id', retryable: false },
  'rate-limited': { status: 429, title: 'Too many requests', retryable: true },
  'internal-error': { status: 500, title: 'Something went wrong on our side', retryable: true },
} as const satisfies Record<string, { status: number; title: string; retryable: boolean }>;

export type ErrorCode = keyof typeof errorCatalog;

/** The codes, as a tuple for enums. */
export const errorCodes = Object.keys(errorCatalog).filter((code): code is ErrorCode => code in errorCatalog);

/** A reason why something was refused: what was wrong, where, and what would be right. */
export interface Problem {
  readonly code: ErrorCode;
  /** For a person: what was wrong and what would be right. Never holds a secret. */
  readonly detail: string;
  /** Where in the request, as a JSON pointer or a line number, one entry a finding. */
  readonly issues?: readonly { readonly where: string; readonly message: string }[];
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const refuse = (code: ErrorCode, detail: string, issues?: Problem['issues']): { readonly ok: false; readonly problem: Problem } => ({
  ok: false,
  problem: issues === undefined ? { code, detail } : { code, detail, issues },
});
