/** A field by which values are redacted: all properties of a name, or those at a path from the root. */
type Field =
  | { readonly kind: 'name'; readonly name: string }
  /** Names in lower case; `*` is any property. The items of arrays have the path of their array. */
  | { readonly kind: 'path'; readonly steps: readonly string[] };

const anyProperty = '*';

/** Parses a field: a property's name, or a path such as `$.customers[*].email`; null if it is neither. */
export function parseFieldOrNull(text: string): Field | null {
  const withoutItems = text.replaceAll(/\[(?:\*|\d{1,9})?\]/g, '');
  const isPath = /^\$|[.*]/.test(withoutItems) || withoutItems !== text;
  if (!isPath) return { kind: 'name', name: text.toLowerCase() };
  const steps = withoutItems.replace(/^\$\.?/, '').split('.');
  const isComplete = steps.every((step) => step !== '' && (step === anyProperty || !step.includes(anyProperty)));
  return isComplete ? { kind: 'path', steps: steps.map((step) => step.toLowerCase()) } : null;
}

/** Decides which properties are redacted. Names are compared without regard to case. */
export class Fields {
  readonly #names: ReadonlySet<string>;
  readonly #paths: readonly (readonly string[])[];
  /** The names of properties that a rule names, at any path. */
  readonly #lastNames: ReadonlySet<string>;
  readonly isEmpty: boolean;

  constructor(fields: readonly string[]) {
    const parsed = fields.map(parseFieldOrNull).filter((field) => field !== null);
    // A property may be called like a path.
    const whole = fields.map((text) => text.toLowerCase());
    this.#names = new Set([...whole, ...parsed.flatMap((field) => (field.kind === 'name' ? [field.name] : []))]);
    this.#paths = parsed.flatMap((field) => (field.kind === 'path' ? [field.steps] : []));
    const last = this.#paths.map((steps) => steps.at(-1) ?? '').filter((name) => name !== anyProperty);
    this.#lastNames = new Set([...this.#names, ...last]);
    this.isEmpty = fields.length === 0;
  }

  /** Returns whether the property at this path is redacted; the path ends with its own name. */
  isPathRedacted(path: readonly string[]): boolean {
    const name = path.at(-1)?.toLowerCase() ?? '';
    return (
      this.#names.has(name) ||
      this.#paths.some(
        (steps) =>
          steps.length === path.length &&
          steps.every((step, index) => step === anyProperty || step === path[index]?.toLowerCase()),
      )
    );
  }

  /** Returns whether a rule names such a property at whichever path, for texts whose structure is not known. */
  isNameRedactedAtAnyPath(name: string): boolean {
    return this.#lastNames.has(name.toLowerCase());
  }
}
