import { describe, expect, test } from 'vitest';
import { parseAndCheckDescribedServers } from '../../../src/api/described-servers.ts';

const schema = { type: 'object' };
const line = (name: string, tools: unknown = [{ name: 'go', inputSchema: schema }]) =>
  JSON.stringify({ name, domain: 'testing', tools });

function bodyOf(...lines: string[]): ReadableStream<Uint8Array> {
  return new Blob([lines.join('\n')]).stream();
}

describe('an upload of described servers', () => {
  test('gives its servers, with the categories of rules', async () => {
    const read = await parseAndCheckDescribedServers(
      bodyOf(line('a'), '', line('b', [{ name: 'list_files', inputSchema: schema }])),
    );
    if (!read.ok) throw new Error(read.problem.detail);
    expect(read.value.map(({ described, tools, sources }) => [described.name, tools, sources])).toEqual([
      ['a', [expect.objectContaining({ name: 'a/go', server: 'a', domain: 'testing' })], { 'a/go': 'rules' }],
      ['b', [expect.objectContaining({ name: 'b/list_files', category: 'list' })], { 'b/list_files': 'rules' }],
    ]);
  });

  test('is refused as a whole, and each broken line is named', async () => {
    const read = await parseAndCheckDescribedServers(
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
    const read = await parseAndCheckDescribedServers(bodyOf(...Array.from({ length: 13 }, () => 'x')));
    expect(read.ok ? '' : read.problem.detail).toMatch(/line 10: .*; and 3 more$/);
  });

  test('is refused if it is empty, or describes too many servers', async () => {
    expect(await parseAndCheckDescribedServers(bodyOf(''))).toMatchObject({
      ok: false,
      problem: { code: 'invalid-line' },
    });
    const many = Array.from({ length: 501 }, (_, n) => line(`s${n}`));
    expect(await parseAndCheckDescribedServers(bodyOf(...many))).toMatchObject({
      ok: false,
      problem: { code: 'body-too-large' },
    });
  });
});
