/** What a run at the stand-in of an endpoint came to. */
export interface EndpointRun {
  readonly name: string;
  readonly units: number;
  readonly accepted: number;
  /** Attempts that were evaluated, of how many. */
  readonly native: string;
  readonly prompted: string;
  /** Requests that it took and refused. */
  readonly taken: number;
  readonly refused: number;
  readonly refusals: readonly string[];
  /** What ended the run before its end; empty if nothing did. */
  readonly said: string;
}

const begin = '<!-- runs at endpoints -->';
const end = '<!-- end of runs at endpoints -->';

/** Returns the row of a run in docs/models.md. */
export const rowOf = ({ name, units, accepted, native, prompted, taken, refused, said }: EndpointRun): string =>
  `| ${[name, `${accepted} of ${units}`, native, prompted, `${taken}`, `${refused}`, said].join(' | ')} |`;

/** Returns a page with these rows in its table. Throws if the page has no place for it. */
export function replaceTable(text: string, rows: readonly string[]): string {
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before) throw new Error('the page has no place for the table');
  const head = [
    '| endpoint | units accepted | native: attempts evaluated | prompted: attempts evaluated | requests taken | requests refused | ended by |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ];
  return `${text.slice(0, before + begin.length)}\n${[...head, ...rows].join('\n')}\n${text.slice(after)}`;
}
