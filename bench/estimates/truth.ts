import { transitionNumber } from '#core/exploration/catalog-index.ts';
import { initialState } from '#core/exploration/state.ts';
import { defaultSampling } from '#core/exploration/sampling.ts';
import { probeStrategy } from '#core/exploration/strategies.ts';
import { type Random, makeRandom } from '#core/values/random.ts';
import { transitionsOfSuccessfulCalls } from '#core/traces/transitions.ts';
import { newUnit } from '#core/units/progress.ts';
import { simulateUnit } from '../discovery/unit.ts';
import type { World } from '../discovery/world.ts';

/**
 * What fresh probes of a world show; the quantity that `probeCoverage` estimates follows from it for any known
 * transitions.
 */
export interface Truth {
  /** The probability that a probe shows a transition, by the transition's number. */
  readonly perProbe: ReadonlyMap<number, number>;
  /** Mean number of transitions that a probe shows. */
  readonly size: number;
  /**
   * The standard error (0..1; Infinity if no probe showed anything) of a share of one half computed from these, if all
   * transitions of a probe were known or unknown together: `sqrt(mean of size squared / n) / (2 * mean size)` for n
   * probes.
   */
  readonly error: number;
}

/** How many fresh probes determine a truth. */
export interface Sample {
  /** At least this many. */
  readonly least: number;
  /** More if necessary to keep the standard error below this, as when most probes are lost. */
  readonly error: number;
}

const usualSample: Sample = { least: 20_000, error: 0.005 };
/** At most this many, in a world in which almost no probe shows anything. */
const mostProbes = 500_000;

/** Draws and writes probes like the product, and counts what they show. */
export function estimateTransitionRatesPerProbe(
  world: World,
  seed: number,
  { least, error: wanted }: Sample = usualSample,
): Truth {
  const times = new Map<number, number>();
  let probes = 0;
  let shown = 0;
  let squares = 0;
  const error = (): number => (shown === 0 ? Infinity : Math.sqrt(squares) / (2 * shown));
  while (probes < least || (probes < mostProbes && error() >= wanted)) {
    const transitions = drawProbeTransitions(world, makeRandom('fresh', seed, probes));
    for (const transition of transitions) times.set(transition, (times.get(transition) ?? 0) + 1);
    probes += 1;
    shown += transitions.size;
    squares += transitions.size ** 2;
  }
  return {
    perProbe: new Map(Array.from(times, ([transition, count]) => [transition, count / probes])),
    size: shown / probes,
    error: error(),
  };
}

/** The different transitions of one fresh probe. */
function drawProbeTransitions(world: World, random: Random): Set<number> {
  const sampler = probeStrategy.makeSampler(defaultSampling);
  const start = initialState(world.catalog);
  const draws = Array.from({ length: world.file.generator.attempts }, () => ({
    tools: [...sampler(start, random)],
    known: [],
  }));
  const unit = newUnit({ id: 'fresh', round: 1, index: 0, probe: true, lineage: null, draws, relation: 'paraphrase' });
  const pairs = simulateUnit(world, unit, random).traces.flatMap(({ calls }) => transitionsOfSuccessfulCalls(calls));
  return new Set(pairs.flatMap((pair) => transitionNumber(world.catalog, pair) ?? []));
}

/** The probability that a transition of a fresh probe is known, 0..1, as more become known. */
export class KnownShare {
  readonly #truth: Truth;
  #known = 0;

  constructor(truth: Truth) {
    this.#truth = truth;
  }

  /** Marks new transitions as known, and returns the probability with them. */
  addTransitionsAndComputeShare(discovered: Iterable<number>): number {
    for (const transition of discovered) this.#known += this.#truth.perProbe.get(transition) ?? 0;
    return this.#truth.size === 0 ? 0 : Math.min(1, this.#known / this.#truth.size);
  }
}
