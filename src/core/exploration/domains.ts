import { type CatalogIndex, toolsOfTransitionNumber } from './catalog-index.ts';
import { makeDraft, lookUpInDraftOrItsTable, tableWithDraftChanges, type Table } from './table.ts';

/** The executed transitions from one domain to another. */
export interface DomainCount {
  readonly from: string;
  readonly to: string;
  /** Distinct transitions. */
  readonly transitions: number;
  /** The sum of their units. */
  readonly observations: number;
}

/** The units that executed a transition, before and after. */
export interface ExecutedChange {
  readonly number: number;
  readonly before: number;
  readonly after: number;
}

/** Returns the heat map after transitions were executed in more units. */
export const domainHeatMapAfterTransitions = (
  domains: Table<string, DomainCount>,
  catalog: CatalogIndex,
  changes: Iterable<ExecutedChange>,
): Table<string, DomainCount> => {
  const draft = makeDraft(domains);
  for (const { number, before, after } of changes) {
    const pair = toolsOfTransitionNumber(catalog, number);
    if (!pair || after === before) continue;
    const [from, to] = [pair[0].domain, pair[1].domain];
    // A line break separates the two names, because a domain's name has none.
    const key = `${from}\n${to}`;
    const count = lookUpInDraftOrItsTable(draft, key);
    draft.changed.set(key, {
      from,
      to,
      transitions: (count?.transitions ?? 0) + (before === 0 ? 1 : 0),
      observations: (count?.observations ?? 0) + after - before,
    });
  }
  return tableWithDraftChanges(draft);
};
