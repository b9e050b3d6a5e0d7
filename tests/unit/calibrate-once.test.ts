import { describe, expect, test } from 'vitest';
import { settingsSchema } from '#adapters/settings.ts';
import { getOrMakeEmbedderCalibration, type CalibrationStore } from '#adapters/vector/calibrate-once.ts';
import type { Embedder } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import type { EmbedderCalibration } from '#core/similarity/calibrate-embedder.ts';
import { parseBundledCalibrationPairs } from '#core/similarity/calibrate-embedder.ts';

const settings = (more: Readonly<Record<string, string>> = {}) =>
  settingsSchema.parse({
    WRITER_MODEL: 'w',
    CRITIC_MODEL: 'c',
    AGENT_MODEL: 'a',
    JUDGE_MODEL: 'j',
    EMBEDDER_MODEL: 'e',
    OPENAI_BASE_URL: 'https://models.example/v1/',
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    SIGNING_KEY: Buffer.alloc(32, 2).toString('base64'),
    ROOT_KEY_SHA256: '0'.repeat(64),
    ...more,
  });

const paidCall: ModelCall = {
  role: 'embedder',
  model: 'e',
  prompt: '',
  promptTokens: 10,
  completionTokens: 0,
  costUsd: 0,
  latencyMs: 1,
  retries: 0,
};

/** An embedder that counts how many texts it was asked for, a call each. */
function embedderOf(vectorOf: (text: string) => readonly number[]): Embedder & { readonly asked: number[] } {
  const asked: number[] = [];
  return {
    asked,
    async embed(texts) {
      asked.push(texts.length);
      await Promise.resolve();
      return { ok: true, vectors: texts.map(vectorOf), call: paidCall };
    },
  };
}

/** Two requests that ask for the same have the same vector, and others have a right angle between them. */
function knowingVectors(): (text: string) => readonly number[] {
  const pairs = parseBundledCalibrationPairs();
  const places = new Map<string, number>();
  for (const { a, b, kind } of pairs) {
    const place = places.get(a.text) ?? places.get(b.text) ?? places.size;
    places.set(a.text, place);
    if (!places.has(b.text)) places.set(b.text, kind === 'paraphrase' ? place : places.size + 1_000);
  }
  const all = [...new Set(places.values())];
  return (text) => {
    const own = all.indexOf(places.get(text) ?? -1);
    return all.map((_, index) => (index === own ? 1 : 0));
  };
}

function storeOf(): CalibrationStore & { readonly kept: Map<string, EmbedderCalibration> } {
  const kept = new Map<string, EmbedderCalibration>();
  return {
    kept,
    findEmbedderCalibration: async (embedder) => kept.get(embedder) ?? null,
    async keepFirstEmbedderCalibration(embedder, calibration) {
      if (kept.get(embedder)?.separates !== true) kept.set(embedder, calibration);
      return kept.get(embedder) ?? calibration;
    },
  };
}

describe('calibrating an embedder', () => {
  test('happens at its first use, in calls of at most 100 texts, and is kept under its model and endpoint', async () => {
    const [embedder, store] = [embedderOf(knowingVectors()), storeOf()];
    const first = await getOrMakeEmbedderCalibration(settings(), 'e', embedder, store);
    expect(first).toMatchObject({ ok: true, value: { model: 'e', separates: true } });
    expect(Math.max(...embedder.asked)).toBe(100);
    expect(first.calls).toHaveLength(embedder.asked.length);
    expect([...store.kept.keys()]).toEqual(['e at https://models.example/v1']);
    const asked = embedder.asked.length;
    expect(await getOrMakeEmbedderCalibration(settings(), 'e', embedder, store)).toEqual({ ...first, calls: [] });
    expect(embedder.asked).toHaveLength(asked);
  });

  test('happens for each model and each endpoint', async () => {
    const [embedder, store] = [embedderOf(knowingVectors()), storeOf()];
    await getOrMakeEmbedderCalibration(settings(), 'e', embedder, store);
    await getOrMakeEmbedderCalibration(settings(), 'f', embedder, store);
    await getOrMakeEmbedderCalibration(settings({ EMBEDDER_BASE_URL: 'https://other.example' }), 'e', embedder, store);
    expect([...store.kept.keys()]).toEqual([
      'e at https://models.example/v1',
      'f at https://models.example/v1',
      'e at https://other.example',
    ]);
  });

  test('has one result for several first uses at once', async () => {
    const store = storeOf();
    const good = embedderOf(knowingVectors());
    const results = await Promise.all(
      [good, good, good].map((each) => getOrMakeEmbedderCalibration(settings(), 'e', each, store)),
    );
    const values = results.map((result) => (result.ok ? result.value : null));
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(1);
    expect([...store.kept.values()]).toEqual([values[0]]);
  });

  test('says that an embedder is unfit, and happens again at its next use, when its endpoint may work', async () => {
    const [broken, store] = [embedderOf(() => [1, 2]), storeOf()];
    const unfit = await getOrMakeEmbedderCalibration(settings(), 'e', broken, store);
    expect(unfit).toMatchObject({ value: { separates: false } });
    expect(store.kept.size).toBe(0);
    const name = 'e at https://models.example/v1';
    // Earlier releases kept it.
    if (unfit.ok) store.kept.set(name, unfit.value);
    const again = await getOrMakeEmbedderCalibration(settings(), 'e', embedderOf(knowingVectors()), store);
    expect(again).toMatchObject({ value: { separates: true } });
    expect(store.kept.get(name)).toMatchObject({ separates: true });
  });

  test('keeps nothing if the embedder fails in the middle', async () => {
    const store = storeOf();
    const fault = { where: 'model', name: 'embedder', code: 'unreachable', detail: 'no connection' } as const;
    let calls = 0;
    const embedder: Embedder = {
      async embed(texts) {
        calls += 1;
        return calls === 2 ? { ok: false, fault } : { ok: true, vectors: texts.map(() => [1]), call: paidCall };
      },
    };
    expect(await getOrMakeEmbedderCalibration(settings(), 'e', embedder, store)).toEqual({
      ok: false,
      fault,
      calls: [paidCall],
    });
    expect(store.kept.size).toBe(0);
  });

  test('needs no call of the offline embedder', async () => {
    const [embedder, store] = [embedderOf(() => [1]), storeOf()];
    const found = await getOrMakeEmbedderCalibration(settings({ OFFLINE_MODELS: 'true' }), 'offline', embedder, store);
    expect(found).toMatchObject({ ok: true, value: { meaning: 0.52, separates: true }, calls: [] });
    expect([embedder.asked, store.kept.size]).toEqual([[], 0]);
  });
});
