import { afterAll, beforeAll, expect, test } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { settingsSchema, type Settings } from '#adapters/settings.ts';
import type { CalibrationStore } from '#adapters/vector/calibrate-once.ts';
import { openKnowledgeStore } from '#adapters/vector/stores.ts';
import { refuse } from '#core/values/errors.ts';
import { ok } from '#core/values/result.ts';
import type { EmbedderCalibration } from '#core/similarity/calibrate-embedder.ts';
import type { KnowledgeConnection, NewIndex } from '#core/similarity/knowledge/record.ts';
import { makeUnitIndex, type UnitIndexObject } from '#workflows/steps/unit-index.ts';
import type { Caller } from '#workflows/caller.ts';
import { startScriptedIndexes } from '../support/scripted-indexes.ts';
import { startScriptedModels, type ScriptedModels } from '../support/scripted-models.ts';

/** Where the deployment has an index at Upstash, it is what knowledge and units are kept in. */

const token = 'token-of-the-index';
const dimension = 16;
let indexes: Awaited<ReturnType<typeof startScriptedIndexes>>;
let models: ScriptedModels;

beforeAll(async () => {
  [indexes, models] = await Promise.all([startScriptedIndexes(), startScriptedModels()]);
});

afterAll(async () => {
  await Promise.all([indexes.close(), models.close()]);
});

async function deployment(): Promise<{ settings: Settings; index: Awaited<ReturnType<typeof indexes.make>> }> {
  const index = await indexes.make({ dimension, token });
  const { url } = await models.make([]);
  const model = { WRITER_MODEL: 'w', CRITIC_MODEL: 'c', AGENT_MODEL: 'a', JUDGE_MODEL: 'j', EMBEDDER_MODEL: 'e' };
  const settings = settingsSchema.parse({
    ...model,
    OPENAI_BASE_URL: url,
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    SIGNING_KEY: Buffer.alloc(32, 2).toString('base64'),
    ROOT_KEY_SHA256: '0'.repeat(64),
    ALLOW_LOCAL_SERVERS: 'true',
    UPSTASH_VECTOR_REST_URL: index.url,
    UPSTASH_VECTOR_REST_TOKEN: token,
  });
  return { settings, index };
}

const callsOf =
  (object: UnitIndexObject): Caller<UnitIndexObject> =>
  (call) =>
    call(object);

/** Calibrations in memory. */
function calibrationsOf(): CalibrationStore {
  const kept = new Map<string, EmbedderCalibration>();
  return {
    findEmbedderCalibration: async (embedder) => kept.get(embedder) ?? null,
    async keepFirstEmbedderCalibration(embedder, calibration) {
      if (kept.get(embedder)?.separates !== true) kept.set(embedder, calibration);
      return kept.get(embedder) ?? calibration;
    },
  };
}

/** The object of an index that lives elsewhere: it knows only how that is reached. */
function objectOf(): UnitIndexObject {
  let connection: KnowledgeConnection | null = null;
  const elsewhere = () => Promise.reject(new Error('the passages are not here'));
  return {
    connection: async () => (connection === null ? refuse('not-found', 'not made yet') : ok(connection)),
    async create(made: NewIndex) {
      connection ??= made.connection;
      return ok({ ...made.summary, passages: 0, namespaces: [] });
    },
    digests: elsewhere,
    storeAllOrRefuse: elsewhere,
    nearest: elsewhere,
    remove: elsewhere,
    clearNamespace: elsewhere,
  };
}

test('indexes share it without seeing each other', async () => {
  const { settings, index } = await deployment();
  const open = async (id: string) => {
    const store = { kind: 'upstash', url: null, encryptedToken: null } as const;
    const opened = await openKnowledgeStore(
      { id, store, embedding: 'embedder', model: 'e', dimension },
      settings,
      objectOf(),
      new Admission(),
    );
    if (!opened.ok || opened.value.embedding !== 'embedder') throw new Error('it did not open');
    return opened.value.store;
  };
  const [one, other] = [await open('kn_1'), await open('kn_2')];
  const vector = Array.from({ length: dimension }, () => 1);
  const passage = { id: 'p', text: 'Oslo: the capital of Norway', source: '', licence: null, digest: 'd', vector };
  expect(await one.put('main', [passage])).toMatchObject({ ok: true });
  expect(await one.nearest('main', vector, 3)).toMatchObject({ ok: true, value: [{ id: 'p' }] });
  expect(await other.nearest('main', vector, 3)).toEqual({ ok: true, value: [] });
  expect((await index.requests()).map(({ path }) => path)).toContain('/upsert/kn_1.main');
});

test("the units of a run are compared in it under the run's own name", async () => {
  const { settings, index } = await deployment();
  const units = makeUnitIndex('exp_1', callsOf(objectOf()), calibrationsOf(), settings, new Admission());
  const texts = ['Draw the sales as bars', 'Hash the file with the notes'];
  const embedded = await units.embed(texts);
  if (!embedded.ok) throw new Error(embedded.fault.detail);
  expect(embedded.calls).toMatchObject([{ role: 'embedder', model: 'e' }]);
  const placed = texts.map((text, n) => ({ unit: `u${n}`, text, vector: embedded.vectors[n] ?? [] }));
  expect(await units.put(placed)).toMatchObject({ ok: true });
  const near = await units.nearest(embedded.vectors[0] ?? [], 1);
  expect(near).toMatchObject({ ok: true, value: [{ id: 'u0', source: 'exp_1' }] });
  expect((await index.requests()).map(({ path }) => path)).toContain('/upsert/exp_1-units.units');
});

test("the calibration of an embedder for a run's units that separates the pairs serves the deployment, and no other does", async () => {
  const { settings } = await deployment();
  const kept: EmbedderCalibration = { model: 'e', meaning: 0.6, f1: 0.95, f1ByWords: 0.9, separates: true };
  const calibrations = calibrationsOf();
  const open = (run: string) => makeUnitIndex(run, callsOf(objectOf()), calibrations, settings, new Admission());
  const [one, other] = [open('exp_4'), open('exp_5')];
  await Promise.all([one.embed(['Draw the sales']), other.embed(['Draw the sales'])]);
  const first = await one.calibration();
  expect(first.calls.length).toBeGreaterThan(1);
  expect(first).toMatchObject({ ok: true, value: { model: 'e', f1ByWords: expect.any(Number), separates: false } });
  expect((await other.calibration()).calls).toHaveLength(first.calls.length);
  await calibrations.keepFirstEmbedderCalibration(`e at ${settings.OPENAI_BASE_URL}`, kept);
  expect(await other.calibration()).toEqual({ ok: true, value: kept, calls: [] });
});

test('a failure is an answer, not an exception', async () => {
  const { settings, index } = await deployment();
  const units = makeUnitIndex('exp_2', callsOf(objectOf()), calibrationsOf(), settings, new Admission());
  const embedded = await units.embed(['Draw the sales']);
  if (!embedded.ok) throw new Error(embedded.fault.detail);
  await index.tell([{ behaviour: { kind: 'status', status: 401 } }]);
  const placed = [{ unit: 'u', text: 'Draw the sales', vector: embedded.vectors[0] ?? [] }];
  expect(await units.put(placed)).toMatchObject({ ok: false, fault: { where: 'index', code: 'http-status' } });
  expect(await units.nearest(embedded.vectors[0] ?? [], 1)).toMatchObject({ ok: false });
});

test("the object is asked for the index's address only until that is known", async () => {
  const { settings } = await deployment();
  const object = objectOf();
  let asked = 0;
  const connection = () => {
    asked += 1;
    return object.connection();
  };
  const units = makeUnitIndex('exp_3', callsOf({ ...object, connection }), calibrationsOf(), settings, new Admission());
  const embedded = await units.embed(['Draw the sales']);
  if (!embedded.ok) throw new Error(embedded.fault.detail);
  const vector = embedded.vectors[0] ?? [];
  expect(await units.put([{ unit: 'u', text: 'Draw the sales', vector }])).toMatchObject({ ok: true });
  await Promise.all(Array.from({ length: 5 }, () => units.nearest(vector, 1)));
  expect((await units.embed(['Hash the notes'])).ok).toBe(true);
  expect(asked).toBe(2);
});
