import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ModelConfig } from '#adapters/model/openai.ts';
import type { Profile } from '../support/endpoints/profile.ts';
import { dialectsToSet, profiles } from '../support/endpoints/profiles.ts';
import { modelsAt } from '../support/endpoints/models-at.ts';
import { serveProfile } from '../support/endpoints/serve.ts';
import { troubles } from '../support/endpoints/troubles.ts';
import { work } from '../support/endpoints/work.ts';

async function workAt(profile: Profile, baseUrl: string, dialect?: ModelConfig['dialect']) {
  const served = await serveProfile(profile);
  try {
    const done = await work(modelsAt(served, profile, baseUrl, dialect));
    const adaptations = [...new Set(done.calls.flatMap((call) => call.adaptations ?? []))].toSorted();
    return { ...done, adaptations, refused: served.refusals.length, accepted: served.accepted };
  } finally {
    await served.close();
  }
}

const works = {
  questions: ['n: 3', 'n: 3'],
  native: { end: 'answered', calls: 2, fault: null },
  prompted: { end: 'answered', calls: 1 },
};

const documentation = readFileSync('docs/models.md', 'utf8');
/** The row of an endpoint in docs/models.md, without its sources. */
const rowOf = (name: string): string[] | undefined =>
  documentation
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find((cells) => cells[1] === name)
    ?.slice(1, 4);

describe.each(profiles)('$name', (profile) => {
  test('takes what is sent to its own address, or is learnt, as its row in docs/models.md says', async () => {
    const own = await workAt(profile, profile.baseUrl, dialectsToSet.get(profile.name)?.own);
    expect(own).toMatchObject(works);
    const gateway = new URL(profile.baseUrl);
    gateway.host = `${profile.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.gateway.example.com`;
    const behind = await workAt(profile, gateway.href, dialectsToSet.get(profile.name)?.behind);
    expect(behind).toMatchObject(works);
    const say = ({ refused, adaptations }: typeof own): string =>
      refused === 0 ? 'nothing' : `${refused}: ${adaptations.map((each) => `\`${each}\``).join(', ')}`;
    expect(rowOf(profile.name)).toEqual([profile.name, say(own), say(behind)]);
  });
});

/** The cells of a table that the bench writes into docs/models.md, without its head. */
const rowsOf = (table: string): string[][] => {
  const [, text = ''] = new RegExp(`<!-- ${table} -->([^]*)<!-- end of ${table} -->`).exec(documentation) ?? [];
  return text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()));
};

test('docs/models.md has a run of each of these endpoints, in which both agents were evaluated', () => {
  const rows = rowsOf('runs at endpoints');
  expect(rows.map(([, name]) => name).toSorted()).toEqual(profiles.map(({ name }) => name).toSorted());
  for (const [, name, , , , native, prompted, , , said] of rows) {
    const done = /^(\d+) of \1$/;
    const isRefused = said !== '';
    expect([name, isRefused || (done.test(native ?? '') && done.test(prompted ?? ''))]).toEqual([name, true]);
  }
});

test('docs/models.md has a run in each trouble, which pauses and completes if it lasts until the user corrects something', () => {
  const rows = rowsOf('runs in trouble');
  expect(rows.map(([, name]) => name).toSorted()).toEqual(troubles.map(({ name }) => name).toSorted());
  const lasting = new Set(troubles.filter(({ lasts }) => lasts === true).map(({ name }) => name));
  for (const row of rows) {
    const isPaused = /^paused: .*; then completed$/.test(row[9] ?? '');
    expect([row[1], isPaused]).toEqual([row[1], lasting.has(row[1] ?? '')]);
  }
});
