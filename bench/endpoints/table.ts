/** What a run at the stand-in of an endpoint came to. */
export interface EndpointRun {
  readonly name: string;
  /** Units of the exploration; `dropped` are the dropped and the lost ones together. */
  readonly accepted: number;
  readonly rejected: number;
  readonly dropped: number;
  /** Attempts that were evaluated, of how many. */
  readonly native: string;
  readonly prompted: string;
  /** Requests that it took and refused. */
  readonly taken: number;
  readonly refused: number;
  readonly refusals: readonly string[];
  /** Why it paused or ended early; empty if it did not. */
  readonly said: string;
}

/** Returns the row of a run in docs/models.md. */
export const endpointTableRow = (run: EndpointRun): string => {
  const { name, accepted, rejected, dropped, native, prompted, taken, refused, said } = run;
  const units = `${accepted} of ${accepted + rejected + dropped}`;
  return `| ${[name, units, rejected, dropped, native, prompted, taken, refused, said].join(' | ')} |`;
};

/** Returns a page with these rows in one of its tables. Throws if the page has no place for it. */
export function pageWithTableReplaced(
  text: string,
  table: 'runs at endpoints' | 'runs in trouble',
  rows: readonly string[],
): string {
  const begin = `<!-- ${table} -->`;
  const [before, after] = [text.indexOf(begin), text.indexOf(`<!-- end of ${table} -->`)];
  if (before < 0 || after < before) throw new Error(`the page has no place for the ${table}`);
  const head = [
    `| ${table === 'runs in trouble' ? 'trouble' : 'endpoint'} | units accepted | rejected | dropped | native: attempts evaluated | prompted: attempts evaluated | requests taken | requests refused | what the run said |`,
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  ];
  return `${text.slice(0, before + begin.length)}\n${[...head, ...rows].join('\n')}\n${text.slice(after)}`;
}
