import type { Lineages } from '#core/benchmarks/lineages.ts';
import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { agentBasisOrEmpty, type ResultsBasis, type ResultUnit } from '#core/evaluation/results-basis.ts';
import { unitValueAtOrNull } from '#core/evaluation/agent-figures.ts';
import type { ScorerKey } from '#core/evaluation/scorers.ts';
import { stratifiedDifferenceWithChance } from '#core/statistics/stratified.ts';
import { makeRandom } from '#core/values/random.ts';
import type { Finding } from './submissions/findings.ts';

/**
 * A difference between the splits that chance causes in at most this share of the agents that cannot tell them is shown to a
 * moderator: one honest agent in a thousand.
 */
const chanceLevel = 0.001;

/** How an agent does on public and on private units that are alike. */
export interface SplitDifference {
  readonly scorer: ScorerKey;
  /** Units that have a counterpart in the other split; those of a lineage that are alike count as one. */
  readonly units: { readonly public: number; readonly private: number };
  /** Their means; the private one is weighted like the public one. */
  readonly means: { readonly public: number; readonly private: number };
  /** The probability of a difference of at least this size, in either direction, if the splits were drawn again. */
  readonly chance: number;
}

interface Placed {
  readonly alike: string;
  readonly value: number;
  readonly isPrivate: boolean;
}

/**
 * Compares an agent's success, or the headline where there is no verdict, on the public and on the private units that are alike in the
 * length of their chain, the number of their servers, their kind and their level. Null if no unit has a counterpart.
 */
export function compareSplitsOrNull(
  agent: string,
  open: ResultsBasis,
  closed: ResultsBasis,
  lineages: Lineages,
): SplitDifference | null {
  const { verdict, headline } = getProtocol(open.protocol);
  const scorer = verdict ?? headline;
  const placed = [
    ...listPlacedValues(agent, open, scorer, lineages, false),
    ...listPlacedValues(agent, closed, scorer, lineages, true),
  ];
  const strata = Array.from(
    Map.groupBy(placed, ({ alike }) => alike),
    ([, own]) => ({
      a: own.filter(({ isPrivate }) => !isPrivate).map(({ value }) => value),
      b: own.filter(({ isPrivate }) => isPrivate).map(({ value }) => value),
    }),
  );
  const found = stratifiedDifferenceWithChance(strata, makeRandom(closed.seed, 'splits', agent));
  return found === null
    ? null
    : {
        scorer,
        units: { public: found.sizes.a, private: found.sizes.b },
        means: { public: found.means.a, private: found.means.b },
        chance: found.chance,
      };
}

/** One value for the units of a lineage that are alike: what an agent does in one of them, it mostly does in the others. */
function listPlacedValues(
  agent: string,
  basis: ResultsBasis,
  scorer: ScorerKey,
  lineages: Lineages,
  isPrivate: boolean,
): Placed[] {
  const { figures } = agentBasisOrEmpty(basis, agent);
  const units = new Map(basis.units.map((unit) => [unit.id, unit]));
  const values = figures.units.flatMap((id, place) => {
    const [unit, value] = [units.get(id), unitValueAtOrNull(figures, scorer, place)];
    return unit === undefined || value === null
      ? []
      : [{ alike: likenessKey(unit), lineage: lineages.get(id) ?? id, value }];
  });
  const groups = Map.groupBy(values, ({ alike, lineage }) => `${alike} ${lineage}`);
  return Array.from(groups.values(), (own) => ({
    alike: own[0]?.alike ?? '',
    value: own.reduce((sum, { value }) => sum + value, 0) / own.length,
    isPrivate,
  }));
}

/** Units with the same key are alike. */
function likenessKey({ chain, servers = [], looksLike, level }: ResultUnit): string {
  const used = new Set([...chain.map(serverNameOfToolName), ...servers]);
  return [chain.length, used.size, looksLike === undefined ? 'tools' : 'no tool', level ?? ''].join('/');
}

/** Returns a finding if an agent does otherwise on private units than on public ones that are alike, beyond chance. */
export function findingsOfSplitDifference(found: SplitDifference | null): Finding[] {
  if (found === null || found.chance > chanceLevel) return [];
  const { scorer, units, means, chance } = found;
  return [
    {
      kind: 'split-difference',
      where: `${scorer} ${means.public.toFixed(3)} on ${units.public} public units, ${means.private.toFixed(3)} on ${units.private} private ones that are alike; chance ${chance.toPrecision(2)}`,
      message: 'the agent does otherwise on private units than on public ones that are alike, beyond chance',
    },
  ];
}
