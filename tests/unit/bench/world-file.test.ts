import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../../engine/usage-error.ts';
import { readWorld } from '../../../bench/discovery/read-world.ts';
import { smallFile } from './simulated.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'world-'));
});
afterAll(() => rm(folder, { recursive: true }));

const written = async (content: string): Promise<string> => {
  const path = join(folder, 'world.json');
  await writeFile(path, content);
  return path;
};

const complaintAbout = async (path: string): Promise<unknown> => readWorld(path).catch((error: unknown) => error);

test('a world file is read unchanged', async () => {
  expect(await readWorld(await written(JSON.stringify(smallFile())))).toEqual(smallFile());
});

const { batch: _, ...batchless } = smallFile();

test.each<[string, object, string]>([
  [
    'a wrong number deep inside',
    {
      ...smallFile(),
      servers: [
        { domain: 'a', tools: 3 },
        { domain: 'b', tools: 0 },
      ],
    },
    'servers.1.tools: ',
  ],
  ['a field that is missing', batchless, 'batch: '],
  ['a field of another kind', { ...smallFile(), transitions: 'many' }, 'transitions: '],
  [
    'a field that there is not',
    { ...smallFile(), tools: 3 },
    'tools: there is no such field; there are name, servers, ',
  ],
  [
    'a field that there is not, deep inside',
    { ...smallFile(), servers: [{ domain: 'a', tools: 3, name: 'x' }] },
    'servers.0.name: there is no such field; there are domain, tools',
  ],
  ['a negative weight', { ...smallFile(), placement: { ...smallFile().placement, cross: -1 } }, 'placement.cross: '],
  ['no servers', { ...smallFile(), servers: [] }, 'servers: '],
  ['a single tool', { ...smallFile(), servers: [{ domain: 'a', tools: 1 }] }, 'servers: 2 to '],
  ['more transitions than pairs', { ...smallFile(), transitions: 21 }, 'transitions: only 20 pairs'],
  [
    'more transitions than pairs with a weight',
    { ...smallFile(), transitions: 13, placement: { ...smallFile().placement, cross: 0 } },
    'transitions: only 12 pairs',
  ],
  [
    'a longest chain that is shorter than the shortest',
    { ...smallFile(), generator: { ...smallFile().generator, chainLength: [4, 3] } },
    'generator.chainLength: the shortest (4) is longer than the longest (3)',
  ],
])('a world file with %s is refused with the name of the field', async (_, content, complaint) => {
  const path = await written(JSON.stringify(content));
  const error = await complaintAbout(path);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(`${path} is wrong:\n${complaint}`);
});

test('each wrong field gets its own line', async () => {
  const path = await written(JSON.stringify({ ...smallFile(), batch: 0, transitions: 0 }));
  expect(String(await complaintAbout(path))).toMatch(/wrong:\ntransitions: .*\nbatch: [^\n]*$/);
});

test('a file that is missing or not JSON is refused by name', async () => {
  expect(String(await complaintAbout(join(folder, 'none.json')))).toContain('none.json cannot be read');
  expect(String(await complaintAbout(await written('{')))).toContain('world.json is not JSON');
});
