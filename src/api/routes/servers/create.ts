import { createRoute, z } from '@hono/zod-openapi';
import { headersContext, serverRecord } from '#core/catalog/server.ts';
import { domainName, serverName } from '#core/catalog/tool.ts';
import type { Endpoint } from '../../context.ts';
import { newId } from '../../ids.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { seal } from '../../secrets.ts';
import { listTools } from './listing.ts';

/** What belongs to the connection (RFC 9110, 7.6.1), to the request that is sent, or to the protocol. */
const transportHeaders = new Set(
  'host content-length content-type content-encoding transfer-encoding connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer upgrade expect accept accept-encoding last-event-id mcp-session-id mcp-protocol-version'.split(
    ' ',
  ),
);
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'not a header name');
const headerValue = z.string().regex(/^[\x20-\x7e]{0,4000}$/, 'printable ASCII, at most 4,000 characters');
const headers = z.record(headerName, headerValue).superRefine((given, context) => {
  for (const name of Object.keys(given).filter((each) => transportHeaders.has(each.toLowerCase())))
    context.addIssue({ code: 'custom', path: [name], message: `${name} is set by the transport; leave it out` });
});

const route = createRoute({
  method: 'post',
  path: '/v1/servers',
  tags: ['servers'],
  summary: 'Register a remote MCP server',
  description:
    'Connects over Streamable HTTP and lists the tools before anything is stored. Headers are encrypted at rest and never returned.',
  middleware: [requires('run')] as const,
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z
            .strictObject({
              name: serverName,
              domain: domainName,
              url: z.string().min(1).max(2_000),
              headers: headers.optional(),
              categories: z.record(z.string().max(128), z.string().min(1).max(60)).optional().openapi({
                description: "Functional classes by the tool's own name; the others are derived",
              }),
            })
            .openapi('NewServer'),
        },
      },
    },
  },
  responses: {
    201: {
      description: 'The server',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: serverRecord.openapi('Server') } },
    },
    ...problems(
      'malformed-json',
      'unsupported-media-type',
      'body-too-large',
      'name-taken',
      'address-forbidden',
      'server-unreachable',
      'server-timeout',
      'server-unauthorized',
      'not-an-mcp-server',
      'no-tools',
      'duplicate-tool',
      'broken-tool-schema',
      'too-many-tools',
      'tools-too-large',
    ),
  },
});

export const createServer: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { name, domain, url, headers: secrets = {}, categories = {} } = c.req.valid('json');
    const { settings } = c.var.services;
    const tools = unwrap(
      await listTools({ name, domain, url, headers: secrets }, categories, settings, c.var.admission),
    );
    const names = Object.keys(secrets);
    const now = new Date();
    const record = unwrap(
      await c.var.services.workspace(c.var.caller.workspace).addServer({
        id: newId('srv', now),
        name,
        domain,
        url,
        headers: names.length === 0 ? null : await seal(settings, JSON.stringify(secrets), headersContext(url)),
        headerNames: names,
        tools,
        at: now.toISOString(),
      }),
    );
    c.header('Location', `/v1/servers/${record.id}`);
    return c.json(record, 201);
  });
