import type { Unit } from './unit.ts';

/** Units of one round, or of one phase of a batch, that one workflow instance drives side by side. */
export interface UnitShard {
  /** Tells the shard from all others of the run: a run that goes on anew finds the same shards for the same units. */
  readonly name: string;
  readonly units: readonly string[];
  /** Those of them that one answer of the writer, which sees the whole catalog, is to serve. */
  readonly together: readonly string[];
}

/** A unit waits for one answer at a time, and the platform lets six requests of an instance wait. */
const UNITS_PER_SHARD = 4;

/**
 * Splits units that have work into shards, by their place in the round or batch. Those that one answer of the writer serves stay
 * together. A unit that a person decided on while its round waited has a shard of its own, which the decision may have started.
 */
export function unitShards(
  phase: string,
  units: readonly Pick<Unit, 'id' | 'index' | 'stage' | 'decisions'>[],
  unitsPerAnswer = 1,
): UnitShard[] {
  const size = Math.max(UNITS_PER_SHARD, unitsPerAnswer);
  const decided = units.filter(({ decisions }) => decisions.length > 0);
  const byPlace = Map.groupBy(
    units.filter(({ decisions }) => decisions.length === 0),
    ({ index }) => Math.floor(index / size) + 1,
  );
  return [
    ...decided.map(decidedShard),
    ...Array.from(byPlace, ([place, members]) => ({
      name: `${phase}-${place}`,
      units: members.map(({ id }) => id),
      together: members.flatMap(({ id, stage }) => (stage.kind === 'catalog-pair' ? [id] : [])),
    })),
  ];
}

/** The shard of a unit that a person decided on while its round waited. */
export const decidedShard = ({ id, decisions }: Pick<Unit, 'id' | 'decisions'>): UnitShard => ({
  name: `${id}-decided-${decisions.length}`,
  units: [id],
  together: [],
});

/** What an instance that drives a shard is started with. */
export interface UnitShardParams {
  readonly run: string;
  readonly driver: number;
  /** The round of the units, or the batch of the evolution. */
  readonly round: number;
  /** For variants only: which evolution wrote them, and which phase to drive them to. */
  readonly evolution: { readonly number: number; readonly phase: VariantPhase } | null;
  readonly shard: UnitShard;
  /** Counts the instances that the shard has had. */
  readonly leg: number;
}

/** All variants of a batch are written before any is executed: in between they are compared. */
export type VariantPhase = 'write' | 'execute';

/** The id of the instance that drives a shard. */
export const unitShardInstance = ({ run, driver, evolution, shard: { name }, leg }: UnitShardParams): string =>
  `${run}${evolution === null ? '' : `-e${evolution.number}`}-${driver}-${name}-${leg}`;
