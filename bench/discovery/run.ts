import { makeCommitOfFinishedRound } from '#core/exploration/commit.ts';
import { explorationConfig, type StrategyName } from '#core/exploration/config.ts';
import { makeRoundUnits } from '#core/exploration/round-units.ts';
import { computeRoundReading } from '#core/exploration/reading.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import { type ExplorationState, initialState } from '#core/exploration/state.ts';
import { transitionNumber } from '#core/exploration/catalog-index.ts';
import { makeRandom } from '#core/values/random.ts';
import type { World } from './world.ts';
import { simulateUnit } from './unit.ts';

export interface RoundSeen {
  readonly state: ExplorationState;
  readonly reading: RoundReading;
  /** Numbers of the true transitions that this round found for the first time. */
  readonly discovered: readonly number[];
}

/** Explores a world round by round with the product's own loop: opening, committing, reading. Never ends by itself; the caller breaks off. */
export function* simulateRoundsEndlessly(world: World, strategy: StrategyName, seed: number): Generator<RoundSeen> {
  const config = explorationConfig.parse({ catalog: world.file.name, strategy, seed, batch: world.file.batch });
  let state = initialState(world.catalog);
  for (let round = 1; ; round++) {
    const outcomes = makeRoundUnits(state, config, round).map((unit) =>
      simulateUnit(world, unit, makeRandom('unit', seed, strategy, unit.id)),
    );
    const commit = makeCommitOfFinishedRound(state, round, outcomes);
    if (commit.kind !== 'committed') throw new Error(`round ${round} was ${commit.kind}`);
    ({ state } = commit);
    yield {
      state,
      reading: computeRoundReading(state, config),
      discovered: commit.discovered.flatMap((pair) => transitionNumber(world.catalog, pair) ?? []),
    };
  }
}
