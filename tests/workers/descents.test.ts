import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { unique } from '../support/workspace.ts';

/** Returns the descents in a run that has these variants: name, status (null before the end), seeds. */
function descentsWith(variants: readonly (readonly [string, string | null, readonly string[]])[]): Promise<string[]> {
  return runInDurableObject(env.EXPLORATION_RUN.getByName(unique('exp')), (run, { storage: { sql } }) => {
    for (const [id, status, seeds] of variants) {
      const stage = status === null ? { kind: 'audit' } : { kind: 'done', status };
      const json = JSON.stringify({ stage, lineage: { seeds: seeds.map((unit) => ({ unit })) } });
      sql.exec('INSERT INTO units (id, json) VALUES (?, ?)', id, json);
    }
    return run.listVariantSeedPairs().map(({ unit, seed }) => `${seed}>${unit}`);
  });
}

test.each(['rejected', 'lost', 'dropped', 'duplicate'])(
  'a recombination that ended as %s joins no lineages, but a unit that was turned down after it was a seed does',
  async (status) => {
    expect(await descentsWith([['ab', status, ['a', 'b']]])).toEqual([]);
    expect(
      await descentsWith([
        ['ab', status, ['a', 'b']],
        ['abc', 'accepted', ['ab', 'c']],
      ]),
    ).toEqual(['a>ab', 'b>ab', 'ab>abc', 'c>abc']);
  },
);

test.each(['accepted', 'review', null])('a recombination of status %s joins those of its seeds', async (status) => {
  expect(await descentsWith([['ab', status, ['a', 'b']]])).toEqual(['a>ab', 'b>ab']);
});
