import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { findErrorByRule } from '#core/traces/error-by-rule.ts';
import { listErrorTraits, longChars } from '#core/traces/error-traits.ts';

const labelledResult = z.object({
  /** The npm package; `bundled-...` is a server of the repository, and `written-...` a group of texts that were written by hand. */
  server: z.string(),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  text: z.string(),
  /** Whether the server marked it as an error. */
  marked: z.boolean(),
  /** Whether it is one: as its server says, or as a reader does where the server marked nothing. */
  error: z.boolean(),
  /** Only the beginning of a long text is kept. */
  cut: z.literal(true).optional(),
});

/** A labelled result as it is learned from. */
export interface LabelledRow {
  readonly server: string;
  readonly tool: string;
  readonly text: string;
  readonly marked: boolean;
  readonly error: boolean;
  readonly traits: readonly string[];
  /** Whether a rule says that it is an error. */
  readonly isErrorByRule: boolean;
}

/** Reads labelled results, one a line. */
export const readLabelledRows = (file: string): LabelledRow[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const { arguments: args, cut, ...row } = labelledResult.parse(JSON.parse(line));
      const text = cut === true ? `${row.text}${'.'.repeat(longChars)}` : row.text;
      return {
        ...row,
        traits: listErrorTraits({ text, tool: row.tool, arguments: args }),
        isErrorByRule: findErrorByRule(text, row.tool) !== null,
      };
    });
