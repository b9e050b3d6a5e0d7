import type { FailureClass } from '#core/traces/failure.ts';

/**
 * An error text of a public server as people reported it, and the class that a language model gave it before any rule
 * saw it.
 */
export interface FreshFailure {
  readonly server: string;
  readonly text: string;
  /** `unclear`: nothing in the text shows the cause. */
  readonly failure: FailureClass | 'unclear';
  readonly code?: number;
  /** Whether the arguments violate the schema, where the report says so. */
  readonly violatesSchema?: boolean;
}

/** Names, addresses and paths are changed. */
export const freshFailures: readonly FreshFailure[] = [
  { server: 'slack', text: 'slack conversations.replies: thread_not_found', failure: 'invalid-artifact-reference' },
  { server: 'slack', text: 'slack conversations.replies: not_in_channel', failure: 'precondition-violation' },
  { server: 'slack', text: 'slack conversations.replies: missing_scope', failure: 'access-policy-rejection' },
  { server: 'slack', text: 'slack chat.postMessage: invalid_blocks', failure: 'syntactic-malformation' },
  { server: 'slack', text: 'slack conversations.replies: internal_error', failure: 'server-defect' },
  {
    server: 'github',
    text: 'MCP error -32603: Not Found: Resource not found: Not Found',
    failure: 'invalid-artifact-reference',
    code: -32603,
  },
  { server: 'chart', text: 'Failed to generate chart: Error', failure: 'unclear', code: -32603 },
  {
    server: 'mysql',
    text: '[{"code":"invalid_type","expected":"object","received":"string","path":["params","arguments"],"message":"Expected object, received string"}]',
    failure: 'syntactic-malformation',
    code: -32603,
  },
  { server: 'typescript-sdk', text: 'Tool forecast not found', failure: 'invalid-artifact-reference', code: -32602 },
  { server: 'mcp-go', text: 'Tools not supported', failure: 'service-scope-limitation', code: -32601 },
  { server: 'home-assistant', text: 'Invalid request parameters', failure: 'unclear', code: -32602 },
  { server: 'atlassian', text: "Error calling tool 'create_issue'", failure: 'unclear' },
  {
    server: 'atlassian',
    text: '{"errorMessages":[],"errors":{"customfield_12621":"Exchange (Multiple) is required."}}',
    failure: 'implicit-business-constraint',
    violatesSchema: false,
  },
  { server: 'atlassian', text: 'Input data should be a String', failure: 'syntactic-malformation' },
  {
    server: 'jira',
    text: 'failed to create issue: {"errorMessages":["INVALID_INPUT"],"errors":{}} (endpoint: https://company.example/rest/api/3/issue)',
    failure: 'implicit-business-constraint',
    violatesSchema: false,
  },
  {
    server: 'gabi',
    text: 'ERROR: cannot execute DROP TABLE in a read-only transaction (SQLSTATE 25006)',
    failure: 'access-policy-rejection',
  },
  {
    server: 'supabase',
    text: 'SQL Error (MCP_CLIENT_ERROR): execute_sql RPC function not found or client not properly initialized.',
    failure: 'server-defect',
  },
  {
    server: 'supabase',
    text: '{"error":{"name":"UnauthorizedException","message":"Migrations endpoint is not generally available yet"}}',
    failure: 'service-scope-limitation',
  },
  { server: 'figma', text: 'Error: HTTP error! status: 403', failure: 'access-policy-rejection' },
  {
    server: 'figma',
    text: "Error: Cannot read properties of undefined (reading 'endsWith')",
    failure: 'server-defect',
  },
  { server: 'figma', text: 'Error fetching file: [object Object]', failure: 'unclear' },
  { server: 'figma', text: 'Failed to make request to the API: fetch failed', failure: 'network-instability' },
  { server: 'figma', text: '{"status":403,"err":"File not exportable"}', failure: 'access-policy-rejection' },
  {
    server: 'blender',
    text: 'Error getting scene info: Could not connect to Blender. Make sure the Blender addon is running.',
    failure: 'network-instability',
  },
  {
    server: 'firecrawl',
    text: 'Insufficient credits to perform this request. For more credits, you can upgrade your plan at https://crawl.example/pricing',
    failure: 'service-scope-limitation',
  },
  {
    server: 'reader',
    text: '{"error":true,"error_message":"402 Client Error: Payment Required for url: https://r.example/page"}',
    failure: 'service-scope-limitation',
  },
  {
    server: 'firecrawl',
    text: 'Failed to scrape URL. Status code: 400. Error: Bad Request - [{"code":"custom","message":"When \'extract\' or \'json\' format is specified, corresponding options must be provided, and vice versa","path":[]}]',
    failure: 'implicit-business-constraint',
    violatesSchema: false,
  },
  {
    server: 'firecrawl',
    text: 'Unexpected error during scrape URL: Status code 401. Unauthorized: Invalid token',
    failure: 'authentication-deficit',
  },
  {
    server: 'workspace',
    text: '{"error":"Request had insufficient authentication scopes."}',
    failure: 'access-policy-rejection',
  },
  { server: 'calendar', text: 'The caller does not have permission', failure: 'access-policy-rejection' },
  {
    server: 'excel',
    text: 'MCP error -32602: File [C:/accounts.xlsx] not found',
    failure: 'invalid-artifact-reference',
    code: -32602,
  },
  {
    server: 'excel',
    text: 'Error executing tool read_data_from_excel: File is not a zip file',
    failure: 'implicit-business-constraint',
  },
  {
    server: 'excel',
    text: "An error occurred invoking 'excel_file': Unknown action 'test'. Supported: create-empty, close-workbook",
    failure: 'implicit-business-constraint',
  },
  {
    server: 'excel',
    text: 'Error executing tool read_data_from_excel: openpyxl does not support file format, please check you can open it with Excel first. Supported formats are: .xlsx,.xlsm',
    failure: 'service-scope-limitation',
  },
  { server: 'excel', text: 'Empty Payload. JSON content expected.', failure: 'syntactic-malformation' },
  {
    server: 'mongodb',
    text: 'MCP error -32602: Invalid arguments for tool find: [{"code":"invalid_type","expected":"object","received":"string","path":["projection"],"message":"Expected object, received string"}]',
    failure: 'syntactic-malformation',
    code: -32602,
  },
  {
    server: 'sse-plugin',
    text: "Error executing tool: 'NoneType' object has no attribute 'call_tool'",
    failure: 'server-defect',
  },
  {
    server: 'doris',
    text: "An error was encountered while executing the tool: 'NoneType' object has no attribute 'at_eof'",
    failure: 'server-defect',
  },
  {
    server: 'fetch',
    text: 'McpError.__init__() takes 2 positional arguments but 3 were given',
    failure: 'server-defect',
  },
  {
    server: 'chrome-devtools',
    text: 'Protocol error (Target.setDiscoverTargets): Target closed',
    failure: 'server-defect',
  },
  {
    server: 'notion',
    text: '{"status":400,"code":"validation_error","message":"body.children should be an array, instead was \\"[{not found}]\\"."}',
    failure: 'syntactic-malformation',
  },
  {
    server: 'notion',
    text: 'body failed validation: body.update_page.data should be defined, instead was `undefined`.',
    failure: 'implicit-business-constraint',
    violatesSchema: false,
  },
  {
    server: 'notion',
    text: "Couldn't find editable properties for these identifiers: 0,1,2,3",
    failure: 'invalid-artifact-reference',
  },
  {
    server: 'memory-bank',
    text: 'Tool execution failed: Cannot provide both document content and patches simultaneously',
    failure: 'implicit-business-constraint',
  },
  {
    server: 'web-search',
    text: '{"error":{"code":"1302","message":"您的账户已达到速率限制，请您控制请求频率"}}',
    failure: 'service-scope-limitation',
  },
  { server: 'food', text: 'MCP server rate limit exceeded', failure: 'service-scope-limitation' },
  {
    server: 'playwright',
    text: 'TimeoutError: locator.click: Timeout 5000ms exceeded.\n<div class="absolute inset-0"> subtree intercepts pointer events',
    failure: 'asynchronous-indeterminacy',
  },
  {
    server: 'memory',
    text: 'title exceeds max length of 512 bytes',
    failure: 'implicit-business-constraint',
    violatesSchema: false,
  },
  {
    server: 'memory',
    text: 'namespace cannot contain spaces',
    failure: 'implicit-business-constraint',
    violatesSchema: false,
  },
  {
    server: 'github',
    text: 'SHA mismatch: provided SHA 1f2e3d is stale. Current file SHA is 9a8b7c.',
    failure: 'context-invalidation',
  },
];
