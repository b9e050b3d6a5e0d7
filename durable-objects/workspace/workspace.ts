import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { makeCatalog } from '#core/catalog/catalog.ts';
import type {
  CatalogRecord,
  CategorySources,
  ExplorationBasis,
  NewServer,
  ServerConnection,
  ServerListing,
  ServerRecord,
} from '#core/catalog/server.ts';
import { countCategorySources } from '#core/catalog/categorized-tools.ts';
import { catalogRecord, categorySources } from '#core/catalog/server.ts';
import { categoryCounts, countCategories } from '#core/catalog/tool-categories.ts';
import { tool, type Tool } from '#core/catalog/tool.ts';
import { refuse } from '#core/errors.ts';
import { classifyErrorMarking } from '#core/evaluation/call-counts.ts';
import { makeLeaderboardRefusalProblem } from '#core/leaderboards/problems.ts';
import { err, ok, type Result } from '#core/result.ts';
import type { IndexedResource } from '#core/resources.ts';
import { summarizeSurvey, survey, type Survey } from '#core/survey/survey.ts';
import { jsonColumn, parseRows } from '#durable-objects/shared/rows.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { workspaceSchema } from './schema.ts';
import { PrivateUnitsTable } from './private-units-table.ts';
import { ServerErrorsTable } from './server-errors-table.ts';
import { SurveyTable } from './survey-table.ts';

const serverRow = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  url: z.string(),
  headers: z.string().nullable(),
  header_names: jsonColumn(z.array(z.string())),
  tools: z.number(),
  created_at: z.string(),
  listed_at: z.string(),
  categories: jsonColumn(categoryCounts),
  category_sources: jsonColumn(categorySources),
  surveyed: z.number(),
  survey: jsonColumn(survey).nullable(),
  marked: z.number(),
  reported: z.number(),
});
const sizeRow = z.object({ tools: z.number(), bytes: z.number() });
const toolRow = z.object({ json: jsonColumn(tool) });
const catalogRow = z.object({ json: jsonColumn(catalogRecord) });
const reservationRow = z.object({ fingerprint: z.string(), resource: z.string() });
const resourceRow = z.object({ id: z.string(), object: z.string(), json: z.string() });

const countRow = z.object({ n: z.number() });
const dayMs = 24 * 60 * 60_000;

/** Servers, catalogs and the index of runs and benchmarks of one account. */
export class Workspace extends DurableObject {
  readonly #sql: SqlStorage;
  readonly #storage: DurableObjectStorage;
  readonly #surveys: SurveyTable;
  readonly #serverErrors: ServerErrorsTable;
  readonly #privateUnits: PrivateUnitsTable;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#sql = state.storage.sql;
    this.#surveys = new SurveyTable(this.#sql);
    this.#serverErrors = new ServerErrorsTable(this.#sql);
    this.#privateUnits = new PrivateUnitsTable(this.#sql);
    migrate(state.storage, workspaceSchema);
  }

  addServer(server: NewServer): Result<ServerRecord> {
    return this.#storage.transactionSync(() => {
      const taken = this.#sql.exec('SELECT id FROM servers WHERE name = ?', server.name).toArray();
      if (taken.length > 0) return refuse('name-taken', `a server named "${server.name}" is registered already`);
      this.#sql.exec(
        `INSERT INTO servers (id, name, domain, url, headers, header_names, tools, created_at, listed_at, surveyed,
           categories, category_sources)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        server.id,
        server.name,
        server.domain,
        server.url,
        server.headers,
        JSON.stringify(server.headerNames),
        server.tools.length,
        server.at,
        server.at,
        Number(server.surveyed),
        JSON.stringify(countCategories(server.tools)),
        JSON.stringify(server.categorySources),
      );
      this.#surveys.writeOrRemove(server.id, server.survey);
      this.#insertTools(server.id, server.tools);
      return this.#readServerRecord(server.id);
    });
  }

  /** Replaces a server's tools and its survey with new ones. Catalogs keep theirs. */
  replaceServerListing(id: string, listing: ServerListing): Result<ServerRecord> {
    const { tools, categorySources: sources, surveyed, survey: made, at } = listing;
    return this.#storage.transactionSync(() => {
      // It may have been removed while its tools were being listed.
      const known = this.#readServerRecord(id);
      if (!known.ok) return known;
      this.#sql.exec(
        'UPDATE servers SET tools = ?, listed_at = ?, surveyed = ?, categories = ?, category_sources = ? WHERE id = ?',
        tools.length,
        at,
        Number(surveyed),
        JSON.stringify(countCategories(tools)),
        JSON.stringify(sources),
        id,
      );
      this.#surveys.writeOrRemove(id, made);
      this.#sql.exec('DELETE FROM server_tools WHERE server = ?', id);
      this.#insertTools(id, tools);
      return this.#readServerRecord(id);
    });
  }

  #insertTools(server: string, tools: readonly Tool[]): void {
    tools.forEach((each, position) => {
      this.#sql.exec(
        'INSERT INTO server_tools (server, position, json) VALUES (?, ?, ?)',
        server,
        position,
        JSON.stringify(each),
      );
    });
  }

  /** A server and its tools as it listed them. */
  readServerWithTools(id: string): Result<{ server: ServerRecord; tools: Tool[] }> {
    const server = this.#readServerRecord(id);
    return server.ok ? ok({ server: server.value, tools: this.getServerTools(id) }) : server;
  }

  /** Returns what a server's tools and resources returned when it was listed; null if it was not surveyed. */
  readSurvey(id: string): Result<Survey | null> {
    const server = this.#readServerRecord(id);
    return server.ok ? ok(this.#surveys.read(id)) : server;
  }

  /** Returns who gave a server's tools their categories; nothing for a server that is not registered. */
  readCategorySources(id: string): CategorySources {
    return this.#queryServers('WHERE id = ?', id)[0]?.category_sources ?? {};
  }

  #readServerRecord(id: string): Result<ServerRecord> {
    const row = this.#queryServers('WHERE id = ?', id)[0];
    return row === undefined ? refuse('not-found', `there is no server ${id}`) : ok(makeServerRecord(row));
  }

  getServerTools(id: string): Tool[] {
    return this.#queryTools('SELECT json FROM server_tools WHERE server = ? ORDER BY position', id);
  }

  /** By id, after `after`, at most `limit`. */
  listServers(after: string, limit: number): ServerRecord[] {
    return this.#queryServers('WHERE id > ? ORDER BY id LIMIT ?', after, limit).map(makeServerRecord);
  }

  /** Catalogs keep its tools; new runs over them need the server again. */
  removeServerKeepingCatalogs(id: string): boolean {
    return this.#storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM server_tools WHERE server = ?', id);
      this.#surveys.writeOrRemove(id, null);
      this.#serverErrors.removeErrorsOfServer(id);
      return this.#sql.exec('DELETE FROM servers WHERE id = ?', id).rowsWritten > 0;
    });
  }

  /** Records the errors that a run saw of some servers, in place of what it reported before. Servers that are gone are ignored. */
  recordServerErrors(
    run: string,
    seen: readonly { name: string; url: string; marked: number; reported: number }[],
  ): void {
    this.#storage.transactionSync(() => {
      for (const { name, url, ...errors } of seen)
        for (const { id } of this.#queryServers('WHERE name = ? AND url = ?', name, url))
          this.#serverErrors.write(id, run, errors);
    });
  }

  /** Returns how to reach a server by its id, with its headers still encrypted. */
  serverConnection(id: string): ServerConnection | null {
    const row = this.#queryServers('WHERE id = ?', id)[0];
    return row === undefined ? null : { name: row.name, url: row.url, headers: row.headers };
  }

  /** Freezes the current tools of some servers. The same tools give the existing catalog. */
  async findOrCreateCatalog(
    servers: readonly string[],
    limits: { readonly tools: number; readonly bytes: number },
    at: string,
  ): Promise<Result<CatalogRecord>> {
    const rows = [...new Set(servers)].map((id) => ({
      id,
      row: this.#queryServers('WHERE id = ?', id)[0],
    }));
    const missing = rows.filter(({ row }) => row === undefined).map(({ id }) => id);
    if (missing.length > 0) return refuse('not-found', `there is no server ${missing.join(', ')}`);
    const [tools, bytes] = this.#sumToolsAndBytes(rows.map(({ id }) => id));
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
    const catalog = await makeCatalog(rows.flatMap(({ id }) => this.getServerTools(id)));
    const record: CatalogRecord = {
      id: catalog.id,
      servers: rows.flatMap(({ row }) =>
        row === undefined ? [] : [{ id: row.id, name: row.name, domain: row.domain, tools: row.tools }],
      ),
      tools: catalog.tools.length,
      categories: countCategories(catalog.tools),
      createdAt: at,
    };
    return this.#storage.transactionSync(() => {
      const known = this.#findCatalog(record.id);
      if (known.ok) {
        // The tools are the same, but their servers may have been registered again.
        const present = { ...known.value, servers: record.servers };
        this.#sql.exec('UPDATE catalogs SET json = ? WHERE id = ?', JSON.stringify(present), record.id);
        return ok(present);
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
    const catalog = this.#findCatalog(id);
    return catalog.ok ? ok({ catalog: catalog.value, tools: this.#catalogTools(id) }) : catalog;
  }

  /**
   * Returns what an exploration of a catalog needs: its tools, how to reach its servers, which must still be
   * registered, and their surveys.
   */
  explorationBasis(id: string): Result<ExplorationBasis> {
    const catalog = this.#findCatalog(id);
    if (!catalog.ok) return catalog;
    const servers: ServerConnection[] = [];
    for (const server of catalog.value.servers) {
      const connection = this.serverConnection(server.id);
      if (connection === null)
        return refuse('not-found', `server ${server.name} of the catalog is not registered any more`);
      servers.push(connection);
    }
    return ok({ tools: this.#catalogTools(id), servers, surveys: this.#surveys.readNonEmpty(catalog.value.servers) });
  }

  #findCatalog(id: string): Result<CatalogRecord> {
    const row = parseRows(catalogRow, this.#sql.exec('SELECT json FROM catalogs WHERE id = ?', id))[0];
    return row === undefined ? refuse('not-found', `there is no catalog ${id}`) : ok(row.json);
  }

  #catalogTools(id: string): Tool[] {
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
    this.#sql.exec(
      'INSERT OR IGNORE INTO resources (kind, id, object, json) VALUES (?, ?, ?, ?)',
      kind,
      resource.id,
      resource.object,
      resource.json,
    );
  }

  /** Removes a resource from the list. Idempotent. */
  removeResource(kind: string, id: string): void {
    this.#sql.exec('DELETE FROM resources WHERE kind = ? AND id = ?', kind, id);
  }

  findResource(kind: string, id: string): IndexedResource | null {
    return (
      parseRows(
        resourceRow,
        this.#sql.exec('SELECT id, object, json FROM resources WHERE kind = ? AND id = ?', kind, id),
      )[0] ?? null
    );
  }

  /** The latest ones first, at most `limit`; their ids begin with their time. */
  listLatestResources(kind: string, limit: number): IndexedResource[] {
    return parseRows(
      resourceRow,
      this.#sql.exec('SELECT id, object, json FROM resources WHERE kind = ? ORDER BY id DESC LIMIT ?', kind, limit),
    );
  }

  /** By id, after `after`, at most `limit`. */
  listResources(kind: string, after: string, limit: number): IndexedResource[] {
    return parseRows(
      resourceRow,
      this.#sql.exec(
        'SELECT id, object, json FROM resources WHERE kind = ? AND id > ? ORDER BY id LIMIT ?',
        kind,
        after,
        limit,
      ),
    );
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
  checkPrivateUnits(units: readonly string[], submission: string): Result<null> {
    const other = this.#privateUnits.findOtherSubmission(units, submission);
    return other === null
      ? ok(null)
      : err(makeLeaderboardRefusalProblem({ reason: 'private-units-given', submission: other }));
  }

  /** Gives a submission private units permanently, unless the workspace was given one of them for another. Idempotent. */
  takePrivateUnits(units: readonly string[], submission: string): Result<null> {
    return this.#storage.transactionSync(() => {
      const allowed = this.checkPrivateUnits(units, submission);
      if (allowed.ok) this.#privateUnits.add(units, submission);
      return allowed;
    });
  }

  /** Returns the number and bytes of these servers' tools, without reading them. */
  #sumToolsAndBytes(servers: readonly string[]): [tools: number, bytes: number] {
    const sizes = servers.flatMap((id) =>
      parseRows(
        sizeRow,
        this.#sql.exec(
          'SELECT COUNT(*) AS tools, COALESCE(SUM(LENGTH(CAST(json AS BLOB))), 0) AS bytes FROM server_tools WHERE server = ?',
          id,
        ),
      ),
    );
    return [sizes.reduce((sum, { tools }) => sum + tools, 0), sizes.reduce((sum, { bytes }) => sum + bytes, 0)];
  }

  #queryServers(where: string, ...bindings: (string | number)[]): z.infer<typeof serverRow>[] {
    const query = `SELECT servers.*, surveys.json AS survey,
         COALESCE(earlier.marked, 0) + (SELECT COALESCE(SUM(marked), 0) FROM server_errors WHERE server = servers.id) AS marked,
         COALESCE(earlier.reported, 0) + (SELECT COALESCE(SUM(reported), 0) FROM server_errors WHERE server = servers.id) AS reported
       FROM servers LEFT JOIN surveys ON surveys.server = servers.id
         LEFT JOIN earlier_server_errors AS earlier ON earlier.server = servers.id`;
    return parseRows(serverRow, this.#sql.exec(`${query} ${where}`, ...bindings));
  }

  #queryTools(query: string, id: string): Tool[] {
    return parseRows(toolRow, this.#sql.exec(query, id)).map((row) => row.json);
  }
}

const makeServerRecord = (row: z.infer<typeof serverRow>): ServerRecord => ({
  id: row.id,
  name: row.name,
  domain: row.domain,
  url: row.url,
  headerNames: row.header_names,
  tools: row.tools,
  categories: row.categories,
  categorizedBy: countCategorySources(row.category_sources),
  createdAt: row.created_at,
  listedAt: row.listed_at,
  survey: summarizeSurvey(row.surveyed === 1, row.survey),
  errors: { marks: classifyErrorMarking(row), marked: row.marked, reported: row.reported },
});
