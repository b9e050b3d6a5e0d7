import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serverRecord } from '#core/catalog/server.ts';
import { survey } from '#core/catalog/survey.ts';
import { expectStatus, newWorkspace, problemOf, type TestWorkspace } from '../support/workspace.ts';
import { startServer } from '../support/world.ts';

const annotations = { readOnlyHint: true };
const tools = [
  { name: 'list_fruit', annotations },
  { name: 'plant', annotations: { readOnlyHint: false } },
  { name: 'broken_list', annotations, does: 'fail' as const },
  {
    name: 'read_fruit',
    annotations,
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  },
];

const readSurvey = async (workspace: TestWorkspace, id: string) =>
  z.object({ survey: survey.nullable() }).parse(expectStatus(await workspace.get(`/v1/servers/${id}/survey`), 200))
    .survey;

const relist = async (workspace: TestWorkspace, id: string, body?: unknown) =>
  serverRecord.parse(expectStatus(await workspace.post(`/v1/servers/${id}/relist`, body), 200)).survey;

describe('a server that is registered', () => {
  test('is surveyed: only tools that read and need nothing are called, once each', async () => {
    const workspace = await newWorkspace();
    const outside = await startServer({ tools });
    const record = await workspace.server('fruit', outside.url);
    expect(record.survey).toEqual({ on: true, at: expect.any(String), entries: 1, failed: 1, problem: null });
    expect((await outside.log()).calls).toEqual([
      { tool: 'list_fruit', arguments: {} },
      { tool: 'broken_list', arguments: {} },
    ]);
    const made = await readSurvey(workspace, record.id);
    expect(made?.at).toBe(record.survey.at);
    expect(made?.entries).toEqual([
      { kind: 'tool', from: 'fruit/list_fruit', text: expect.stringContaining('R-list_fruit'), cutChars: 0 },
    ]);
  });

  test('is registered even if the survey fails', async () => {
    const workspace = await newWorkspace();
    const { url } = await startServer({ tools, tricks: { 'tools/call': { kind: 'status', status: 500 } } });
    const record = await workspace.server('fruit', url);
    expect(record).toMatchObject({ tools: 4, survey: { on: true, entries: 0, failed: 2, problem: null } });
  });

  test('is not called if its survey is off, until its owner switches it on', async () => {
    const workspace = await newWorkspace();
    const outside = await startServer({ tools });
    const { id, survey: outcome } = await workspace.server('fruit', outside.url, { survey: false });
    expect(outcome).toEqual({ on: false, at: null, entries: 0, failed: 0, problem: null });
    expect(await readSurvey(workspace, id)).toBeNull();
    expect((await relist(workspace, id)).on).toBe(false);
    expect((await outside.log()).calls).toEqual([]);
    expect(await relist(workspace, id, { survey: true })).toMatchObject({ on: true, entries: 1, failed: 1 });
    expect(await relist(workspace, id)).toMatchObject({ on: true, entries: 1, failed: 1 });
    expect(await relist(workspace, id, { survey: false })).toMatchObject({ on: false, at: null, entries: 0 });
    expect(await readSurvey(workspace, id)).toBeNull();
  });

  test('loses its survey when it is removed', async () => {
    const workspace = await newWorkspace();
    const { url } = await startServer({ tools });
    const { id } = await workspace.server('fruit', url);
    expect((await workspace.remove(`/v1/servers/${id}`)).status).toBe(204);
    expect(problemOf(await workspace.get(`/v1/servers/${id}/survey`))).toEqual([404, 'not-found']);
  });
});
