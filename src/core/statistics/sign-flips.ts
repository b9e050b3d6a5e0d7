/** Chances below this are given away at the ends, so that many values take little time. */
const negligible = 1e-16;

/** The finest steps in which sizes of values are compared. */
const finestSteps = 20;

/** How the allowed error is spent over the share of the work that is done: more of it early than in proportion. */
const spending = 0.5;

/**
 * Tests at several looks whether the signs of values, such as differences within units, could be chance: whether each value was as
 * likely to have the other sign. If all were, it ever says otherwise with a probability of at most `error`.
 *
 * The sizes of the values are taken as given, and the chance of each sum of values with random signs is computed exactly. A
 * look may use what the share of the work that is done, to the power of one half, allows of the error and earlier looks have left
 * (Lan and DeMets 1983, "Discrete sequential boundaries for clinical trials"). Which values come next may depend on sizes, not on signs.
 */
export class SignFlips {
  readonly #error: number;
  readonly #steps: number;
  /** The chances of the sums that no look has excluded, from `#least` on. */
  #chances = new Float64Array([1]);
  #least = 0;
  #spent = 0;
  #sum = 0;
  #side: -1 | 0 | 1 = 0;

  /** `size` is the largest number of values. */
  constructor(size: number, error: number) {
    this.#error = error;
    this.#steps = Math.max(1, Math.min(finestSteps, Math.floor(4_000 / size)));
  }

  /** The sign that the values have beyond chance; 0 as long as no look has shown one. */
  get side(): -1 | 0 | 1 {
    return this.#side;
  }

  /** Adds a value in -1..1. */
  add(value: number): void {
    const size = Math.round(Math.abs(value) * this.#steps);
    if (size === 0) return;
    this.#sum += Math.sign(value) * size;
    const next = new Float64Array(this.#chances.length + 2 * size);
    for (const [place, chance] of this.#chances.entries()) {
      next[place] = (next[place] ?? 0) + chance / 2;
      next[place + 2 * size] = (next[place + 2 * size] ?? 0) + chance / 2;
    }
    this.#chances = next;
    this.#least -= size;
    this.#keepBelow(this.#findBound(negligible));
  }

  /** Looks at the sum after a share of the work, 0..1, that never falls. */
  look(share: number): void {
    const bound = this.#findBound(Math.max(0, this.#error * share ** spending - this.#spent));
    if (this.#side === 0 && Math.abs(this.#sum) >= bound) this.#side = this.#sum > 0 ? 1 : -1;
    this.#keepBelow(bound);
  }

  /** Returns the least absolute sum from which on all sums together are at most as likely as this. */
  #findBound(allowed: number): number {
    let bound = -this.#least + 1;
    for (let taken = 0; bound > 1; bound -= 1) {
      taken += 2 * (this.#chances[bound - 1 - this.#least] ?? 0);
      if (taken > allowed) break;
    }
    return bound;
  }

  #keepBelow(bound: number): void {
    const cut = -this.#least - bound + 1;
    if (cut <= 0) return;
    for (let place = 0; place < cut; place += 1) this.#spent += 2 * (this.#chances[place] ?? 0);
    this.#chances = this.#chances.slice(cut, this.#chances.length - cut);
    this.#least += cut;
  }
}
