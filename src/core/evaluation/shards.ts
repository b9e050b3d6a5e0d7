/** A part of an evaluation's work that one workflow instance does, in so many lanes side by side. */
export interface Shard {
  readonly name: string;
  readonly lanes: number;
  /** The case that it is for; without it, it takes whatever waits. */
  readonly only?: string;
}

/** Six requests of an instance may wait at a time, and judging a case takes three. */
const LANES_PER_SHARD = 2;

/** Shards for so many cases at once, as even as they can be. */
export function shardsOf(lanes: number): Shard[] {
  const count = Math.ceil(lanes / LANES_PER_SHARD);
  return Array.from({ length: count }, (_, place) => ({
    name: `shard-${place + 1}`,
    lanes: Math.floor(lanes / count) + (place < lanes % count ? 1 : 0),
  }));
}

/** What an instance that works on a shard is started with. */
export interface ShardParams {
  readonly run: string;
  readonly driver: number;
  readonly shard: Shard;
  /** Counts the instances that the shard has had. */
  readonly leg: number;
}

/** The id of the instance that works on a shard. */
export const shardInstance = ({ run, driver, shard: { name }, leg }: ShardParams): string =>
  `${run}-${driver}-${name}-${leg}`;
