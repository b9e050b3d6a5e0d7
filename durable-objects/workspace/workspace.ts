import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { makeCatalogRecord } from '#core/catalog/catalog-record.ts';
import { makeCatalog } from '#core/catalog/catalog.ts';
import {
  catalogRecord,
  type CatalogRecord,
  type CategorySources,
  type ExplorationBasis,
  type NewServer,
  type ServerChange,
  type ServerSecrets,
  type ServerConnection,
  type ServerListing,
  type ServerRecord,
} from '#core/catalog/server.ts';
import { selectTools, type NewCatalog } from '#core/catalog/selection.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import { tool, type Tool } from '#core/catalog/tool.ts';
import { refuse } from '#core/values/errors.ts';
import { makeLeaderboardRefusalProblem } from '#core/leaderboards/problems.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import type { IndexedResource } from '#core/values/resources.ts';
import type { Survey } from '#core/catalog/survey.ts';
import type { JudgeMeasure, MeasureState } from '#core/evaluation/judge-measure/judge-measure.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { workspaceSchema } from './schema.ts';
import { PrivateUnitsTable } from './private-units-table.ts';
import { SharesTable } from './shares-table.ts';
import { SpareObjectsTable } from './spare-objects-table.ts';
import { JudgeMeasuresTable } from './judge-measures-table.ts';
import { ResourcesTable } from './resources-table.ts';
import { ServerErrorsTable } from './server-errors-table.ts';
import { makeServerConnection, makeServerRecord, ServersTable } from './servers-table.ts';
import { SurveyTable } from './survey-table.ts';
import type { TurnTaker } from '#core/catalog/isolation/turn-share.ts';
import { Turns } from './turns.ts';

const toolRow = z.object({ json: jsonColumnSchema(tool) });
const catalogRow = z.object({ json: jsonColumnSchema(catalogRecord) });
const reservationRow = z.object({ fingerprint: z.string(), resource: z.string() });

const countRow = z.object({ n: z.number() });
const dayMs = 24 * 60 * 60_000;

/** Servers, catalogs and the index of runs and benchmarks of one account. */
export class Workspace extends DurableObject {
  readonly #sql: SqlStorage;
  readonly #storage: DurableObjectStorage;
  readonly #servers: ServersTable;
  readonly #surveys: SurveyTable;
  readonly #serverErrors: ServerErrorsTable;
  readonly #privateUnits: PrivateUnitsTable;
  readonly #shares: SharesTable;
  readonly #spares: SpareObjectsTable;
  readonly #judgeMeasures: JudgeMeasuresTable;
  readonly #turns = new Turns(this.ctx.storage);
  readonly #resources: ResourcesTable;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#sql = state.storage.sql;
    this.#servers = new ServersTable(this.#sql);
    this.#surveys = new SurveyTable(this.#sql);
    this.#serverErrors = new ServerErrorsTable(this.#sql);
    this.#privateUnits = new PrivateUnitsTable(this.#sql);
    this.#shares = new SharesTable(this.#sql);
    this.#spares = new SpareObjectsTable(this.#sql);
    this.#resources = new ResourcesTable(this.#sql);
    this.#judgeMeasures = new JudgeMeasuresTable(this.#sql);
    migrate(state.storage, workspaceSchema);
  }

  /** Takes the turn of an attempt at servers that attempts share, as `Turns.take` does; `endTurns` ends it. */
  takeTurns(
    attempt: string,
    urls: readonly string[],
    untilMs: number,
    waitMs?: number,
    by?: TurnTaker,
  ): Promise<boolean> {
    return this.#turns.takeAllTurnsOrWait({ attempt, urls, untilMs, by }, waitMs);
  }

  endTurns(attempt: string): void {
    this.#turns.endTurnsOfAttempt(attempt);
  }

  /** Returns the latest measure of each judge that was measured here. */
  listJudgeMeasures(): JudgeMeasure[] {
    return this.#judgeMeasures.list();
  }

  /** Writes a measurement that begins, in place of the judge's last one. */
  beginJudgeMeasure(measure: JudgeMeasure): void {
    this.#judgeMeasures.write(measure);
  }

  /** Records how the measurement by an evaluation ended, unless a later one has begun. Idempotent. */
  recordJudgeMeasure(evaluation: string, outcome: MeasureState): void {
    this.#judgeMeasures.writeOutcome(evaluation, outcome);
  }

  /** Registers a server. It replaces one of its name that is only described, and keeps its id, so that catalogs reach it. */
  addServer(server: NewServer): Result<ServerRecord> {
    return this.#storage.transactionSync(() => {
      const known = this.#servers.findByName(server.name);
      if (known !== undefined && known.url !== null)
        return refuse('name-taken', `a server named "${server.name}" is registered already`);
      this.#writeServerAndSurvey({ ...server, id: known?.id ?? server.id }, known?.created_at ?? server.at);
      return this.#readServerRecord(known?.id ?? server.id);
    });
  }

  /**
   * Registers a server that is only described. One that is described already is replaced, unless it is the same; a connected one
   * stays as it is. Returns its record. Repeating it changes nothing.
   */
  addDescribedServer(server: NewServer): ServerRecord {
    return this.#storage.transactionSync(() => {
      const known = this.#servers.findByName(server.name);
      const id = known?.id ?? server.id;
      const isNew = known === undefined || (known.url === null && !this.#isSameDescribedServer(id, server));
      if (isNew) this.#writeServerAndSurvey({ ...server, id }, known?.created_at ?? server.at);
      const written = isNew ? this.#servers.findByName(server.name) : known;
      if (written === undefined) throw new Error(`the server ${id} was not written`);
      return makeServerRecord(written);
    });
  }

  #isSameDescribedServer(id: string, { domain, info, description, tools }: NewServer): boolean {
    const known = this.#servers.findById(id);
    const contentOf = (parts: unknown): string => canonicalJson(parts);
    return (
      known !== undefined &&
      contentOf([known.domain, known.info, known.description, this.#servers.listTools(id)]) ===
        contentOf([domain, info, description, tools])
    );
  }

  #writeServerAndSurvey(server: NewServer, createdAt: string): void {
    this.#servers.write(server, createdAt);
    this.#surveys.writeOrRemove(server.id, server.survey);
  }

  /** Replaces a server's tools and its survey with new ones. Catalogs keep theirs. */
  replaceServerListing(id: string, listing: ServerListing): Result<ServerRecord> {
    return this.#storage.transactionSync(() => {
      // It may have been removed while its tools were being listed.
      const known = this.#readServerRecord(id);
      if (!known.ok) return known;
      this.#servers.writeListing(id, listing);
      this.#surveys.writeOrRemove(id, listing.survey);
      return this.#readServerRecord(id);
    });
  }

  /** Changes a server without a new listing. Runs under way keep the limits that they began with, but not the secrets. */
  changeServer(id: string, change: ServerChange): Result<ServerRecord> {
    return this.#storage.transactionSync(() => {
      this.#servers.updateLimitsHeadersAndAuth(id, change);
      return this.#readServerRecord(id);
    });
  }

  /** A server and its tools as it listed them. */
  readServerWithTools(id: string): Result<{ server: ServerRecord; tools: Tool[] }> {
    const server = this.#readServerRecord(id);
    return server.ok ? ok({ server: server.value, tools: this.getServerTools(id) }) : server;
  }

  /** Returns the present secrets of the servers of these names that are connected. */
  listServerSecrets(names: readonly string[]): ServerSecrets[] {
    return this.#servers.listSecrets(names);
  }

  /** Returns the servers of these names; names of none are left out. */
  findServersByName(names: readonly string[]): ServerRecord[] {
    return names.flatMap((name) => {
      const found = this.#servers.findByName(name);
      return found === undefined ? [] : [makeServerRecord(found)];
    });
  }

  /** Returns what a server's tools and resources returned when it was listed; null if it was not surveyed. */
  readSurvey(id: string): Result<Survey | null> {
    const server = this.#readServerRecord(id);
    return server.ok ? ok(this.#surveys.read(id)) : server;
  }

  /** Returns who gave a server's tools their categories; nothing for a server that is not registered. */
  readWhoCategorizedTools(id: string): CategorySources {
    return this.#servers.findById(id)?.category_sources ?? {};
  }

  #readServerRecord(id: string): Result<ServerRecord> {
    const row = this.#servers.findById(id);
    return row === undefined ? refuse('not-found', `there is no server ${id}`) : ok(makeServerRecord(row));
  }

  getServerTools(id: string): Tool[] {
    return this.#servers.listTools(id);
  }

  /** By id, after `after`, at most `limit`. */
  listServers(after: string, limit: number): ServerRecord[] {
    return this.#servers.list(after, limit);
  }

  /** Catalogs keep its tools; new runs over them need the server again. */
  removeServerKeepingCatalogs(id: string): boolean {
    return this.#storage.transactionSync(() => {
      this.#surveys.writeOrRemove(id, null);
      this.#serverErrors.removeErrorsOfServer(id);
      return this.#servers.remove(id);
    });
  }

  /** Records the errors that a run saw of some servers, in place of what it reported before. Servers that are gone are ignored. */
  recordServerErrors(
    run: string,
    seen: readonly { name: string; url: string | null; marked: number; reported: number }[],
  ): void {
    this.#storage.transactionSync(() => {
      for (const { name, url, ...errors } of seen) {
        const known = this.#servers.findByName(name);
        if (known?.url === url) this.#serverErrors.replaceErrorsSeenByRun(known.id, run, errors);
      }
    });
  }

  /** Returns whether one of these names is that of a private server, of which nothing but figures is public. */
  isAnyServerPrivate(names: readonly string[]): boolean {
    return this.#servers.isAnyServerPrivate(names);
  }

  /** How often the links to a run were revoked: only those that were made after the last time show it. */
  countShareRevocations(run: string): number {
    return this.#shares.countRevocations(run);
  }

  revokeShares(run: string): void {
    this.#shares.revoke(run);
  }

  /** Returns how to reach a server by its id, with its headers still encrypted. */
  serverConnection(id: string): ServerConnection | null {
    const row = this.#servers.findById(id);
    return row === undefined ? null : makeServerConnection(row);
  }

  /** Freezes those of the servers' current tools that are selected and allowed. The same tools give the existing catalog. */
  async findOrCreateCatalog(
    { servers, ...selection }: NewCatalog,
    limits: { readonly tools: number; readonly bytes: number },
    at: string,
  ): Promise<Result<CatalogRecord>> {
    const rows = [...new Set(servers)].map((id) => ({
      id,
      row: this.#servers.findById(id),
    }));
    const missing = rows.filter(({ row }) => row === undefined).map(({ id }) => id);
    if (missing.length > 0) return refuse('not-found', `there is no server ${missing.join(', ')}`);
    const { tools, bytes } = this.#servers.sumToolsAndBytes(rows.map(({ id }) => id));
    if (tools > limits.tools) {
      return refuse(
        'too-many-tools',
        `the servers have ${tools} tools together; a catalog holds at most ${limits.tools}`,
      );
    }
    if (bytes > limits.bytes) {
      return refuse(
        'tools-too-large',
        `the tools of the servers have ${bytes} bytes together; a catalog holds at most ${limits.bytes}`,
      );
    }
    const selected = selectTools(
      rows.flatMap(({ id }) => this.getServerTools(id)),
      selection,
      new Map(rows.flatMap(({ row }) => (row === undefined ? [] : [[row.name, row.allows] as const]))),
    );
    if (selected.unknown.length > 0) return refuse('not-found', `there is no tool ${selected.unknown.join(', ')}`);
    if (selected.tools.length === 0)
      return refuse('nothing-allowed', `${selected.aboveLimit} tools are left out because of what their calls do`);
    const catalog = await makeCatalog(selected.tools);
    const present = rows.flatMap(({ row }) => (row === undefined ? [] : [row]));
    const record = makeCatalogRecord(catalog, present, selected.aboveLimit, at);
    return this.#storage.transactionSync(() => {
      const known = this.#readCatalogOrRefuse(record.id);
      if (known.ok) {
        // The tools are the same, but their servers may have been registered again.
        const renewed = { ...known.value, servers: record.servers, aboveLimit: record.aboveLimit };
        this.#sql.exec('UPDATE catalogs SET json = ? WHERE id = ?', JSON.stringify(renewed), record.id);
        return ok(renewed);
      }
      this.#sql.exec('INSERT INTO catalogs (id, json) VALUES (?, ?)', record.id, JSON.stringify(record));
      catalog.tools.forEach((each, position) => {
        this.#sql.exec(
          'INSERT INTO catalog_tools (catalog, position, json) VALUES (?, ?, ?)',
          record.id,
          position,
          JSON.stringify(each),
        );
      });
      return ok(record);
    });
  }

  /** A catalog, and its tools sorted by name. */
  readCatalogWithTools(id: string): Result<{ catalog: CatalogRecord; tools: Tool[] }> {
    const catalog = this.#readCatalogOrRefuse(id);
    return catalog.ok ? ok({ catalog: catalog.value, tools: this.#listCatalogTools(id) }) : catalog;
  }

  /**
   * Returns what an exploration of a catalog needs: the tools that can be called, how to reach their servers, which must still
   * be registered, and their surveys. Servers that are only described are left out; refuses if there are no others.
   */
  explorationBasis(id: string): Result<ExplorationBasis> {
    const catalog = this.#readCatalogOrRefuse(id);
    if (!catalog.ok) return catalog;
    const servers: ServerConnection[] = [];
    for (const server of catalog.value.servers) {
      const connection = this.serverConnection(server.id);
      if (connection === null)
        return refuse('not-found', `server ${server.name} of the catalog is not registered any more`);
      if (connection.url !== null) servers.push(connection);
    }
    if (servers.length === 0)
      return refuse(
        'server-not-connected',
        'the servers of the catalog are only described: none of them can be called',
      );
    const connected = new Set(servers.map(({ name }) => name));
    return ok({
      tools: this.#listCatalogTools(id).filter(({ server }) => connected.has(server)),
      servers,
      surveys: this.#surveys.listNonEmptySurveys(catalog.value.servers.filter(({ name }) => connected.has(name))),
    });
  }

  #readCatalogOrRefuse(id: string): Result<CatalogRecord> {
    const row = parseRows(catalogRow, this.#sql.exec('SELECT json FROM catalogs WHERE id = ?', id))[0];
    return row === undefined ? refuse('not-found', `there is no catalog ${id}`) : ok(row.json);
  }

  #listCatalogTools(id: string): Tool[] {
    return this.#queryTools('SELECT json FROM catalog_tools WHERE catalog = ? ORDER BY position', id);
  }

  listCatalogs(after: string, limit: number): CatalogRecord[] {
    return parseRows(
      catalogRow,
      this.#sql.exec('SELECT json FROM catalogs WHERE id > ? ORDER BY id LIMIT ?', after, limit),
    ).map((row) => row.json);
  }

  /**
   * Ties an idempotency key to a resource id: the first caller's id is returned to every later one. A different request
   * under the same key is refused.
   */
  reserveIdempotencyKey(
    key: string,
    fingerprint: string,
    resource: string,
  ): Result<{ resource: string; fresh: boolean }> {
    const held = this.findReservation(key, fingerprint);
    if (!held.ok) return held;
    if (held.value !== null) return ok({ resource: held.value, fresh: false });
    this.#sql.exec(
      'INSERT INTO reservations (key, fingerprint, resource) VALUES (?, ?, ?)',
      key,
      fingerprint,
      resource,
    );
    return ok({ resource, fresh: true });
  }

  /** Returns what a call with this idempotency key has created, or null. */
  findReservation(key: string, fingerprint: string): Result<string | null> {
    const [held] = parseRows(
      reservationRow,
      this.#sql.exec('SELECT fingerprint, resource FROM reservations WHERE key = ?', key),
    );
    if (held === undefined || held.fingerprint === fingerprint) return ok(held?.resource ?? null);
    return refuse(
      'idempotency-mismatch',
      'this idempotency key came with another body before; use a new key for a new request',
    );
  }

  /** Lists a run or benchmark in the workspace. Idempotent. */
  addResource(kind: string, resource: IndexedResource): void {
    this.#resources.add(kind, resource);
  }

  /** Removes a resource from the list. Idempotent. */
  removeResource(kind: string, id: string): void {
    this.#resources.remove(kind, id);
  }

  findResource(kind: string, id: string): IndexedResource | null {
    return this.#resources.find(kind, id);
  }

  /** Returns the name of an object of a kind whose upload failed, for another upload; null if there is none. */
  takeSpareObject(kind: string): string | null {
    return this.#spares.take(kind);
  }

  /** Keeps an empty object for another upload. Idempotent. */
  keepSpareObject(kind: string, object: string): void {
    this.#spares.keep(kind, object);
  }

  /** The latest ones first, those before `before` if it is not empty, at most `limit`. */
  listLatestResourcesOfKind(kind: string, before: string, limit: number): IndexedResource[] {
    return this.#resources.listLatestOfKind(kind, before, limit);
  }

  /** By id, after `after`, at most `limit`. */
  listResourcesOfKind(kind: string, after: string, limit: number): IndexedResource[] {
    return this.#resources.listOfKind(kind, after, limit);
  }

  /**
   * Consumes one slot of the 24-hour quota. Idempotent per id. `now` is milliseconds since 1970. Returns false when the
   * quota is used up.
   */
  consumeSubmissionQuota(id: string, limit: number, now: number): boolean {
    return this.#storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM submissions_taken WHERE at <= ?', now - dayMs);
      const count = (query: string, ...bindings: string[]): number =>
        parseRows(countRow, this.#sql.exec(query, ...bindings))[0]?.n ?? 0;
      if (count('SELECT COUNT(*) AS n FROM submissions_taken WHERE id = ?', id) > 0) return true;
      if (count('SELECT COUNT(*) AS n FROM submissions_taken') >= limit) return false;
      this.#sql.exec('INSERT INTO submissions_taken (id, at) VALUES (?, ?)', id, now);
      return true;
    });
  }

  /** Refuses private units of which the workspace was given one for another submission, to whatever leaderboard. */
  refusePrivateUnitsGivenElsewhere(units: readonly string[], submission: string): Result<null> {
    const other = this.#privateUnits.findOtherSubmissionGivenUnits(units, submission);
    return other === null
      ? ok(null)
      : err(makeLeaderboardRefusalProblem({ reason: 'private-units-given', submission: other }));
  }

  /**
   * Records permanently that the workspace is given these private units for a submission; refuses if it was given one of
   * them for another. Idempotent.
   */
  recordPrivateUnitsUnlessGivenElsewhere(units: readonly string[], submission: string): Result<null> {
    return this.#storage.transactionSync(() => {
      const allowed = this.refusePrivateUnitsGivenElsewhere(units, submission);
      if (allowed.ok) this.#privateUnits.add(units, submission);
      return allowed;
    });
  }

  #queryTools(query: string, id: string): Tool[] {
    return parseRows(toolRow, this.#sql.exec(query, id)).map((row) => row.json);
  }
}
