import type { FoundPassage } from '#core/similarity/knowledge/passage-record.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { deploymentModelOfRole, getDeploymentVectorIndex, type Settings } from '#adapters/settings.ts';
import type { EmbeddedIndex } from '#adapters/vector/embedded-store.ts';
import { makeIndexEmbedder } from '#adapters/vector/index-embedder.ts';
import { openKnowledgeStore, type OpenedStore } from '#adapters/vector/stores.ts';
import { getOrMakeEmbedderCalibration, type CalibrationStore } from '#adapters/vector/calibrate-once.ts';
import type { EmbedderCalibration } from '#core/similarity/calibrate-embedder.ts';
import { computeVectorsOfDimension, type Embedded } from '#adapters/vector/compute-vectors.ts';
import { sha256Hex } from '#core/values/canonical.ts';
import type { Result } from '#core/values/result.ts';
import type { KnowledgeConnection, KnowledgeRecord, NewIndex } from '#core/similarity/knowledge/record.ts';
import type { Reached, VectorStore } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import type { Caller } from '../caller.ts';
import { makeRemoteEmbeddedIndex } from './embedded-index.ts';

/** The vectors of one run's units, for finding near-duplicates. */
export interface UnitIndex {
  /** Returns the vectors of texts, in their order. */
  embed(texts: readonly string[]): Promise<Embedded>;
  put(units: readonly { unit: string; text: string; vector: readonly number[] }[]): Promise<Reached<null>>;
  nearest(vector: readonly number[], topK: number): Promise<Reached<readonly FoundPassage[]>>;
  /** Returns how the embedder of these vectors was calibrated; calibrates it at its first use in the deployment. */
  calibration(): Promise<Reached<EmbedderCalibration> & { readonly calls: readonly ModelCall[] }>;
}

/** The object that knows how to reach the index, and holds it if it is embedded. */
export interface UnitIndexObject extends EmbeddedIndex {
  connection(): Promise<Result<KnowledgeConnection>>;
  create(index: NewIndex): Promise<Result<KnowledgeRecord>>;
}

const namespace = 'units';

/**
 * The index of a run's units: at Upstash if the deployment has one, else embedded. It is created with the first texts.
 */
export function makeUnitIndex(
  run: string,
  object: Caller<UnitIndexObject>,
  calibrations: CalibrationStore,
  settings: Settings,
  admission: Admission,
): UnitIndex {
  let known: Opened | null = null;

  /** Opens the index once, because its address never changes; a failed opening is repeated. */
  async function openOnce(): Promise<Opened> {
    if (known !== null) return known;
    const made = await object((index) => index.connection());
    if (!made.ok) return { ...indexUnreachableFault(made.problem.detail), isMade: false };
    const opened = { ...(await openVectors(made.value, object, settings, admission)), isMade: true };
    if (opened.ok) known = opened;
    return opened;
  }

  return {
    async embed(texts) {
      const opened = await openOnce();
      if (opened.ok) return computeVectorsOfDimension(opened.value.embedder, opened.value.dimension, texts);
      if (opened.isMade) return { ...opened, calls: [] };
      const { model } = deploymentModelOfRole(settings, 'embedder');
      const answer = await makeIndexEmbedder(settings, model, admission).embed(texts);
      if (!answer.ok) return { ...answer, calls: [] };
      const { vectors, call } = answer;
      const index = describeNewIndex(run, model, vectors[0]?.length ?? 0, settings);
      await object((made) => made.create(index));
      return { ok: true, vectors, calls: [call] };
    },

    async put(units) {
      const opened = await openOnce();
      if (!opened.ok) return opened;
      const entries = await Promise.all(
        units.map(async ({ unit, text, vector }) => {
          const digest = await sha256Hex(text);
          return { id: unit, text, source: run, licence: null, digest, vector };
        }),
      );
      return opened.value.store.put(namespace, entries);
    },

    async calibration() {
      const opened = await openOnce();
      if (!opened.ok) return { ...opened, calls: [] };
      return getOrMakeEmbedderCalibration(settings, opened.value.model, opened.value.embedder, calibrations);
    },

    async nearest(vector, topK) {
      const opened = await openOnce();
      return opened.ok ? opened.value.store.nearest(namespace, vector, topK) : opened;
    },
  };
}

function describeNewIndex(run: string, model: string, dimension: number, settings: Settings): NewIndex {
  const id = `${run}-units`;
  const isUpstash = getDeploymentVectorIndex(settings) !== undefined;
  const store = isUpstash
    ? ({ kind: 'upstash', url: null, encryptedToken: null } as const)
    : ({ kind: 'embedded' } as const);
  const made = { id, embedding: 'embedder', model, dimension } as const;
  const summary = { ...made, name: '', store: store.kind, createdAt: new Date().toISOString() };
  return { summary, connection: { ...made, store } };
}

type Vectors = Extract<OpenedStore, { embedding: 'embedder' }> & {
  readonly store: VectorStore;
  readonly model: string;
};

/** `isMade` distinguishes an index that could not be opened from one that does not exist yet. */
type Opened = Reached<Vectors> & { readonly isMade: boolean };

async function openVectors(
  connection: KnowledgeConnection,
  object: Caller<UnitIndexObject>,
  settings: Settings,
  admission: Admission,
): Promise<Reached<Vectors>> {
  const opened = await openKnowledgeStore(connection, settings, makeRemoteEmbeddedIndex(object), admission);
  if (!opened.ok) return opened;
  return opened.value.embedding === 'embedder' && connection.model !== null
    ? { ok: true, value: { ...opened.value, model: connection.model } }
    : indexUnreachableFault('it makes its own vectors');
}

const indexUnreachableFault = (detail: string) =>
  ({ ok: false, fault: { where: 'index', name: namespace, code: 'unreachable', detail } }) as const;
