import { makeEndpoint } from '#adapters/model/endpoint.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { Settings } from '#adapters/settings.ts';
import { serverNameOfToolName, type Tool } from '#core/catalog/tool.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { quantizeVectorOrNull } from '#core/similarity/knowledge/quantize-vector.ts';
import type { Governor } from '#core/models/governor/port.ts';
import type { StoredModel } from '#core/models/choices.ts';
import { makeEmbedderName, type StoredRetrieval } from '#core/models/retrieval.ts';
import type { Embedder, FindTools } from '#core/ports.ts';
import { fitByProductOfCosines, listBestFittingTools } from '#core/similarity/retrieval/rank-tools.ts';
import type { Caller } from '../caller.ts';
import type { DrivenEvaluation } from '../called-objects.ts';
import { makeUndoneStageOrRethrow } from './undone-stage.ts';
import { decryptModelConfig } from '#adapters/model/decrypt-model-config.ts';

/** Enough for a hundred vectors of 4,096 numbers as JSON. */
const answerBytes = 16 * 1024 * 1024;

/** What a search for tools needs from its instance. */
export interface SearchServices {
  readonly settings: Settings;
  readonly admission: Admission;
  readonly governors: (name: string) => Governor;
  readonly run: Caller<Pick<DrivenEvaluation, 'embedding'>>;
}

/**
 * Computes and stores some of the vectors that agents search, one request to an embedder that is not among `broken`. Returns the
 * embedder and whether it answered, or until when it rests; null if nothing is missing. Repeating it computes only what is missing.
 */
export async function embedNextTools(
  services: SearchServices,
  driver: number,
  broken: readonly string[],
): Promise<{ readonly embedder: string; readonly answered: boolean; readonly restsUntilMs?: number } | null> {
  const { run } = services;
  const due = await run((object) => object.embedding.findTexts(driver, broken));
  if (due === null) return null;
  const { embedder: stored, texts } = due;
  const name = makeEmbedderName(stored);
  const embedder = await makeEmbedderFromStoredModel(services, stored);
  const answer = await embedder
    .embed(texts.map(({ text }) => text))
    .catch((error: unknown) => makeUndoneStageOrRethrow(error, []));
  if ('kind' in answer) return { embedder: name, answered: false, restsUntilMs: answer.untilMs };
  if (!answer.ok) return { embedder: name, answered: false };
  const vectors = texts.map((each, index) => ({
    name: each.name,
    vector: quantizeVectorOrNull(answer.vectors[index] ?? []) ?? new Int8Array(),
  }));
  await run((object) => object.embedding.store(name, vectors, [answer.call]));
  return { embedder: name, answered: true };
}

async function makeEmbedderFromStoredModel(
  { settings, admission, governors }: Omit<SearchServices, 'run'>,
  stored: StoredModel,
): Promise<Embedder> {
  const fetch = makeGuardedFetch({ admission, allowLocal: settings.ALLOW_LOCAL_SERVERS, maxBytes: answerBytes });
  const { embed } = makeEndpoint('embedder', await decryptModelConfig(settings, 'embedder', stored), {
    admission,
    fetch,
    governors,
  });
  return { embed };
}

/** The vectors of servers and tools of one embedder, by name. */
export type VectorsByName = ReadonlyMap<string, Int8Array>;

/** Reads the vectors of an embedder page by page. */
export async function readVectorsOfEmbedder(
  { run }: Pick<SearchServices, 'run'>,
  stored: StoredModel,
): Promise<VectorsByName> {
  const embedder = makeEmbedderName(stored);
  const found = new Map<string, Int8Array>();
  for (let after = ''; ;) {
    const from = after;
    const { vectors, isLast } = await run((object) => object.embedding.listVectors(embedder, from));
    for (const { name, vector } of vectors) found.set(name, vector);
    const last = vectors.at(-1);
    if (isLast || last === undefined) return found;
    after = last.name;
  }
}

/** Makes the search of one agent: among the mounted tools that it does not see from the start, by the vectors of the whole evaluation. */
export async function makeToolSearch(
  services: Omit<SearchServices, 'run'>,
  { tools: count, shown = [], embedder: stored }: StoredRetrieval,
  vectors: VectorsByName,
): Promise<(mounted: readonly Tool[]) => FindTools> {
  const embedder = await makeEmbedderFromStoredModel(services, stored);
  return (mounted) => {
    const searched = mounted.filter(({ name }) => !shown.includes(name));
    const embedded = searched.flatMap(({ name }) => {
      const [server, tool] = [vectors.get(serverNameOfToolName(name)), vectors.get(name)];
      return server === undefined || tool === undefined ? [] : [{ name, server, tool }];
    });
    return async ({ tool, server }, timeoutMs) => {
      if (embedded.length < searched.length) return { ok: false, fault: missingVectors, calls: [] };
      const answer = await embedder.embed(server === null ? [tool] : [tool, server], timeoutMs);
      const queued = answer.queuedMs === undefined ? {} : { queuedMs: answer.queuedMs };
      if (!answer.ok) return { ...queued, ok: false, fault: answer.fault, calls: [] };
      const [toolVector = [], serverVector = toolVector] = answer.vectors;
      const query = { server: serverVector, tool: toolVector };
      return {
        ...queued,
        ok: true,
        tools: listBestFittingTools(query, embedded, count, fitByProductOfCosines),
        calls: [answer.call],
      };
    };
  };
}

const missingVectors: InfrastructureFault = {
  where: 'model',
  name: 'embedder',
  code: 'unreachable',
  detail: 'the embedder did not compute the vectors of the tools when the run started',
};
