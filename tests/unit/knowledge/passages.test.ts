import { describe, expect, test } from 'vitest';
import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import { parsePassageLine } from '#core/similarity/knowledge/passage.ts';

const read = async (line: unknown) => {
  const passage = await parsePassageLine(JSON.stringify(line));
  if (!passage.ok) throw new Error(passage.problem);
  return passage.value;
};

describe('a passage', () => {
  test('has a digest of all its content, and an id of its text, source and licence', async () => {
    const said = { text: 'a', source: 'b', licence: null };
    const { passage, vector } = await read({ text: 'a', source: 'b' });
    const digest = await sha256Hex(canonicalJson(said));
    expect(passage).toEqual({ ...said, id: `p_${digest.slice(0, 24)}`, digest });
    expect(vector).toBeNull();

    const brought = await read({ text: 'a', source: 'b', vector: [1, 2.5] });
    expect(brought.vector).toEqual([1, 2.5]);
    expect(brought.passage.id).toBe(passage.id);
    expect(brought.passage.digest).toBe(await sha256Hex(canonicalJson({ ...said, vector: [1, 2.5] })));
  });

  test('keeps its digest with a custom id, but not with other content', async () => {
    const digestOf = async (more: object) => (await read({ text: 'a', ...more })).passage.digest;
    const plain = await digestOf({});
    expect(await digestOf({ id: 'mine' })).toBe(plain);
    expect((await read({ id: 'mine', text: 'a', vector: [1, 2] })).passage.id).toBe('mine');
    const others = [{ text: 'b' }, { source: 's' }, { licence: 'CC0' }, { vector: [1, 2] }, { vector: [2, 1] }];
    const digests = await Promise.all(others.map(digestOf));
    expect(new Set([plain, ...digests]).size).toBe(6);
  });
});
