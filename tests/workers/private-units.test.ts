import { evictDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { benchmarkRecord, pairUnit, type BenchmarkRecord, type PairUnit } from '#core/benchmarks/benchmark.ts';
import type { Scope } from '#core/access/access.ts';
import { unitSummary } from '#core/exploration/record.ts';
import { board, received, serviceBody, settled, submitter, type Board } from '../support/board.ts';
import { casesOf, evaluateToEnd } from '../support/evaluation.ts';
import { exploreToEnd, follow, prepare, unitsOf, type Ground } from '../support/exploration.ts';
import { evaluateGuest } from '../support/external.ts';
import { call, expectStatus, keyFor, pageOf, problemOf } from '../support/workspace.ts';

/** What a benchmark holds out is for `admin` alone, wherever it could be read. */

const unitPage = pageOf(pairUnit);
const seenPage = pageOf(unitSummary).extend({ withheld: z.int() });

async function freeze(key: string, run: string, body: Record<string, unknown> = {}): Promise<BenchmarkRecord> {
  const answer = await call(key, 'POST', '/v1/benchmarks', { explorations: [run], floor: false, ...body });
  return benchmarkRecord.parse(expectStatus(answer, 201));
}

async function privateUnits({ workspace }: Ground, { id }: BenchmarkRecord): Promise<PairUnit[]> {
  const answer = await workspace.get(`/v1/benchmarks/${id}/units?split=private&limit=500`);
  return unitPage.parse(expectStatus(answer, 200)).items;
}

const evolve = async ({ workspace }: Ground, run: string, number: number): Promise<void> => {
  expectStatus(await workspace.post(`/v1/explorations/${run}/evolutions`, { batch: 4, minYield: 0 }), 202);
  await follow(workspace.key, `${run}/evolutions/${number}`);
};

describe('freezing a benchmark again', () => {
  test('publishes no unit that an earlier benchmark holds out, for any key, share and seed', async () => {
    const ground = await prepare();
    const { run } = await exploreToEnd(ground, { rounds: 2, batch: 5 });
    const runner = await keyFor(ground.workspace.id, 'run');
    const first = await freeze(ground.workspace.key, run, { privateShare: 0.4 });
    const held = (await privateUnits(ground, first)).map(({ id }) => id);
    expect(held).toHaveLength(4);
    const asked = [
      { privateShare: 0 },
      { privateShare: 0, seed: 2 },
      { privateShare: 0.1, seed: 3 },
      { privateShare: 0.4, seed: 4 },
      { privateShare: 0, sample: 8, seed: 5 },
    ];
    for (const body of asked) {
      // What is remembered outlives the object's memory.
      await evictDurableObject(env.EXPLORATION_RUN.getByName(run));
      const { id } = await freeze(runner, run, body);
      const shown = unitPage.parse((await call(null, 'GET', `/v1/benchmarks/${id}/public?limit=500`)).body).items;
      expect(shown.filter((unit) => held.includes(unit.id))).toEqual([]);
      expect(shown.length).toBeGreaterThan(0);
    }
    expect((await freeze(runner, run, { privateShare: 0.4 })).id).toBe(first.id);
  });

  test('holds out a unit in every run that has it, even if two freeze at once', async () => {
    const ground = await prepare();
    const runs = [];
    for (let n = 0; n < 2; n += 1) runs.push((await exploreToEnd(ground, { rounds: 1, batch: 4 })).run);
    const [one = '', other = ''] = runs;
    const answer = await ground.workspace.post('/v1/benchmarks', {
      explorations: runs,
      privateShare: 0.5,
      floor: false,
    });
    const both = benchmarkRecord.parse(expectStatus(answer, 201));
    const held = new Set((await privateUnits(ground, both)).map(({ id }) => id));
    for (const run of runs) {
      const { id } = await freeze(ground.workspace.key, run, { privateShare: 0, name: run });
      const shown = unitPage.parse((await call(null, 'GET', `/v1/benchmarks/${id}/public?limit=500`)).body).items;
      expect(shown.filter((unit) => held.has(unit.id))).toEqual([]);
    }
    expect(one).not.toBe(other);
    const frozen = await Promise.all(
      [6, 7, 8].map((seed) => freeze(ground.workspace.key, one, { privateShare: 0.5, seed })),
    );
    const last = await freeze(ground.workspace.key, one, { privateShare: 0, name: 'last' });
    const all = new Set((await privateUnits(ground, last)).map(({ id }) => id));
    for (const each of frozen)
      for (const { id } of await privateUnits(ground, each)) expect([id, all.has(id)]).toEqual([id, true]);
  });

  test('holds out variants of private units, including later ones', async () => {
    const ground = await prepare();
    const { run } = await exploreToEnd(ground, { rounds: 2, batch: 4 });
    await freeze(ground.workspace.key, run, { privateShare: 0.5 });
    await evolve(ground, run, 1);
    const units = await unitsOf(ground, run);
    const reader = await keyFor(ground.workspace.id, 'read');
    const answer = await call(reader, 'GET', `/v1/explorations/${run}/units?limit=500`);
    const seen = seenPage.parse(expectStatus(answer, 200));
    const visible = new Set(seen.items.map(({ id }) => id));
    expect(seen.withheld).toBe(units.length - visible.size);
    const variants = units.filter(({ lineage }) => lineage !== null);
    const shown = variants.filter(({ id }) => visible.has(id));
    expect(shown.length).toBeLessThan(variants.length);
    for (const { lineage } of shown)
      for (const { unit } of lineage?.seeds ?? []) expect([unit, visible.has(unit)]).toEqual([unit, true]);
    // And the count says nothing of what the hidden ones hold.
    const tool = units.find(({ id }) => !visible.has(id))?.chain[0] ?? '';
    for (const query of [`tool=${tool}`, 'status=rejected', 'origin=evolved']) {
      const filtered = await call(reader, 'GET', `/v1/explorations/${run}/units?${query}`);
      expect(seenPage.parse(filtered.body).withheld).toBe(seen.withheld);
    }
    const { id } = await freeze(ground.workspace.key, run, { privateShare: 0 });
    const published = unitPage.parse((await call(null, 'GET', `/v1/benchmarks/${id}/public?limit=500`)).body).items;
    expect(published.filter(({ provenance }) => !visible.has(provenance.unit))).toEqual([]);
  });
});

describe('a key without the scope admin', () => {
  let bed: Board;
  let run = '';
  let hidden: PairUnit[] = [];
  /** Texts, chains and ids of private units: what must not be found. */
  let secrets: string[] = [];
  let places: Readonly<Record<string, readonly string[]>> = {};
  let visibleUnit = '';
  let entryPage = '';
  let guest: Awaited<ReturnType<typeof submitter>>;

  beforeAll(async () => {
    bed = await board({ units: 8, privateShare: 0.4 });
    const { workspace, benchmark } = bed;
    run = benchmark.explorations[0] ?? '';
    hidden = await privateUnits(bed, benchmark);
    await evolve(bed, run, 1);
    const again = await freeze(workspace.key, run, { privateShare: 0 });
    const all = unitPage.parse((await workspace.get(`/v1/benchmarks/${again.id}/units?limit=500`)).body).items;
    // A recombination connects the lineage of a private unit with one that the first benchmark had published.
    const shown = await call(null, 'GET', `/v1/benchmarks/${benchmark.id}/public?limit=500`);
    const published = new Set(unitPage.parse(shown.body).items.map(({ id }) => id));
    hidden = all.filter(({ id, split }) => split === 'private' && !published.has(id));
    const open = all
      .filter(({ id }) => !hidden.some((each) => each.id === id))
      .map(({ chain }) => JSON.stringify(chain));
    secrets = hidden.flatMap(({ id, source, followUp, chain, provenance }) => {
      const tools = JSON.stringify(chain);
      const texts = [source, followUp].map((text) => JSON.stringify(text).slice(1, -1));
      return [id, provenance.unit, ...texts, ...(open.includes(tools) ? [] : [tools])];
    });
    visibleUnit = all.find(({ split }) => split === 'public')?.provenance.unit ?? '';

    const judged = await evaluateToEnd(bed, ['one', 'two'], { split: 'all', recording: 'record' });
    const { recordingId = '' } = judged.record.config;
    const cases = await casesOf(bed, judged.run);
    const ofHidden = cases.find(({ unit }) => unit === hidden[0]?.id);
    guest = await submitter();
    const entry = received(await guest.post('/v1/submissions', serviceBody(bed, bed.model, 'Open to all'))).id;
    await settled(guest, entry);
    entryPage = `/leaderboards/${bed.leaderboard.id}/entries/${entry}`;
    const made = await workspace.post('/v1/knowledge', { name: 'facts' });
    const { id: knowledge } = z.object({ id: z.string() }).parse(expectStatus(made, 201));
    const { items: servers } = pageOf(z.object({ id: z.string() })).parse((await workspace.get('/v1/servers')).body);
    const watching = await workspace.post('/v1/watches', { server: servers[0]?.id });
    const { id: watch } = z.object({ watch: z.object({ id: z.string() }) }).parse(expectStatus(watching, 201)).watch;

    const of = (base: string, ...rest: string[]): string[] => rest.map((each) => `${base}${each}`);
    const exploration = `/v1/explorations/${run}`;
    const evaluation = `/v1/evaluations/${judged.run}`;
    const recording = `/v1/recordings/${recordingId}`;
    const frozen = [benchmark.id, again.id].map((id) => `/v1/benchmarks/${id}`);
    const lb = `/v1/leaderboards/${bed.leaderboard.id}`;
    places = {
      '/health': ['/health'],
      '/v1/benchmarks': ['/v1/benchmarks'],
      '/v1/benchmarks/{id}': frozen,
      '/v1/benchmarks/{id}/export': frozen.flatMap((each) => of(each, '/export', '/export?split=public')),
      '/v1/benchmarks/{id}/floor': frozen.flatMap((each) => of(each, '/floor')),
      '/v1/benchmarks/{id}/public': frozen.flatMap((each) => of(each, '/public?limit=500')),
      '/v1/benchmarks/{id}/public/export': frozen.flatMap((each) => of(each, '/public/export')),
      '/v1/benchmarks/{id}/units': frozen.flatMap((each) =>
        of(each, '/units', '/units?split=private', '/units?split=public'),
      ),
      '/v1/catalogs': ['/v1/catalogs'],
      '/v1/judges/measures': ['/v1/judges/measures'],
      '/v1/catalogs/{id}': [`/v1/catalogs/${bed.catalog}`],
      // A consent knows nothing of units, and wants an authorization server: consents.test.ts reads what it shows.
      '/v1/consents/{id}': [],
      '/v1/evaluations': ['/v1/evaluations'],
      '/v1/evaluations/{id}': [evaluation],
      '/v1/evaluations/{id}/agreement': of(evaluation, '/agreement'),
      '/v1/evaluations/{id}/cases': of(evaluation, '/cases'),
      '/v1/evaluations/{id}/cases/{case}': of(evaluation, `/cases/${ofHidden?.id}`),
      '/v1/evaluations/{id}/compare': of(evaluation, '/compare?a=one&b=two'),
      '/v1/evaluations/{id}/compare-anytime': of(evaluation, '/compare-anytime?a=one&b=two'),
      '/v1/evaluations/{id}/offering': of(evaluation, '/offering'),
      '/v1/evaluations/{id}/events': of(evaluation, '/events'),
      '/v1/evaluations/{id}/export': of(evaluation, '/export', '/export?format=csv'),
      '/v1/evaluations/{id}/inspect-log': of(evaluation, '/inspect-log?agent=one'),
      '/v1/evaluations/{id}/labels': of(evaluation, '/labels'),
      '/v1/evaluations/{id}/labels/open': of(evaluation, '/labels/open'),
      '/v1/evaluations/{id}/report': of(evaluation, '/report'),
      '/v1/evaluations/{id}/results': of(evaluation, '/results'),
      '/v1/evaluations/{id}/results/chain-lengths': of(evaluation, '/results/chain-lengths'),
      '/v1/evaluations/{id}/results/domains': of(evaluation, '/results/domains'),
      '/v1/evaluations/{id}/results/levels': of(evaluation, '/results/levels'),
      '/v1/evaluations/{id}/results/relations': of(evaluation, '/results/relations'),
      '/v1/evaluations/{id}/results/server-counts': of(evaluation, '/results/server-counts'),
      '/v1/evaluations/{id}/results/servers': of(evaluation, '/results/servers'),
      '/v1/evaluations/{id}/results/transitions': of(evaluation, '/results/transitions'),
      '/v1/evaluations/{id}/results/units': of(evaluation, '/results/units'),
      '/v1/evaluations/{id}/results/witness-extents': of(evaluation, '/results/witness-extents'),
      '/v1/evaluations/{id}/tools': of(evaluation, '/tools'),
      '/v1/evaluations/{id}/writes': of(evaluation, '/writes'),
      '/v1/evaluations/{id}/traces': of(evaluation, '/traces?agent=one'),
      '/v1/explorations': ['/v1/explorations'],
      '/v1/explorations/{id}': [exploration],
      '/v1/explorations/{id}/domains': of(exploration, '/domains'),
      '/v1/explorations/{id}/events': of(exploration, '/events'),
      '/v1/explorations/{id}/evolutions': of(exploration, '/evolutions'),
      '/v1/explorations/{id}/evolutions/{number}': of(exploration, '/evolutions/1'),
      '/v1/explorations/{id}/evolutions/{number}/events': of(exploration, '/evolutions/1/events'),
      '/v1/explorations/{id}/richness': of(exploration, '/richness'),
      '/v1/explorations/{id}/transitions': of(exploration, '/transitions'),
      '/v1/explorations/{id}/units': of(
        exploration,
        '/units',
        '/units?limit=2',
        '/units?status=accepted',
        '/units?origin=evolved',
      ),
      '/v1/explorations/{id}/units/{unit}': of(
        exploration,
        ...hidden.map(({ provenance }) => `/units/${provenance.unit}`),
        `/units/${visibleUnit}`,
      ),
      '/v1/explorations/{id}/tools': of(exploration, '/tools'),
      '/v1/explorations/{id}/writes': of(exploration, '/writes'),
      '/v1/hosts/{host}/proof': ['/v1/hosts/mcp.nobody.example/proof'],
      '/v1/keys': ['/v1/keys'],
      '/v1/knowledge': ['/v1/knowledge'],
      '/v1/knowledge/{id}': [`/v1/knowledge/${knowledge}`],
      '/v1/knowledge/{id}/events': [`/v1/knowledge/${knowledge}/events`],
      '/v1/knowledge/{id}/search': [`/v1/knowledge/${knowledge}/search?query=fruit`],
      '/v1/leaderboards': ['/v1/leaderboards'],
      '/v1/leaderboards/{id}': [lb],
      '/v1/leaderboards/{id}/entries': of(lb, '/entries'),
      '/v1/leaderboards/{id}/entries/{entry}': of(lb, `/entries/${entry}`),
      '/v1/leaderboards/{id}/entries/{entry}/badge.svg': of(lb, `/entries/${entry}/badge.svg`),
      '/v1/leaderboards/{id}/entries/{entry}/cases': of(lb, `/entries/${entry}/cases?limit=50`),
      '/v1/leaderboards/{id}/entries/{entry}/history': of(lb, `/entries/${entry}/history`),
      '/v1/leaderboards/{id}/entries/{entry}/record': of(lb, `/entries/${entry}/record`),
      '/v1/leaderboards/{id}/entries/{entry}/traces': of(lb, `/entries/${entry}/traces`),
      '/v1/leaderboards/{id}/export': of(lb, '/export', '/export?format=csv'),
      '/v1/leaderboards/{id}/front': of(lb, '/front'),
      '/v1/leaderboards/{id}/log': of(lb, '/log'),
      '/v1/leaderboards/{id}/submissions': of(lb, '/submissions'),
      '/v1/recordings': ['/v1/recordings'],
      '/v1/recordings/{id}': [recording],
      '/v1/recordings/{id}/calls': of(recording, ...hidden.map(({ id }) => `/calls?unit=${id}&attempt=one.01.source`)),
      '/v1/recordings/{id}/export': of(recording, '/export'),
      '/v1/reviews': [`/v1/reviews?exploration=${run}`, `/v1/reviews?exploration=${run}&state=decided`],
      '/v1/reviews/agreement': [`/v1/reviews/agreement?exploration=${run}`],
      '/v1/reviews/{exploration}/{unit}': hidden.map(({ provenance }) => `/v1/reviews/${run}/${provenance.unit}`),
      '/v1/servers': ['/v1/servers'],
      '/v1/servers/{id}': [`/v1/servers/${servers[0]?.id}`],
      '/v1/servers/{id}/survey': [`/v1/servers/${servers[0]?.id}/survey`],
      '/v1/signing-key': ['/v1/signing-key'],
      '/v1/submissions': ['/v1/submissions'],
      '/v1/submissions/{id}': [`/v1/submissions/${entry}`],
      '/v1/submissions/{id}/events': [`/v1/submissions/${entry}/events`],
      '/v1/watches': ['/v1/watches'],
      '/v1/watches/{id}': [`/v1/watches/${watch}`],
    };
  });

  /** Pages for people, which the document does not describe. */
  const pages = () => [
    '/docs',
    '/docs/errors',
    '/leaderboards',
    `/leaderboards/${bed.leaderboard.id}`,
    entryPage,
    `${entryPage}/cases`,
    '/openapi.json',
  ];

  test('reads nothing of a private unit from any GET', async () => {
    const document = z
      .object({ paths: z.record(z.string(), z.looseObject({ get: z.unknown().optional() })) })
      .parse((await call(null, 'GET', '/openapi.json')).body);
    const offered = Object.entries(document.paths).flatMap(([path, { get }]) => (get === undefined ? [] : [path]));
    expect(Object.keys(places).toSorted()).toEqual(offered.toSorted());
    expect(hidden.length).toBeGreaterThan(3);

    // With `admin` each of them answers, and all secrets are found: what is searched for is there.
    const found = new Set<string>();
    for (const [path, urls] of Object.entries(places)) {
      const answers = await Promise.all(urls.map((url) => textOf(bed.workspace.key, url)));
      if (path !== '/v1/reviews/{exploration}/{unit}')
        for (const { status, url } of answers) expect([url, status]).toEqual([url, 200]);
      for (const { text } of answers) for (const secret of secrets) if (text.includes(secret)) found.add(secret);
    }
    expect(secrets.filter((secret) => !found.has(secret))).toEqual([]);

    const keys: [string, string | null][] = [
      ['no key', null],
      ['a submitter', guest.key],
    ];
    const scopes: Scope[][] = [['read'], ['run'], ['submit'], ['read', 'run', 'submit']];
    for (const each of scopes) keys.push([each.join(), await keyFor(bed.workspace.id, ...each)]);
    const leaks: unknown[] = [];
    let answered = 0;
    for (const [who, key] of keys) {
      for (const url of [...Object.values(places).flat(), ...pages()]) {
        const { status, text } = await textOf(key, url);
        if (status === 200) answered += 1;
        const leaked = secrets.filter((secret) => text.includes(secret));
        if (leaked.length > 0) leaks.push([who, url, leaked]);
      }
    }
    expect(leaks).toEqual([]);
    expect(answered).toBeGreaterThan(100);
  });

  test('reads everything else, with the number of withheld items', async () => {
    const reader = await keyFor(bed.workspace.id, 'read');
    const all = (await unitsOf(bed, run)).map(({ id }) => id);
    const { items, withheld } = seenPage.parse(
      (await call(reader, 'GET', `/v1/explorations/${run}/units?limit=500`)).body,
    );
    expect(items.map(({ id }) => id)).toContain(visibleUnit);
    expect(withheld).toBe(all.length - items.length);
    const { events } = await follow(reader, run);
    const told = await follow(bed.workspace.key, run);
    const names = new Set(items.map(({ id }) => id));
    expect(events).toEqual(told.events.filter(({ event }) => !('unit' in event) || names.has(event.unit)));
    expect(events.length).toBeLessThan(told.events.length);
    const open = await evaluateToEnd(bed, ['one'], { split: 'public', recording: 'record' });
    for (const path of ['cases', 'export', 'report', 'results/units', 'results/transitions', 'traces?agent=one'])
      expect((await call(reader, 'GET', `/v1/evaluations/${open.run}/${path}`)).status).toBe(200);
    const calls = `/v1/recordings/${open.record.config.recordingId}/calls?unit=${open.cases[0]?.unit}&attempt=one.01.source`;
    expect((await call(reader, 'GET', calls)).status).toBe(200);
  });

  test('cannot decide on, claim or evaluate private units', async () => {
    const runner = await keyFor(bed.workspace.id, 'run', 'read', 'submit');
    for (const { provenance } of hidden) {
      const decision = await call(runner, 'POST', `/v1/reviews/${run}/${provenance.unit}/decision`, {
        decision: 'approve',
      });
      expect(problemOf(decision)).toEqual([403, 'forbidden']);
    }
    const evaluation = await evaluateGuest(bed, { split: 'private' });
    const claimed = await call(runner, 'POST', '/v1/attempts/claim', { evaluation, agent: 'guest' });
    expect(problemOf(claimed)).toEqual([403, 'forbidden']);
    expectStatus(await bed.workspace.post(`/v1/evaluations/${evaluation}/cancel`), 200);
  });
});

/** What an answer says, headers and all; of a stream without an end, what it says within half a second. */
async function textOf(key: string | null, url: string): Promise<{ url: string; status: number; text: string }> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const response = await exports.default.fetch(new Request(`http://sextant.test${url}`, { headers }));
  let text = JSON.stringify([...response.headers]);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), 500));
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  for (;;) {
    const read = await (isStream ? Promise.race([reader?.read(), late]) : reader?.read());
    if (read?.value === undefined) break;
    text += read.value;
  }
  await reader?.cancel();
  return { url, status: response.status, text };
}
