import { cutVisibleText, showHiddenCharacters } from '#core/leaderboards/visible-text.ts';

/** Characters of a name; a legend has to hold it. */
const longestName = 40;

/**
 * Returns by its id what each run is called: its name, cut after 40 characters, or its id if it has none; with the id behind a name
 * that several have.
 */
export function namesOfRuns(runs: readonly { readonly id: string; readonly name: string }[]): Map<string, string> {
  const shown = runs.map(({ id, name }) => ({
    id,
    name: cutVisibleText(showHiddenCharacters(name).trim(), longestName) || id,
  }));
  const byName = Map.groupBy(shown, ({ name }) => name);
  return new Map(
    shown.map(({ id, name }) => [id, (byName.get(name)?.length ?? 0) > 1 ? `${name} (${id})` : name] as const),
  );
}
