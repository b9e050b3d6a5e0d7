import { z } from 'zod';
import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import { tool } from '#core/catalog/tool.ts';
import { argumentOrigin, type ArgumentOrigin } from '#core/units/answers.ts';
import { makeRandom, sample } from '#core/values/random.ts';
import { listUsedFacts } from '#core/units/grounding.ts';
import { dependenciesText } from '#core/scoring/dependencies.ts';
import { relationKind } from '#core/units/relation-kinds.ts';
import { isNegativePair } from '#core/units/negative.ts';
import { lineage, type Unit } from '#core/units/unit.ts';
import { embedderCalibration } from '#core/similarity/calibrate-embedder.ts';
import { chainSteps, unwitnessedStepsProvenElsewhere, witness } from '#core/units/witness.ts';
import type { UnitTruth } from '#core/scoring/scorer.ts';
import type { UnitKind } from './protocols/protocol.ts';
import { defaultProtocol, getProtocol, protocolKey, type ProtocolKey } from './protocols/protocols.ts';
import { pairFormat, taskFormat } from './file-formats.ts';
import { split } from '#core/units/split.ts';
import { convertUnitToTask } from './task-of-unit.ts';
import { taskUnit, type TaskUnit, computeTaskUnitId, unitIdText } from '#core/units/task-unit.ts';

/** A passage that settles what words of both requests mean; `score` is its cosine to the query that found it. */
const benchmarkFact = z.strictObject({
  id: z.string().max(200),
  text: z.string().max(16_000),
  source: z.string().max(500),
  licence: z.string().max(500).nullable(),
  score: z.number(),
  relevance: z.number().min(0).max(1),
  name: z.string().max(200),
  settles: z.string().max(500),
  quote: z.string().max(500),
});

/** A unit with two requests of one intent. */
export const pairUnit = z.strictObject({
  /** Absent in files: units were pairs before there were others. */
  kind: z.literal('pair').optional(),
  id: unitIdText,
  split,
  source: z.string().min(1).max(4_000),
  followUp: z.string().min(1).max(4_000),
  /** Empty for a negative unit, which no tool fits. */
  chain: z.array(z.string().min(3).max(300)).max(20),
  /** Set for a negative unit, and for no other: the tool that its requests seem to ask for. */
  looksLike: z.string().min(3).max(300).optional(),
  arguments: z.array(argumentOrigin).max(200),
  /** The facts that the requests need, with what each settles. */
  facts: z.array(benchmarkFact).max(10),
  /** The critic's last grades, 0..100. */
  semanticEquivalence: z.number().min(0).max(100),
  parameterSolvability: z.number().min(0).max(100),
  /** Which steps of the chain the base agent carried out; absent in files of earlier releases. */
  witness: witness.optional(),
  /**
   * The steps that the base agent did not carry out here, but whose tool has a success elsewhere in the exploration;
   * absent if there are none. A unit is proven if each step of its chain is here or in its witness.
   */
  provenElsewhere: chainSteps.min(1).optional(),
  /** How its requests differ; absent in files of earlier releases. */
  relation: relationKind.optional(),
  provenance: z.strictObject({
    exploration: z.string().max(100),
    unit: z.string().max(100),
    round: z.int().min(1),
    models: z.record(z.string(), z.string()),
    prompts: z.array(z.string()),
    harness: z.string(),
    /** Set for variants. Optional, so that files from before evolution can still be read. */
    lineage: lineage.optional(),
  }),
});
export type PairUnit = z.infer<typeof pairUnit>;

/**
 * One unit of a benchmark. Its id is a hash of what it asks and expects, so the same unit has the same id everywhere.
 */
export const benchmarkUnit = z
  .discriminatedUnion('kind', [pairUnit, taskUnit])
  .refine((unit) => unit.kind === 'task' || (unit.chain.length === 0) === (unit.looksLike !== undefined), {
    message: 'a pair has a chain, or `looksLike` if no tool fits it, and not both',
    path: ['chain'],
  });
export type BenchmarkUnit = z.infer<typeof benchmarkUnit>;

/** The first line, which describes the whole. */
export const benchmarkHeader = z.strictObject({
  type: z.literal('benchmark'),
  format: z.union([z.literal(pairFormat), z.literal(taskFormat)]),
  /** How its units are evaluated; absent if they are pairs. */
  protocol: protocolKey.optional(),
  name: z.string().max(200),
  /** `all`, or `public` if the private units are left out. */
  split: z.enum(['all', 'public']),
  catalog: z.string().max(100),
  explorations: z.array(z.string().max(100)).max(100),
  seed: z.int().min(0),
  privateShare: z.number().min(0).lt(1),
  offline: z.boolean(),
  /** How many units the sample was drawn from; absent if it has all of them. */
  sampledFrom: z.int().min(1).optional(),
  /** How many of its units are not proven (see `isEveryStepProven`); absent in files of earlier releases, of whose units nobody knows. */
  unproven: z.int().min(0).optional(),
  /** How many accepted units were left out because they are not proven. */
  unprovenLeftOut: z.int().min(0).optional(),
  /**
   * How many units were left out because they are near-duplicates of one that it has, or that its sample was drawn from;
   * absent in files of earlier releases, which compared units only in evolutions.
   */
  nearDuplicatesLeftOut: z.int().min(0).optional(),
  /** How many units were compared by their words alone, because the embedder could not be reached or is unfit. */
  comparedByWords: z.int().min(0).optional(),
  /** How the embedder was calibrated that compared units; absent if words and tools told all of them apart. */
  comparedWith: embedderCalibration.optional(),
  tools: z.int().min(1),
  units: z.int().min(1),
});
export type BenchmarkHeader = z.infer<typeof benchmarkHeader>;

/** A line of a benchmark's file: the header first, then the tools, then the units. */
export const benchmarkLine = z.discriminatedUnion('type', [
  benchmarkHeader,
  z.strictObject({ type: z.literal('tool'), tool }),
  z.strictObject({ type: z.literal('unit'), unit: benchmarkUnit }),
]);
export type BenchmarkLine = z.infer<typeof benchmarkLine>;

/** A benchmark in a list. */
export const benchmarkRecord = benchmarkHeader.omit({ type: true }).extend({
  id: z.string(),
  publicUnits: z.int(),
  privateUnits: z.int(),
  createdAt: z.string(),
});
export type BenchmarkRecord = z.infer<typeof benchmarkRecord>;

/** A unit before it is decided who may see it. */
export const unsplitUnit = z.discriminatedUnion('kind', [
  pairUnit.omit({ split: true }),
  taskUnit.omit({ split: true }),
]);
export type UnsplitUnit = z.infer<typeof unsplitUnit>;

/** A unit that a run offers to benchmarks. */
export interface AcceptedUnit {
  /** Its id in the run, which is the cursor after it. */
  readonly cursor: string;
  readonly unit: UnsplitUnit;
  /** Whether an earlier benchmark holds it out. */
  readonly withheld: boolean;
}

/** Maximum accepted units of a benchmark, so that the data for drawing and splitting fits into memory. */
export const mostFrozenUnits = 50_000;

/** Whether a benchmark keeps accepted units of whose chain some tool has never had a success. */
export const unprovenUnits = z.enum(['leave-out', 'keep']);
export type UnprovenUnits = z.infer<typeof unprovenUnits>;

export interface FreezeRequest {
  readonly name: string;
  /** Runs over one catalog, in the order in which their units are taken. */
  readonly explorations: readonly string[];
  readonly seed: number;
  /** Share of private units, from 0 to below 1. */
  readonly privateShare: number;
  /** How many units to draw; default all. */
  readonly sample?: number | undefined;
  /** What happens to accepted units that are not proven. */
  readonly unproven: UnprovenUnits;
  readonly at: string;
}

/** Returns the id of a unit: `u_` and 24 hex digits of the SHA-256 of what it asks and expects. */
export const computeUnitIdFromContent = (unit: BenchmarkUnit): Promise<string> =>
  unit.kind === 'task' ? computeTaskUnitId(unit) : computePairUnitId(unit);

/** Returns the id of a pair: `u_` and 24 hex digits of the SHA-256 of its requests, its chain, and the tool that a negative one looks like. */
export async function computePairUnitId(
  unit: Pick<PairUnit, 'source' | 'followUp' | 'chain' | 'looksLike'>,
): Promise<string> {
  const { source, followUp, chain, looksLike } = unit;
  const content = { source, followUp, chain, ...(looksLike === undefined ? {} : { looksLike }) };
  return `u_${(await sha256Hex(canonicalJson(content))).slice(0, 24)}`;
}

/**
 * Returns what a benchmark keeps of an accepted unit; null if it was not accepted. `hasSuccess` says whether a tool has
 * a success anywhere in the exploration.
 */
export async function makeBenchmarkUnitIfAccepted(
  unit: Unit,
  exploration: { readonly id: string; readonly harness: string; readonly hasSuccess: (tool: string) => boolean },
): Promise<UnsplitUnit | null> {
  const audit = unit.audits.at(-1);
  if (unit.stage.kind !== 'done' || unit.stage.status !== 'accepted' || unit.pair === null || audit === undefined)
    return null;
  const { source, followUp, chain, arguments: origins, looksLike } = unit.pair;
  const written = unit.relation?.written ?? null;
  const provenElsewhere = unwitnessedStepsProvenElsewhere(chain, unit.witness, exploration.hasSuccess);
  const proof = {
    ...(unit.witness === null ? {} : { witness: unit.witness }),
    ...(provenElsewhere.length === 0 ? {} : { provenElsewhere }),
  };
  const made = {
    round: unit.round,
    models: unit.models,
    prompts: unit.prompts,
    harness: exploration.harness,
    ...(unit.lineage === null ? {} : { lineage: unit.lineage }),
  };
  if (unit.task !== null) return convertUnitToTask(unit, unit.pair, { exploration: exploration.id, proof, made });
  return {
    id: await computePairUnitId(unit.pair),
    source,
    followUp,
    chain,
    ...(looksLike === undefined ? {} : { looksLike }),
    arguments: origins,
    facts: listUsedFacts(unit),
    semanticEquivalence: audit.semanticEquivalence,
    parameterSolvability: audit.parameterSolvability,
    ...proof,
    ...(written === null ? {} : { relation: written }),
    provenance: { exploration: exploration.id, unit: unit.id, ...made },
  };
}

/** Draws a number of units by seed, keeping their order; all if there are no more. Copies count as one unit. */
export function drawDistinctUnitsInOrder<U extends { readonly id: string }>(
  units: readonly U[],
  seed: number,
  wanted: number | undefined,
): U[] {
  const unique = [...new Map(units.map((unit) => [unit.id, unit])).values()];
  if (wanted === undefined || wanted >= unique.length) return unique;
  const byId = unique.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const drawn = new Set(sample(makeRandom(seed, 'benchmark'), byId, wanted));
  return unique.filter((unit) => drawn.has(unit));
}

/** The start of a file's chained hash. */
export const emptyHashChain = '';

/** Returns the chained hash after one more line, in canonical JSON. */
export const extendHashChain = (before: string, canonicalLine: string): Promise<string> =>
  sha256Hex(`${before}\n${canonicalLine}`);

/** Returns the id of a benchmark with this hash of its lines: the same content gives the same id. */
export const benchmarkIdFromHash = (hash: string): string => `bm_${hash.slice(0, 32)}`;

/** Returns where the arguments of a unit's chain come from; empty if nobody says. */
export const argumentOriginsOfUnit = (
  unit: Pick<PairUnit, 'kind' | 'arguments'> | Pick<TaskUnit, 'kind' | 'arguments'>,
): readonly ArgumentOrigin[] => unit.arguments ?? [];

/**
 * Returns what has to be known before what in a unit, in words: as a task states it, and for a pair from the arguments that take
 * fields of earlier results. Empty if nobody says.
 */
export const dependenciesTextOfUnit = (unit: BenchmarkUnit): string =>
  unit.kind === 'task' ? (unit.dependencies ?? '') : dependenciesText(unit.chain, unit.arguments);

/** Returns what a unit states as right; undefined if it states nothing. */
export const unitTruthIfTask = (
  unit: Pick<PairUnit, 'kind'> | Pick<TaskUnit, 'kind' | 'truth' | 'checks'>,
): UnitTruth | undefined => (unit.kind === 'task' ? unit : undefined);

/** Returns whether no tool of the catalog fits what a unit asks for, so that an agent should call none and say so. */
export const isNegativeBenchmarkUnit = (unit: Pick<PairUnit, 'kind' | 'looksLike'> | Pick<TaskUnit, 'kind'>): boolean =>
  unit.kind !== 'task' && isNegativePair(unit);

/** Returns the kind of a unit. */
export const unitKindOf = ({ kind }: Pick<BenchmarkUnit, 'kind'>): UnitKind => kind ?? 'pair';

/** Returns the protocol of a benchmark whose evaluation names none. */
export const protocolOfBenchmarkOrDefault = ({ protocol }: Pick<BenchmarkHeader, 'protocol'>): ProtocolKey =>
  protocol ?? defaultProtocol;

/** Returns why a header contradicts itself; null if it does not. */
export function findFormatProtocolContradiction(header: Pick<BenchmarkHeader, 'format' | 'protocol'>): string | null {
  const protocol = protocolOfBenchmarkOrDefault(header);
  const wanted = getProtocol(protocol).unitKind === 'task' ? taskFormat : pairFormat;
  return header.format === wanted ? null : `units of the protocol ${protocol} have format ${wanted}`;
}
