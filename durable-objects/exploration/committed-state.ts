import { makeCatalogIndex, type CatalogIndex } from '#core/exploration/catalog-index.ts';
import type { ExplorationConfig } from '#core/exploration/config.ts';
import { makeSchemaHint } from '#core/exploration/hint/schema-hint.ts';
import { findNearSiblings } from '#core/exploration/near-siblings.ts';
import { rebuildStateFromRows } from '#core/exploration/rows.ts';
import { initialState, type ExplorationState } from '#core/exploration/state.ts';
import { strategies } from '#core/exploration/strategies.ts';
import type { ExplorationStore } from './exploration-store.ts';

/** What a run has learned up to its last committed round: read from storage once, then cached while the object lives. */
export class CommittedState {
  readonly #store: ExplorationStore;
  readonly #config: () => Pick<ExplorationConfig, 'strategy' | 'siblingUnits'>;
  #state: ExplorationState | null = null;

  constructor(store: ExplorationStore, config: () => Pick<ExplorationConfig, 'strategy' | 'siblingUnits'>) {
    this.#store = store;
    this.#config = config;
  }

  get state(): ExplorationState {
    if (this.#state !== null) return this.#state;
    const catalog = this.#makeCatalogIndex();
    const rows = this.#store.readCommittedStateRows();
    this.#state = rows === null ? initialState(catalog) : rebuildStateFromRows(catalog, rows);
    return this.#state;
  }

  /** Replaces the state after a commit has stored its changes. */
  set state(value: ExplorationState) {
    this.#state = value;
  }

  #makeCatalogIndex(): CatalogIndex {
    const { strategy, siblingUnits } = this.#config();
    const { readsSchemas } = strategies[strategy];
    if (!readsSchemas && siblingUnits === 0) return makeCatalogIndex(this.#store.listCatalogToolsWithoutSchemas());
    const tools = this.#store.listCatalogTools();
    return makeCatalogIndex(
      tools,
      readsSchemas ? makeSchemaHint(tools) : undefined,
      siblingUnits > 0 ? findNearSiblings(tools) : undefined,
    );
  }
}
