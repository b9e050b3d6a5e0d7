import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describedServer } from '#core/catalog/described-server.ts';
import { parseToolFile } from '#core/benchmarks/formats/live-mcp-bench/described-servers.ts';

const inputSchema = { type: 'object', properties: { query: { type: 'string' } } };
const prices = {
  name: 'Asset Prices (MCP)',
  description: ' Prices of assets. ',
  category: 'File Access',
  web: 'https://example.com',
  config: { mcpServers: {} },
  tools: {
    Asset_Price_MCP: {
      server_name: 'Asset_Price_MCP',
      version: '0.1.0',
      tools: [{ name: 'get_price', description: 'Gets a price', inputSchema, annotations: null }],
    },
  },
};

const read = (value: unknown) => parseToolFile(JSON.stringify(value));

describe("LiveMCPBench's tool file", () => {
  it('gives described servers, named as they are called where they run', () => {
    const found = read([prices]);
    expect(found).toEqual({
      ok: true,
      value: [
        {
          name: 'asset-price-mcp',
          domain: 'file access',
          description: 'Prices of assets.',
          info: { name: 'Asset_Price_MCP', title: 'Asset Prices (MCP)', version: '0.1.0' },
          tools: [{ name: 'get_price', description: 'Gets a price', inputSchema }],
        },
      ],
    });
  });

  it('names every broken entry, and gives no server then', () => {
    const found = read([
      prices,
      { name: 'No tools', tools: {} },
      { name: 'Nameless tool', tools: { a: { tools: [{ name: '', inputSchema }] } } },
      7,
      { ...prices, name: 'The same again' },
    ]);
    expect(found.ok).toBe(false);
    expect(found.ok ? [] : found.problem).toEqual([
      expect.stringMatching(/^entry 2 \(No tools\): wrong at tools: /),
      expect.stringMatching(/^entry 3 \(Nameless tool\): wrong at tools.a.tools.0.name: /),
      expect.stringMatching(/^entry 4: /),
      'entry 5 (The same again): another server is called asset-price-mcp too',
    ]);
  });

  it.each([['{'], ['{}'], ['[]'], ['null'], ['']])('is refused if it is %j', (text) => {
    expect(parseToolFile(text).ok).toBe(false);
  });

  it('never throws, and gives only servers that can be registered', () => {
    const broken = fc.oneof(
      fc.jsonValue(),
      fc.record({
        name: fc.string(),
        description: fc.option(fc.string()),
        category: fc.string(),
        tools: fc.dictionary(
          fc.string(),
          fc.record({ tools: fc.array(fc.record({ name: fc.string(), inputSchema: fc.jsonValue() })) }),
        ),
      }),
    );
    fc.assert(
      fc.property(fc.array(broken, { minLength: 1, maxLength: 3 }), (entries) => {
        const found = read(entries);
        if (found.ok) for (const server of found.value) expect(describedServer.safeParse(server).success).toBe(true);
        else expect(found.problem.length).toBeGreaterThan(0);
      }),
    );
  });
});
