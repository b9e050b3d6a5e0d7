import type { LabelledRow } from './labelled-rows.ts';

/** A trait that fewer servers show is a habit of theirs. */
const minServers = 3;
/** Penalties on the sum of the weights' sizes, and on half the sum of their squares. */
const sparsity = 0.0003;
const shrinkage = 0.0006;
const steps = 250;
/** How much more a result counts that its server did not mark: these are the ones that are weighed. */
const unmarkedFactor = 2;

interface Example {
  readonly at: readonly number[];
  readonly sign: 1 | -1;
  readonly weight: number;
}

/**
 * Learns a weight for each trait by logistic regression with both penalties, minimized in accelerated proximal gradient steps
 * (Beck and Teboulle, 2009). A server with n results counts as the square root of n. The same rows give the same weights.
 */
export function learnWeights(rows: readonly LabelledRow[]): Map<string, number> {
  const traits = listSharedTraits(rows);
  const placeOf = new Map(traits.map((trait, index) => [trait, index]));
  const examples = makeExamples(rows, placeOf);
  const rate = 4 / Math.max(...examples.map(({ at }) => at.length));
  const bias = placeOf.get('bias');
  const weights = new Float64Array(traits.length);
  const ahead = new Float64Array(traits.length);
  let momentum = 1;
  for (let step = 0; step < steps; step++) {
    const gradient = gradientOfLoss(examples, ahead);
    const next = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    for (let place = 0; place < traits.length; place++) {
      const from = ahead[place] ?? 0;
      const moved = from - rate * ((gradient[place] ?? 0) + shrinkage * from);
      const shrunk = place === bias ? moved : Math.sign(moved) * Math.max(0, Math.abs(moved) - rate * sparsity);
      ahead[place] = shrunk + ((momentum - 1) / next) * (shrunk - (weights[place] ?? 0));
      weights[place] = shrunk;
    }
    momentum = next;
  }
  return new Map(traits.map((trait, index) => [trait, weights[index] ?? 0]));
}

const listSharedTraits = (rows: readonly LabelledRow[]): string[] => {
  const servers = new Map<string, Set<string>>();
  for (const { server, traits } of rows)
    for (const trait of traits) servers.set(trait, (servers.get(trait) ?? new Set()).add(server));
  return [...servers].filter(([, shown]) => shown.size >= minServers).map(([trait]) => trait);
};

const makeExamples = (rows: readonly LabelledRow[], placeOf: ReadonlyMap<string, number>): Example[] => {
  const sizes = new Map<string, number>();
  for (const { server } of rows) sizes.set(server, (sizes.get(server) ?? 0) + 1);
  const raw = rows.map(({ marked, server }) => (marked ? 1 : unmarkedFactor) / Math.sqrt(sizes.get(server) ?? 1));
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return rows.map(({ traits, error }, row) => ({
    at: traits.flatMap((trait) => placeOf.get(trait) ?? []),
    sign: error ? 1 : -1,
    weight: (raw[row] ?? 0) / total,
  }));
};

const gradientOfLoss = (examples: readonly Example[], weights: Float64Array): Float64Array => {
  const gradient = new Float64Array(weights.length);
  for (const { at, sign, weight } of examples) {
    let margin = 0;
    for (const place of at) margin += weights[place] ?? 0;
    const pull = (-sign * weight) / (1 + Math.exp(sign * margin));
    for (const place of at) gradient[place] = (gradient[place] ?? 0) + pull;
  }
  return gradient;
};
