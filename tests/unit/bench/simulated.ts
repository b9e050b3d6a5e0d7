import type { Draw, Unit } from '#core/units/unit.ts';
import { newUnit } from '#core/units/progress.ts';
import { worldFile, type WorldFile } from '../../../bench/discovery/world-file.ts';

/** Two servers of two tools and one of one in two domains, with 8 of 20 pairs true; given values replace these. */
export const smallFile = (over: Partial<WorldFile> = {}): WorldFile =>
  worldFile.parse({
    name: 'small',
    servers: [
      { domain: 'travel', tools: 2 },
      { domain: 'travel', tools: 2 },
      { domain: 'finance', tools: 1 },
    ],
    transitions: 8,
    placement: { sameServer: 3, sameDomain: 2, cross: 1, sigma: 1 },
    popularity: { toolSigma: 0.5, transitionSigma: 0.5 },
    generator: { chainLength: [2, 4], knownWeight: 0.25, collapse: 1.5, attempts: 2 },
    execution: { dropRate: 0 },
    schemaHint: { truePositive: 0.8, falsePositive: 0.2 },
    batch: 4,
    ...over,
  });

/** A unit that may be written from these candidate sets, one after the other. */
export const unitOf = (...draws: Draw[]): Unit =>
  newUnit({ id: 'r0001-u00', round: 1, index: 0, probe: false, lineage: null, draws, relation: 'paraphrase' });
