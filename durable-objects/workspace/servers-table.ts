import { listToolsWithLongDescriptions, longDescription } from '#core/catalog/shown-description.ts';
import { z } from 'zod';
import { countCategorySources } from '#core/catalog/categorized-tools.ts';
import {
  categorySources,
  makeServerLimitsForRunsOrNull,
  type NewServer,
  type ServerChange,
  type ServerSecrets,
  type ServerConnection,
  type ServerListing,
  type ServerRecord,
} from '#core/catalog/server.ts';
import { allowedEffect, countToolsByEffect, effectCounts, ownersEffects } from '#core/catalog/effect.ts';
import { leftOutTool, serverDescription, serverInfo } from '#core/catalog/server-description.ts';
import { categoryCounts, countToolsByCategory } from '#core/catalog/tool-categories.ts';
import { tool, type Tool } from '#core/catalog/tool.ts';
import { classifyErrorMarking } from '#core/catalog/call-counts.ts';
import { authWithoutSecrets, storedAuth } from '#core/catalog/server-auth.ts';
import { statedLimits } from '#core/catalog/stated-limits.ts';
import { isolation, makeShownIsolation } from '#core/catalog/isolation/isolation.ts';
import { storedRedactionRules } from '#core/catalog/redaction/rules.ts';
import { makeSurveyOutcome, survey } from '#core/catalog/survey.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const serverRow = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  url: z.string().nullable(),
  headers: z.string().nullable(),
  header_names: jsonColumnSchema(z.array(z.string())),
  auth: jsonColumnSchema(storedAuth).nullable(),
  tools: z.number(),
  created_at: z.string(),
  listed_at: z.string(),
  categories: jsonColumnSchema(categoryCounts),
  category_sources: jsonColumnSchema(categorySources),
  surveyed: z.number(),
  allows: allowedEffect,
  owners_effects: jsonColumnSchema(ownersEffects),
  effects: jsonColumnSchema(effectCounts),
  redact: jsonColumnSchema(storedRedactionRules),
  private: z.number(),
  limits: jsonColumnSchema(statedLimits),
  isolation: jsonColumnSchema(isolation),
  left_out: jsonColumnSchema(z.array(leftOutTool)),
  long_descriptions: jsonColumnSchema(z.array(longDescription)),
  info: jsonColumnSchema(serverInfo).nullable(),
  protocol_version: z.string().nullable(),
  instructions: z.string().nullable(),
  description: jsonColumnSchema(serverDescription).nullable(),
  survey: jsonColumnSchema(survey).nullable(),
  marked: z.number(),
  reported: z.number(),
});
type ServerRow = z.infer<typeof serverRow>;
const sizeRow = z.object({ tools: z.number(), bytes: z.number() });
const toolRow = z.object({ json: jsonColumnSchema(tool) });

/** The registered servers of a workspace and their tools. Callers open the transactions. */
export class ServersTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  findById(id: string): ServerRow | undefined {
    return this.#query('WHERE id = ?', id)[0];
  }

  findByName(name: string): ServerRow | undefined {
    return this.#query('WHERE name = ?', name)[0];
  }

  /** The secrets of connected servers, by their names. */
  listSecrets(names: readonly string[]): ServerSecrets[] {
    return names.flatMap((name) => {
      const row = this.findByName(name);
      return row === undefined || row.url === null
        ? []
        : [{ name, url: row.url, headers: row.headers, auth: row.auth }];
    });
  }

  /** By id, after `after`, at most `limit`. */
  list(after: string, limit: number): ServerRecord[] {
    return this.#query('WHERE id > ? ORDER BY id LIMIT ?', after, limit).map(makeServerRecord);
  }

  /** Adds a server, or overwrites the one with this id and its tools. */
  write(server: NewServer, createdAt: string): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO servers (id, name, domain, url, headers, header_names, tools, created_at, listed_at, surveyed,
         categories, category_sources, info, instructions, description)
       VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, 0, '{}', '{}', NULL, NULL, NULL)`,
      server.id,
      server.name,
      server.domain,
      server.url,
      server.headers,
      JSON.stringify(server.headerNames),
      createdAt,
      server.at,
    );
    this.writeListing(server.id, server);
    const { headers, headerNames, auth, limits = {} } = server;
    this.updateLimitsHeadersAndAuth(server.id, { headers: { headers, headerNames }, auth, limits });
  }

  /** Replaces what a server's owner changes of it. */
  updateLimitsHeadersAndAuth(id: string, { limits, headers, auth }: ServerChange): void {
    if (limits !== undefined) this.#sql.exec('UPDATE servers SET limits = ? WHERE id = ?', JSON.stringify(limits), id);
    if (headers !== undefined) {
      const names = JSON.stringify(headers.headerNames);
      this.#sql.exec('UPDATE servers SET headers = ?, header_names = ? WHERE id = ?', headers.headers, names, id);
    }
    if (auth !== undefined)
      this.#sql.exec('UPDATE servers SET auth = ? WHERE id = ?', auth === null ? null : JSON.stringify(auth), id);
  }

  /** Replaces what a server listed. */
  writeListing(id: string, listing: ServerListing): void {
    const { tools, info, description } = listing;
    if (listing.private !== undefined) this.#markOrUnmarkPrivate(id, listing.private);
    this.#sql.exec(
      `UPDATE servers SET tools = ?, listed_at = ?, surveyed = ?, allows = ?, owners_effects = ?, effects = ?, redact = ?, isolation = ?, left_out = ?, long_descriptions = ?, categories = ?, category_sources = ?, info = ?,
         protocol_version = ?, instructions = ?, description = ? WHERE id = ?`,
      tools.length,
      listing.at,
      Number(listing.surveyed),
      listing.allows,
      JSON.stringify(listing.ownersEffects),
      JSON.stringify(countToolsByEffect(tools)),
      JSON.stringify(listing.redact),
      JSON.stringify(listing.isolation),
      JSON.stringify(listing.leftOut),
      JSON.stringify(listToolsWithLongDescriptions(tools)),
      JSON.stringify(countToolsByCategory(tools)),
      JSON.stringify(listing.categorySources),
      info === null ? null : JSON.stringify(info),
      listing.protocolVersion,
      listing.instructions,
      description === null ? null : JSON.stringify(description),
      id,
    );
    this.#sql.exec('DELETE FROM server_tools WHERE server = ?', id);
    tools.forEach((each, position) => {
      this.#sql.exec(
        'INSERT INTO server_tools (server, position, json) VALUES (?, ?, ?)',
        id,
        position,
        JSON.stringify(each),
      );
    });
  }

  /** Returns whether one of these names is that of a private server. It stays one when the server is removed. */
  isAnyServerPrivate(names: readonly string[]): boolean {
    return names.some(
      (name) => this.#sql.exec('SELECT 1 FROM private_servers WHERE name = ?', name).toArray().length > 0,
    );
  }

  #markOrUnmarkPrivate(id: string, isPrivate: boolean): void {
    const change = isPrivate
      ? 'INSERT OR IGNORE INTO private_servers SELECT name FROM servers WHERE id = ?'
      : 'DELETE FROM private_servers WHERE name = (SELECT name FROM servers WHERE id = ?)';
    this.#sql.exec(change, id);
  }

  /** Removes a server and its tools; returns whether there was one. */
  remove(id: string): boolean {
    this.#sql.exec('DELETE FROM server_tools WHERE server = ?', id);
    return this.#sql.exec('DELETE FROM servers WHERE id = ?', id).rowsWritten > 0;
  }

  /** Returns a server's tools as it listed them. */
  listTools(id: string): Tool[] {
    const rows = this.#sql.exec('SELECT json FROM server_tools WHERE server = ? ORDER BY position', id);
    return parseRows(toolRow, rows).map((row) => row.json);
  }

  /** Returns the number and bytes of these servers' tools, without reading them. */
  sumToolsAndBytes(servers: readonly string[]): { readonly tools: number; readonly bytes: number } {
    const sizes = servers.flatMap((id) =>
      parseRows(
        sizeRow,
        this.#sql.exec(
          'SELECT COUNT(*) AS tools, COALESCE(SUM(LENGTH(CAST(json AS BLOB))), 0) AS bytes FROM server_tools WHERE server = ?',
          id,
        ),
      ),
    );
    return sizes.reduce((sum, { tools, bytes }) => ({ tools: sum.tools + tools, bytes: sum.bytes + bytes }), {
      tools: 0,
      bytes: 0,
    });
  }

  #query(where: string, ...bindings: (string | number)[]): ServerRow[] {
    const query = `SELECT servers.*, surveys.json AS survey,
         EXISTS (SELECT 1 FROM private_servers WHERE name = servers.name) AS private,
         COALESCE(earlier.marked, 0) + (SELECT COALESCE(SUM(marked), 0) FROM server_errors WHERE server = servers.id) AS marked,
         COALESCE(earlier.reported, 0) + (SELECT COALESCE(SUM(reported), 0) FROM server_errors WHERE server = servers.id) AS reported
       FROM servers LEFT JOIN surveys ON surveys.server = servers.id
         LEFT JOIN earlier_server_errors AS earlier ON earlier.server = servers.id`;
    return parseRows(serverRow, this.#sql.exec(`${query} ${where}`, ...bindings));
  }
}

/** Returns a server as clients see it. */
export const makeServerRecord = (row: ServerRow): ServerRecord => ({
  id: row.id,
  name: row.name,
  domain: row.domain,
  url: row.url,
  headerNames: row.header_names,
  auth: row.auth === null ? null : authWithoutSecrets(row.auth),
  tools: row.tools,
  categories: row.categories,
  categorizedBy: countCategorySources(row.category_sources),
  leftOut: row.left_out,
  longDescriptions: row.long_descriptions,
  effects: row.effects,
  allows: row.allows,
  redact: row.redact,
  private: row.private === 1,
  limits: row.limits,
  isolation: makeShownIsolation(row.isolation),
  createdAt: row.created_at,
  listedAt: row.listed_at,
  survey: makeSurveyOutcome(row.surveyed === 1, row.survey),
  info: row.info,
  protocolVersion: row.protocol_version,
  instructions: row.instructions,
  description: row.description,
  errors: { marks: classifyErrorMarking(row), marked: row.marked, reported: row.reported },
});

/** Returns how to reach a server, with its headers still encrypted, and what it is for. */
export const makeServerConnection = ({
  id,
  name,
  url,
  headers,
  auth,
  description,
  instructions,
  allows,
  owners_effects: effects,
  protocol_version: protocolVersion,
  redact,
  limits,
  isolation,
}: ServerRow): ServerConnection => ({
  name,
  url,
  headers,
  auth,
  description: description?.text ?? null,
  instructions,
  allows,
  effects,
  protocolVersion,
  redact,
  limits: makeServerLimitsForRunsOrNull(id, limits),
  isolation,
});
