import { normalQuantile } from '../shared/normal-quantile.ts';
import { makeRandom, type Random } from '#core/values/random.ts';
import { worldFile, type WorldFile } from './world-file.ts';

const domains = [
  'browser',
  'finance',
  'health',
  'media',
  'office',
  'science',
  'shopping',
  'social',
  'sports',
  'travel',
  'utilities',
  'weather',
];

/** Maximum true transitions, because more would take too long; 3% of the pairs of 600 tools are fewer. */
const mostTransitions = 12_000;

/**
 * Returns a random world, determined by the seed. Figures are uniform between their bounds, or uniform in their
 * logarithm if ratios matter.
 */
export function drawRandomWorld(seed: number): WorldFile {
  const random = makeRandom('family', seed);
  const servers = drawServers(random);
  const tools = servers.reduce((sum, server) => sum + server.tools, 0);
  const pairs = tools * (tools - 1);
  const shortest = 2 + random.below(3);
  return worldFile.parse({
    name: `family-${seed}`,
    servers,
    transitions: Math.max(1, Math.min(mostTransitions, Math.round(drawLogUniform(random, 0.03, 0.35) * pairs))),
    placement: {
      sameServer: roundToThousandths(drawLogUniform(random, 1, 40)),
      sameDomain: roundToThousandths(drawLogUniform(random, 0.5, 10)),
      cross: 1,
      sigma: roundToThousandths(drawUniform(random, 0, 2)),
    },
    popularity: {
      toolSigma: roundToThousandths(drawUniform(random, 0, 1.5)),
      transitionSigma: roundToThousandths(drawUniform(random, 0, 2)),
    },
    generator: {
      chainLength: [shortest, shortest + random.below(6)],
      knownWeight: roundToThousandths(drawLogUniform(random, 0.1, 1)),
      collapse: roundToThousandths(drawUniform(random, 0.5, 3)),
      attempts: 1 + random.below(4),
    },
    execution: { dropRate: roundToThousandths(drawUniform(random, 0, 0.25)) },
    schemaHint: {
      truePositive: roundToThousandths(drawUniform(random, 0.5, 1)),
      falsePositive: roundToThousandths(drawUniform(random, 0, 0.5)),
    },
    batch: 5 + random.below(16),
  });
}

/** 3 to 60 servers of 1 to 100 tools, lognormal; about 30 to 600 tools in all, of 1 to 12 domains. */
function drawServers(random: Random): WorldFile['servers'] {
  const servers = Math.round(drawLogUniform(random, 3, 60));
  const tools = drawLogUniform(random, 30, 600);
  const fields = domains.slice(0, 1 + random.below(domains.length));
  const sigma = drawUniform(random, 0.3, 1.3);
  const sizes = Array.from({ length: servers }, () => Math.exp(sigma * normalQuantile(drawUniform(random, 1e-9, 1))));
  const sum = sizes.reduce((all, size) => all + size, 0);
  return sizes.map((size) => ({
    domain: fields[random.below(fields.length)] ?? 'utilities',
    tools: Math.max(1, Math.min(100, Math.round((tools * size) / sum))),
  }));
}

const drawUniform = (random: Random, low: number, high: number): number => low + random.next() * (high - low);
const drawLogUniform = (random: Random, low: number, high: number): number => low * (high / low) ** random.next();
const roundToThousandths = (value: number): number => Number(value.toFixed(3));
