import { describe, expect, test } from 'vitest';
import { parseAndCheckDescribedServers } from '#api/described-servers.ts';
import type { UploadPiece } from '#core/access/upload-pace.ts';

const schema = { type: 'object' };
const line = (name: string, tools: unknown = [{ name: 'go', inputSchema: schema }]) =>
  JSON.stringify({ name, domain: 'testing', tools });

function bodyOf(...lines: string[]): ReadableStream<Uint8Array> {
  return new Blob([lines.join('\n')]).stream();
}

const check = (body: ReadableStream<Uint8Array>) => parseAndCheckDescribedServers(body, () => Promise.resolve());

describe('an upload of described servers', () => {
  test('gives its servers, with the categories of rules', async () => {
    const read = await check(bodyOf(line('a'), '', line('b', [{ name: 'list_files', inputSchema: schema }])));
    if (!read.ok) throw new Error(read.problem.detail);
    expect(read.value.map(({ described, tools, sources }) => [described.name, tools, sources])).toEqual([
      ['a', [expect.objectContaining({ name: 'a/go', server: 'a', domain: 'testing' })], { 'a/go': 'rules' }],
      ['b', [expect.objectContaining({ name: 'b/list_files', category: 'list' })], { 'b/list_files': 'rules' }],
    ]);
  });

  test('is refused as a whole, and each broken line is named', async () => {
    const read = await check(
      bodyOf(
        line('a'),
        '{',
        line('B'),
        line('a'),
        line('c', []),
        line('d', [{ name: 'go', inputSchema: { type: 'list' } }]),
        line('e', [
          { name: 'go', inputSchema: schema },
          { name: 'go', inputSchema: schema },
        ]),
      ),
    );
    expect(read).toMatchObject({ ok: false, problem: { code: 'invalid-line' } });
    expect(read.ok ? [] : read.problem.detail.split('; ')).toEqual([
      expect.stringMatching(/^line 2: /),
      expect.stringMatching(/^line 3: wrong at name: /),
      'line 4: a server called a is on an earlier line',
      expect.stringMatching(/^line 5: wrong at tools: /),
      expect.stringMatching(/^line 6: d: go, input schema: /),
      'line 7: e: go is listed twice',
    ]);
  });

  test('names at most ten lines', async () => {
    const read = await check(bodyOf(...Array.from({ length: 13 }, () => 'x')));
    expect(read.ok ? '' : read.problem.detail).toMatch(/line 10: .*; and 3 more$/);
  });

  test('is refused if it is empty, or describes too many servers', async () => {
    expect(await check(bodyOf(''))).toMatchObject({
      ok: false,
      problem: { code: 'invalid-line' },
    });
    const many = Array.from({ length: 501 }, (_, n) => line(`s${n}`));
    expect(await check(bodyOf(...many))).toMatchObject({
      ok: false,
      problem: { code: 'body-too-large' },
    });
  });

  test('gives way after each hundred tools, which may be in one short line', async () => {
    const tools = Array.from({ length: 450 }, (_, n) => ({ name: `t${n}`, inputSchema: schema }));
    const pieces: UploadPiece[] = [];
    const read = await parseAndCheckDescribedServers(bodyOf(line('a', tools)), (piece) => {
      pieces.push(piece);
      return Promise.resolve();
    });
    expect(read.ok).toBe(true);
    expect(pieces.map(({ lines }) => lines)).toEqual([1, 100, 100, 100, 100]);
  });

  test('is refused if its servers have more tools than a catalog, all together', async () => {
    const tools = Array.from({ length: 2_000 }, (_, n) => ({ name: `t${n}`, inputSchema: schema }));
    const servers = Array.from({ length: 6 }, (_, n) => line(`s${n}`, tools));
    expect((await check(bodyOf(...servers.slice(1)))).ok).toBe(true);
    expect(await check(bodyOf(...servers))).toMatchObject({
      problem: { code: 'body-too-large', detail: 'described servers may have 10000 tools together' },
    });
  });
});
