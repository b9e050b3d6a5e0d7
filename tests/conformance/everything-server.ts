import { createMcpHandler, fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const text = (content: string) => ({ content: [{ type: 'text' as const, text: content }] });
const image = { type: 'image' as const, data: png, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, content: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: content },
});

/** Makes a server with the tools that the conformance suite calls, under the names and with the results that it expects. */
function makeEverythingServer(): McpServer {
  const server = new McpServer({ name: 'everything', version: '1.0.0' });
  registerContentTools(server);
  registerSchemaTools(server);
  registerStatelessTools(server);
  return server;
}

function registerContentTools(server: McpServer): void {
  server.registerTool('test_simple_text', { description: 'Returns a text' }, () =>
    text('This is a simple text response for testing.'),
  );
  server.registerTool('test_image_content', { description: 'Returns an image' }, () => ({ content: [image] }));
  server.registerTool('test_audio_content', { description: 'Returns a sound' }, () => ({
    content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  }));
  server.registerTool('test_embedded_resource', { description: 'Returns a resource' }, () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  server.registerTool('test_multiple_content_types', { description: 'Returns content of three types' }, () => ({
    content: [
      ...text('Multiple content types test:').content,
      image,
      resource('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 })),
    ],
  }));
  server.registerTool('test_error_handling', { description: 'Fails' }, () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }));
  server.registerTool('test_tool_with_progress', { description: 'Tells its progress' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: {
          progressToken: progressToken ?? 0,
          progress,
          total: 100,
          message: `Completed step ${progress} of 100`,
        },
      });
    return text(String(progressToken ?? 'no-progress-token'));
  });
}

function registerSchemaTools(server: McpServer): void {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  };
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema with the words of 2020-12', inputSchema: fromJsonSchema(schema) },
    (args) => text(`called with ${JSON.stringify(args)}`),
  );
}

function registerStatelessTools(server: McpServer): void {
  server.registerTool('test_missing_capability', { description: 'Wants a model of the client' }, ({ mcpReq }) =>
    mcpReq.inputResponses?.['answer'] === undefined
      ? inputRequired({
          inputRequests: {
            answer: inputRequired.createMessage({
              messages: [{ role: 'user', content: { type: 'text', text: 'Say pong' } }],
              maxTokens: 16,
            }),
          },
        })
      : text('answered'),
  );
  server.registerTool('test_streaming_elicitation', { description: 'Asks nothing', inputSchema: z.object({}) }, () =>
    text('nothing was asked'),
  );
  server.registerTool('test_logging_tool', { description: 'Writes to the log' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'it ran');
    return text('logged');
  });
}

export const everythingHandler = () => createMcpHandler(makeEverythingServer);
