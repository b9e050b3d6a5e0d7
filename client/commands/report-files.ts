import type { Given } from '../command-line/command.ts';
import { optionalOption, parseNonEmptyText, type Option } from '../command-line/options.ts';
import { requireWritable, writeFileAtomically } from '../files/atomic-file.ts';

type FileOption = Option<string | undefined>;

/** Files that a verb writes besides its output. */
export const markdownOption: FileOption = optionalOption(
  'markdown',
  'FILE',
  'where a comment for a pull request goes',
  parseNonEmptyText,
);
export const junitOption: FileOption = optionalOption('junit', 'FILE', 'where a JUnit report goes', parseNonEmptyText);
export const htmlOption: FileOption = optionalOption(
  'html',
  'FILE',
  'where one HTML file goes, which loads and runs nothing',
  parseNonEmptyText,
);

/** Throws if a file that a line names cannot be written, before the work is done whose result goes there. */
export async function requireWritableReportFiles(given: Given, options: readonly FileOption[]): Promise<void> {
  for (const option of options) {
    const file = given.parseOptionValue(option);
    if (file !== undefined) await requireWritable(file);
  }
}

/** Writes those of the reports for which a line names a file. */
export async function writeReportFiles(
  given: Given,
  reports: readonly (readonly [option: FileOption, format: () => string | Promise<string>])[],
): Promise<void> {
  for (const [option, format] of reports) {
    const file = given.parseOptionValue(option);
    if (file !== undefined) await writeFileAtomically(file, [await format()]);
  }
}
