/** A part of an evaluation's work that one workflow instance does, in parallel lanes. */
export interface Shard {
  readonly name: string;
  readonly lanes: number;
  /** The only case for it; absent if it takes any. */
  readonly only?: string;
}

/** An instance may have six waiting requests, and judging a case takes three. */
const lanesPerShard = 2;

/** Splits a number of parallel cases into shards as evenly as possible. */
export function splitLanesIntoShards(lanes: number): Shard[] {
  const count = Math.ceil(lanes / lanesPerShard);
  return Array.from({ length: count }, (_, place) => ({
    name: `shard-${place + 1}`,
    lanes: Math.floor(lanes / count) + (place < lanes % count ? 1 : 0),
  }));
}

/** The parameters of an instance that works on a shard. */
export interface ShardParams {
  readonly run: string;
  readonly driver: number;
  readonly shard: Shard;
  /** Counts the instances of the shard. */
  readonly leg: number;
}

/** Returns the id of the instance that works on a shard. */
export const shardInstanceId = ({ run, driver, shard: { name }, leg }: ShardParams): string =>
  `${run}-${driver}-${name}-${leg}`;
