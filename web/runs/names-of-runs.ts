import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';

/** Returns by its id what each run is called: its name, or its id if it has none; with the id behind a name that several have. */
export function namesOfRuns(runs: readonly { readonly id: string; readonly name: string }[]): Map<string, string> {
  const shown = runs.map(({ id, name }) => ({ id, name: showHiddenCharacters(name).trim() || id }));
  const byName = Map.groupBy(shown, ({ name }) => name);
  return new Map(
    shown.map(({ id, name }) => [id, (byName.get(name)?.length ?? 0) > 1 ? `${name} (${id})` : name] as const),
  );
}
