import { describe, expect, test } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { surveyServer, type SurveyOptions } from '#adapters/mcp/survey-server.ts';
import { noRules } from '#core/catalog/redaction/rules.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { maxSurveyChars } from '#core/units/survey/bound-entries.ts';
import type { TestMcpServer, TestTool } from '../support/mcp-server.ts';
import { serverWith } from '../support/running.ts';

const reads = { annotations: { readOnlyHint: true } };
const says = (value: string) => async () => ({ content: [{ type: 'text' as const, text: value }] });

const listed = (tools: readonly TestTool[]): Tool[] =>
  tools.map(({ name }) => ({
    name: `test/${name}`,
    server: 'test',
    domain: 'testing',
    category: 'other',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  }));

const survey = (server: TestMcpServer, tools: readonly TestTool[], more: Partial<SurveyOptions> = {}) =>
  surveyServer({
    admission: new Admission(),
    url: server.url,
    headers: {},
    protocolVersion: null,
    redact: noRules,
    tools: listed(tools),
    allowLocal: true,
    timeoutMs: 3_000,
    callTimeoutMs: 500,
    ...more,
  });

describe('a survey', () => {
  test('keeps what read-only tools and resources return, and ends its session', async () => {
    const tools = [{ name: 'list_notes', ...reads, handle: says('note-17, note-18') }];
    const server = await serverWith({
      tools,
      resources: [
        { uri: 'note://17', name: 'Bread', mimeType: 'text/plain', text: 'Flour and water' },
        { uri: 'note://18', name: 'Photo', mimeType: 'image/png', text: 'not read' },
      ],
    });
    expect(await survey(server, tools)).toEqual({
      entries: [
        { kind: 'tool', from: 'test/list_notes', text: 'note-17, note-18', cutChars: 0 },
        { kind: 'resource-list', from: 'resources/list', text: 'note://17 Bread\nnote://18 Photo', cutChars: 0 },
        { kind: 'resource', from: 'note://17', text: 'Flour and water', cutChars: 0 },
      ],
      failed: 0,
      problem: null,
    });
    expect(server.openSessions()).toBe(0);
  });

  test('counts errors, empty texts and slow tools as failed, and keeps none of their text', async () => {
    const tools: TestTool[] = [
      {
        name: 'flagged',
        handle: async () => ({ isError: true, content: [{ type: 'text', text: 'no such database' }] }),
      },
      { name: 'unknown' },
      { name: 'unflagged', handle: says('Error: Unknown tool: gfs_forecast') },
      { name: 'items', handle: says('[{"path":"a","success":false,"error":"Path not found"}]') },
      { name: 'empty', handle: says('  ') },
      { name: 'slow', handle: () => new Promise(() => undefined) },
      { name: 'good', handle: says('all is well') },
    ];
    const server = await serverWith({ tools });
    expect(await survey(server, tools)).toEqual({
      entries: [{ kind: 'tool', from: 'test/good', text: 'all is well', cutChars: 0 }],
      failed: 6,
      problem: null,
    });
  });

  test('is bounded however much is returned', async () => {
    const tools = ['a', 'b', 'c'].map((name) => ({ name, handle: says(name.repeat(50_000)) }));
    const server = await serverWith({ tools });
    const { entries } = await survey(server, tools);
    expect(entries.map(({ text, cutChars }) => [text.length, cutChars])).toEqual(
      tools.map(() => [maxSurveyChars / 3, 50_000 - maxSurveyChars / 3]),
    );
  });

  test('never keeps the values of headers', async () => {
    const tools = [{ name: 'whoami', handle: says('you are abc.def.ghi') }];
    const server = await serverWith({
      tools,
      resources: [{ uri: 'me://abc.def.ghi', name: 'abc.def.ghi', text: 'abc.def.ghi' }],
    });
    const made = await survey(server, tools, { headers: { Authorization: 'Bearer abc.def.ghi' } });
    expect(made.entries).toHaveLength(3);
    expect(JSON.stringify(made)).not.toContain('abc.def.ghi');
  });

  test('of a server that does not open a session has a problem and no entries', async () => {
    const server = await serverWith({ tricks: { initialize: { kind: 'status', status: 500 } } });
    expect(await survey(server, [])).toEqual({ entries: [], failed: 0, problem: 'HTTP status 500' });
    expect(await survey(server, [], { url: 'http://169.254.169.254/mcp' })).toMatchObject({
      entries: [],
      problem: expect.stringContaining('169.254.169.254'),
    });
  });

  test('ends in time if the server answers nothing', async () => {
    const tools = Array.from({ length: 10 }, (_, i) => ({ name: `t${i}` }));
    const server = await serverWith({ tools, tricks: { 'tools/call': { kind: 'hang' } } });
    const begun = performance.now();
    const made = await survey(server, tools, { timeoutMs: 700, callTimeoutMs: 500 });
    expect(made).toEqual({ entries: [], failed: 10, problem: null });
    expect(performance.now() - begun).toBeLessThan(2_500);
  });
});
