import type { CommandContext } from './context.ts';
import type { Option } from './options.ts';
import { UsageError } from '../../engine/usage-error.ts';

/** A positional word of a verb's line. */
export interface Operand {
  readonly name: string;
  readonly about: string;
  /** Takes all remaining words, at least one. Only the last operand may do so. */
  readonly many?: true;
  /** May be missing, and then all behind it are. */
  readonly optional?: true;
}

/** One verb of the command line. */
export interface Command {
  /** One or two words. */
  readonly verb: string;
  readonly about: string;
  /** Further explanation, for the verb's own help. */
  readonly more?: string;
  readonly operands: readonly Operand[];
  readonly options: readonly Option<unknown>[];
  /** Works without a key, because it reads public data. */
  readonly open?: true;
  run(given: Given, context: CommandContext): Promise<void>;
}

/** A line's values, read through the operands and options of its verb. */
export class Given {
  readonly #words: ReadonlyMap<string, readonly string[]>;
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(words: ReadonlyMap<string, readonly string[]>, values: ReadonlyMap<string, readonly string[]>) {
    this.#words = words;
    this.#values = values;
  }

  /** Returns the value of an option. */
  parseOptionValue<T>(option: Option<T>): T {
    return option.parse(this.#values.get(option.name) ?? []);
  }

  has(option: Option<unknown>): boolean {
    return this.#values.has(option.name);
  }

  firstOperandWordOrThrow(operand: Operand): string {
    const [first] = this.operandWords(operand);
    if (first === undefined) throw new UsageError(`${operand.name} is missing: ${operand.about}`);
    return first;
  }

  operandWords(operand: Operand): readonly string[] {
    return this.#words.get(operand.name) ?? [];
  }
}
