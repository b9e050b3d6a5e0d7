import type { Unit } from './unit.ts';

/** Units of one round, or of one phase of a batch, that one workflow instance drives in parallel. */
export interface UnitShard {
  /** Identifies the shard within the run: a resumed run gets the same shards for the same units. */
  readonly name: string;
  readonly units: readonly string[];
  /** Units that share one answer of a writer that sees the whole catalog. */
  readonly together: readonly string[];
}

/** A unit waits for one answer at a time, and the platform allows six waiting requests per instance. */
const unitsPerShard = 6;

/**
 * Splits units with work into shards by their position in the round or batch. Units that share one answer of the writer
 * stay together. A unit on which a person decided while its round waited has its own shard, which the decision may have
 * started.
 */
export function makeUnitShards(
  phase: string,
  units: readonly Pick<Unit, 'id' | 'index' | 'stage' | 'decisions'>[],
  unitsPerAnswer = 1,
): UnitShard[] {
  const size = unitsPerAnswer === 1 ? unitsPerShard : unitsPerAnswer;
  const decided = units.filter(({ decisions }) => decisions.length > 0);
  const byPlace = Map.groupBy(
    units.filter(({ decisions }) => decisions.length === 0),
    ({ index }) => Math.floor(index / size) + 1,
  );
  return [
    ...decided.map(makeShardOfDecidedUnit),
    ...Array.from(byPlace, ([place, members]) => ({
      name: `${phase}-${place}`,
      units: members.map(({ id }) => id),
      together: members.flatMap(({ id, stage }) => (stage.kind === 'catalog-pair' ? [id] : [])),
    })),
  ];
}

/** Returns the shard of a unit that a person decided on while its round waited. */
export const makeShardOfDecidedUnit = ({ id, decisions }: Pick<Unit, 'id' | 'decisions'>): UnitShard => ({
  name: `${id}-decided-${decisions.length}`,
  units: [id],
  together: [],
});

/** The parameters of an instance that drives a shard. */
export interface UnitShardParams {
  readonly run: string;
  readonly driver: number;
  /** The round of the units, or the batch of the evolution. */
  readonly round: number;
  /** For variants only: which evolution wrote them, and which phase to drive them to. */
  readonly evolution: { readonly number: number; readonly phase: VariantPhase } | null;
  readonly shard: UnitShard;
  /** Counts the instances of the shard. */
  readonly leg: number;
}

/** All variants of a batch are written before any is executed, because they are compared in between. */
export type VariantPhase = 'write' | 'execute';

/**
 * Returns the phase in which a variant has work; null if it has none. A variant that is reworded because of its
 * execution stays in the phase of executions.
 */
export function findPhaseOfVariantOrNull({
  stage,
  earlierExecution,
}: Pick<Unit, 'stage' | 'earlierExecution'>): VariantPhase | null {
  if (stage.kind === 'done' || stage.kind === 'distinct') return null;
  return stage.kind === 'execution' || earlierExecution !== null ? 'execute' : 'write';
}

/** Returns the id of the instance that drives a shard. */
export const unitShardInstanceId = ({ run, driver, evolution, shard: { name }, leg }: UnitShardParams): string =>
  `${run}${evolution === null ? '' : `-e${evolution.number}`}-${driver}-${name}-${leg}`;
