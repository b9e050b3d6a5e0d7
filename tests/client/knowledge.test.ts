import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { Output, type Sink } from '../../client/command-line/output.ts';
import { parseLineToVerbOrHelp } from '../../client/command-line/parse-line.ts';
import { splitFileIntoLineParts } from '../../client/http/line-parts.ts';
import { makeLoadProgressCallback } from '../../client/progress/load-display.ts';
import { program } from '../../client/program.ts';
import { fakeApi, json, problem, type FakeApi } from './fake-api.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const summary = {
  id: 'kn_1',
  name: 'facts',
  store: 'embedded',
  embedding: 'embedder',
  model: 'small',
  dimension: 512,
  createdAt,
};
const record = { ...summary, passages: 0, namespaces: [] };
const upload = { 'content-type': 'text/jsonl' };

/** The lines that a verb writes: its results, and what it notes beside them, which is there also where it fails. */
async function outputOf(
  api: FakeApi,
  words: readonly string[],
  notes: string[] = [],
): Promise<{ out: string[]; notes: string[] }> {
  const request = parseLineToVerbOrHelp(words, program);
  if (request.kind === 'help') throw new Error('no verb');
  const written: string[] = [];
  const sink: Sink = { write: (text) => written.push(text), columns: 200 };
  const output = new Output(false, sink, { write: (text) => notes.push(text) });
  const client = createClient({ url: api.url, key: 'key', retries: 1, backoff: { firstMs: 1, longestMs: 1 } });
  await request.command.run(request.given, {
    isServiceNamed: true,
    client,
    output,
    signal: new AbortController().signal,
  });
  return { out: written.join('').trimEnd().split('\n'), notes };
}

const fileOf = async (text: string): Promise<string> => {
  const file = join(await mkdtemp(join(tmpdir(), 'sextant-knowledge-')), 'passages.jsonl');
  await writeFile(file, text);
  return file;
};
const numbered = (count: number): string => Array.from({ length: count }, (_, n) => `{"text":"fact ${n}"}\n`).join('');

describe('the parts of a file', () => {
  test('are cut at line ends, in order and without loss', async () => {
    const lines = fc.array(fc.string({ maxLength: 12 }).map((text) => text.replaceAll('\n', ' ')));
    await fc.assert(
      fc.asyncProperty(lines, fc.boolean(), fc.integer({ min: 1, max: 5 }), async (each, ends, most) => {
        const text = each.join('\n') + (ends && each.length > 0 ? '\n' : '');
        const parts = await Array.fromAsync(splitFileIntoLineParts(new Blob([text]), { lines: most, bytes: 20 }));
        const texts = await Promise.all(parts.map(({ blob }) => blob.text()));
        expect(texts.join('')).toBe(text);
        let line = 1;
        for (const [index, part] of texts.entries()) {
          expect(parts[index]?.line).toBe(line);
          const ended = part.split('\n').length - 1;
          expect(ended).toBeLessThanOrEqual(most);
          if (index < texts.length - 1) expect(part.endsWith('\n')).toBe(true);
          line += ended;
        }
      }),
    );
  });

  test('have no more bytes than allowed, except for the end of a line', async () => {
    const parts = await Array.fromAsync(
      splitFileIntoLineParts(new Blob([numbered(100)]), { lines: 1_000, bytes: 100 }),
    );
    expect(parts.every(({ blob }) => blob.size <= 120)).toBe(true);
    expect(parts.length).toBeGreaterThan(15);
  });
});

describe('knowledge indexes for a client', () => {
  test('knowledge create prints what it created', async () => {
    await using api = await fakeApi(json(record, 201));
    const { out } = await outputOf(api, ['knowledge', 'create', '--name', 'facts', '--store', 'embedded']);
    expect(out).toEqual(['kn_1: embedded, small, 512 dimensions']);
    expect(api.requests[0]?.line).toBe('POST /v1/knowledge');
    expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({ name: 'facts', store: { kind: 'embedded' } });
    expect(api.requests[0]?.headers['idempotency-key']).toMatch(/^\S+$/);
  });

  test('knowledge list shows a table, page by page', async () => {
    const bare = { ...summary, id: 'kn_2', name: '', store: 'upstash', model: null, dimension: null };
    await using api = await fakeApi(
      json({ items: [summary], nextCursor: 'kn_1' }),
      json({ items: [bare], nextCursor: null }),
    );
    expect((await outputOf(api, ['knowledge', 'list'])).out).toEqual([
      'id    name   store     model            dimension  created',
      `kn_1  facts  embedded  small            512        ${createdAt}`,
      `kn_2         upstash   the store's own             ${createdAt}`,
    ]);
  });

  test('knowledge load sends a large file in parts, repeats a lost part, and adds up', async () => {
    await using api = await fakeApi(
      json({ lines: 500, loaded: 499, unchanged: 1 }),
      (_, response) => void response.destroy(),
      json({ lines: 500, loaded: 0, unchanged: 500 }),
      json({ lines: 234, loaded: 234, unchanged: 0 }),
    );
    const file = await fileOf(numbered(1_234));
    const { out } = await outputOf(api, ['knowledge', 'load', 'kn_1', file, '--namespace', 'other']);
    expect(out.at(-1)).toBe('1,234 lines: 733 loaded, 501 in already');
    const at = 'POST /v1/knowledge/kn_1/passages?namespace=other&line=';
    expect(api.requests.map(({ line }) => line)).toEqual([1, 501, 501, 1_001].map((line) => `${at}${line}`));
    expect(api.requests.map(({ body }) => body.split('\n').length - 1)).toEqual([500, 500, 500, 234]);
    expect(api.requests[0]?.headers).toMatchObject(upload);
    expect(api.requests[2]?.body).toBe(api.requests[1]?.body);
  });

  test('knowledge load ends at the first bad line and says what is loaded', async () => {
    await using api = await fakeApi(
      json({ lines: 500, loaded: 500, unchanged: 0 }),
      problem(400, 'invalid-passage'),
      json({ lines: 0, loaded: 0, unchanged: 0 }),
    );
    const file = await fileOf(numbered(1_100));
    const notes: string[] = [];
    await expect(outputOf(api, ['knowledge', 'load', 'kn_1', file], notes)).rejects.toThrow('invalid-passage');
    expect(notes).toEqual(['until then 500 lines: 500 loaded, 0 in already\n']);
    expect(api.requests).toHaveLength(2);
    await expect(outputOf(api, ['knowledge', 'load', 'kn_1', `${file}.gone`])).rejects.toThrow('cannot be read');
  });

  test('knowledge search shows the passages, best first', async () => {
    const items = [
      { id: 'p_1', text: 'Iron\nrusts.', source: 'a book', licence: null, score: 0.91234 },
      { id: 'p_2', text: 'Gold does not.', source: '', licence: 'CC0', score: -0.1 },
    ];
    await using api = await fakeApi(json({ items }), json({ items: [] }));
    const words = ['knowledge', 'search', 'kn_1', 'does iron rust?', '--limit', '2'];
    expect((await outputOf(api, words)).out).toEqual([
      'score   text            source  id',
      '0.912   Iron rusts.     a book  p_1',
      '-0.100  Gold does not.          p_2',
    ]);
    expect(api.requests[0]?.line).toBe('GET /v1/knowledge/kn_1/search?query=does+iron+rust%3F&limit=2');
    expect((await outputOf(api, words)).notes[0]).toContain('nothing is in this part');
    expect(() => parseLineToVerbOrHelp([...words.slice(0, 4), '--limit', '101'], program)).toThrow('101');
    expect(() => parseLineToVerbOrHelp([...words.slice(0, 4), '--namespace', 'a b'], program)).toThrow('letters');
  });

  test('knowledge clear and knowledge delete name what they remove', async () => {
    await using api = await fakeApi((_, response) => void response.writeHead(204).end());
    expect((await outputOf(api, ['knowledge', 'clear', 'kn_1'])).out).toEqual(['main of kn_1 is empty']);
    expect((await outputOf(api, ['knowledge', 'delete', 'kn_1'])).out).toEqual(['kn_1 is deleted']);
    expect(api.requests.map(({ line }) => line)).toEqual([
      'DELETE /v1/knowledge/kn_1/namespaces/main',
      'DELETE /v1/knowledge/kn_1',
    ]);
  });

  test('the client reads an index and follows its events', async () => {
    const event = { id: 1, at: createdAt, event: { type: 'namespace.cleared', namespace: 'main' } };
    const frames = `id: 1\nevent: namespace.cleared\ndata: ${JSON.stringify(event)}\n\nevent: end\ndata: {}\n\n`;
    await using api = await fakeApi(json(record), (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames);
    });
    const { knowledge } = createClient({ url: api.url, key: 'key', retries: 0 });
    expect(await knowledge.get('kn_1')).toEqual(record);
    expect(await Array.fromAsync(knowledge.events('kn_1'))).toEqual([event]);
    expect(api.requests[1]?.line).toBe('GET /v1/knowledge/kn_1/events');
  });
});

describe('the progress display of a load', () => {
  const shownOn = (isTTY: boolean): string[] => {
    const shown: string[] = [];
    const show = makeLoadProgressCallback(1_000, { write: (text) => shown.push(text), isTTY, columns: 100 });
    for (const bytes of [40, 250, 260, 510, 1_000]) show({ lines: bytes, loaded: bytes - 10, unchanged: 10 }, bytes);
    return shown;
  };

  test('is a bar on a terminal', () => {
    const shown = shownOn(true);
    expect(shown).toHaveLength(6);
    expect(shown[0]).toContain(`${'░'.repeat(30)} 0 lines`);
    expect(shown.at(-1)).toContain(`${'█'.repeat(30)} 1,000 lines: 990 loaded, 10 in already`);
  });

  test('is an occasional line without a terminal', () => {
    expect(shownOn(false)).toEqual([
      '250 lines: 240 loaded, 10 in already\n',
      '510 lines: 500 loaded, 10 in already\n',
    ]);
  });
});
