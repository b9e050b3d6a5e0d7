/** A unit of a run, with the id that its content gives it. Two runs can have the same unit. */
export interface UnitOfRun {
  readonly id: string;
  readonly exploration: string;
  readonly unit: string;
}

/** A unit that was evolved from another one of its run. */
export interface Descent {
  readonly exploration: string;
  readonly unit: string;
  readonly seed: string;
}

/** The name of each unit's lineage, by the unit's id. */
export type Lineages = ReadonlyMap<string, string>;

/**
 * Returns the lineage of each unit: those that are connected by descents, over any number of generations, also through
 * units that are not among these. A unit that two runs have connects its lineages in both, a recombination those of its
 * two seeds, and a near-duplicate its own with that of its original (`originals`, by its id). A lineage is named by the
 * smallest id in it, so the order of units and descents does not matter.
 */
export function mapUnitsToLineageNames(
  units: readonly UnitOfRun[],
  descents: readonly Descent[],
  originals: ReadonlyMap<string, string>,
): Lineages {
  const groups = new Groups();
  for (const { exploration, unit, seed } of descents)
    groups.joinGroups(makeRunUnitKey({ exploration, unit }), makeRunUnitKey({ exploration, unit: seed }));
  for (const each of units) groups.joinGroups(makeRunUnitKey(each), each.id);
  for (const [duplicate, original] of originals) groups.joinGroups(duplicate, original);
  return groups.mapToSmallestMember(units.map(({ id }) => id));
}

/** Returns all units of the lineages of some units, these among them. */
export function listUnitsOfSameLineages(lineages: Lineages, ids: readonly string[]): Set<string> {
  const named = new Set(ids.map((id) => lineages.get(id)));
  return new Set([...lineages].flatMap(([id, lineage]) => (named.has(lineage) ? [id] : [])));
}

const makeRunUnitKey = ({ exploration, unit }: Omit<UnitOfRun, 'id'>): string => `${exploration}/${unit}`;

/** Disjoint sets of strings, which grow together (union-find with path halving). */
class Groups {
  readonly #parents = new Map<string, string>();

  joinGroups(a: string, b: string): void {
    this.#parents.set(this.#rootOf(a), this.#rootOf(b));
  }

  /** Returns, for each of some members, the smallest of these members that is in the same set. */
  mapToSmallestMember(members: readonly string[]): Map<string, string> {
    const names = new Map<string, string>();
    for (const member of members) {
      const root = this.#rootOf(member);
      const name = names.get(root);
      if (name === undefined || member < name) names.set(root, member);
    }
    return new Map(members.map((member) => [member, names.get(this.#rootOf(member)) ?? member]));
  }

  #rootOf(member: string): string {
    for (let at = member; ;) {
      const parent = this.#parents.get(at) ?? at;
      if (parent === at) return at;
      const next = this.#parents.get(parent) ?? parent;
      this.#parents.set(at, next);
      at = next;
    }
  }
}
