import { neighbouringToolPairs } from '#core/traces/transitions.ts';
import { hasSameTools } from '#core/similarity/same-tools.ts';

/** An accepted unit that is no near-duplicate of another: it belongs to the benchmark and may be a seed. */
export interface KeptUnit {
  readonly unit: string;
  readonly chain: readonly string[];
  /** Domains of the chain's tools, each once. */
  readonly domains: readonly string[];
  /** How many variants were started from it. */
  readonly uses: number;
}

/** The kept units, and how many of them expect each transition and have each domain. */
export class KeptUnits {
  readonly #units = new Map<string, KeptUnit>();
  readonly #transitions = new Map<string, number>();
  readonly #domains = new Map<string, number>();

  constructor(units: Iterable<KeptUnit>) {
    for (const unit of units) this.addUnitOrUpdateUses(unit);
  }

  get size(): number {
    return this.#units.size;
  }

  get units(): readonly KeptUnit[] {
    return [...this.#units.values()];
  }

  hasUnit(unit: string): boolean {
    return this.#units.has(unit);
  }

  /** Adding a unit again changes only its uses. */
  addUnitOrUpdateUses(unit: KeptUnit): void {
    const known = this.#units.get(unit.unit);
    this.#units.set(unit.unit, known === undefined ? unit : { ...known, uses: unit.uses });
    if (known !== undefined) return;
    for (const key of distinctTransitionKeysOfChain(unit.chain))
      this.#transitions.set(key, (this.#transitions.get(key) ?? 0) + 1);
    for (const domain of unit.domains) this.#domains.set(domain, (this.#domains.get(domain) ?? 0) + 1);
  }

  /** Removes a unit; ignores an unknown one. */
  removeUnit(unit: string): void {
    const known = this.#units.get(unit);
    if (known === undefined) return;
    this.#units.delete(unit);
    for (const key of distinctTransitionKeysOfChain(known.chain))
      this.#transitions.set(key, (this.#transitions.get(key) ?? 0) - 1);
    for (const domain of known.domains) this.#domains.set(domain, (this.#domains.get(domain) ?? 0) - 1);
  }

  /** Returns the kept units that expect exactly these tools, in any order. */
  listUnitsWithExactTools(tools: readonly string[]): string[] {
    return this.units.filter(({ chain }) => hasSameTools(chain, tools)).map(({ unit }) => unit);
  }

  /** Returns how many kept units expect a transition. */
  countUnitsWithTransition(from: string, to: string): number {
    return this.#transitions.get(transitionKey(from, to)) ?? 0;
  }

  /**
   * Returns how rare a unit's content is, 0..2: the mean of 1/n over its transitions plus that over its domains, if n
   * kept units have the same. The rarest parts of the set come first.
   */
  computeRarity({ chain, domains }: Pick<KeptUnit, 'chain' | 'domains'>): number {
    return (
      meanOfInverses(distinctTransitionKeysOfChain(chain).map((key) => this.#transitions.get(key) ?? 0)) +
      meanOfInverses(domains.map((domain) => this.#domains.get(domain) ?? 0))
    );
  }
}

const transitionKey = (from: string, to: string): string => `${from}\n${to}`;

const distinctTransitionKeysOfChain = (chain: readonly string[]): string[] => [
  ...new Set(neighbouringToolPairs(chain).map(([from, to]) => transitionKey(from, to))),
];

const meanOfInverses = (counts: readonly number[]): number =>
  counts.length === 0 ? 0 : counts.reduce((sum, count) => sum + 1 / Math.max(1, count), 0) / counts.length;
