import { z } from 'zod';
import {
  makeRetrievalTextOfServer,
  makeRetrievalTextOfTool,
  type RetrievalText,
} from '#core/similarity/retrieval/retrieval-text.ts';
import type { CountedSql } from '#durable-objects/shared/counted-sql.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';

const describedRow = z.object({
  name: z.string(),
  description: z
    .string()
    .nullable()
    .transform((known) => known ?? undefined),
});
const serverRow = z.object({ server: z.string() });
const vectorRow = z.object({ name: z.string(), vector: z.instanceof(ArrayBuffer) });

/** A vector of a server or a tool, quantized: empty if its text has none that can be compared. */
export interface NamedVector {
  readonly name: string;
  readonly vector: Int8Array;
}

/** Some of the vectors by name, and whether none comes after them. */
export interface VectorPage {
  readonly vectors: readonly NamedVector[];
  readonly isLast: boolean;
}

/** Bytes of vectors that one call carries. */
const bytesPerPage = 4 * 1024 * 1024;

/** The vectors of an evaluation's servers and tools, by the embedder that computed them. */
export class ToolVectors {
  readonly #sql: CountedSql;

  constructor(sql: CountedSql) {
    this.#sql = sql;
  }

  /** Returns the texts of servers and tools that have no vector of an embedder yet, at most `limit`. */
  listTextsWithoutVector(embedder: string, descriptions: ReadonlyMap<string, string>, limit: number): RetrievalText[] {
    const due = (name: string): string =>
      `NOT EXISTS (SELECT 1 FROM tool_vectors WHERE embedder = ? AND tool_vectors.name = ${name})`;
    const servers = parseRows(
      serverRow,
      this.#sql.readUncounted(
        `SELECT DISTINCT server FROM tools WHERE ${due('tools.server')} ORDER BY server LIMIT ?`,
        embedder,
        limit,
      ),
    );
    const tools = this.#readToolDescriptions(
      `WHERE ${due('tools.name')} ORDER BY name LIMIT ?`,
      embedder,
      limit - servers.length,
    );
    return [
      ...servers.map(({ server }) =>
        makeRetrievalTextOfServer(
          server,
          descriptions.get(server),
          this.#readToolDescriptions('WHERE server = ? ORDER BY name', server),
        ),
      ),
      ...tools.map(makeRetrievalTextOfTool),
    ];
  }

  has(embedder: string, name: string): boolean {
    const found = this.#sql.readUncounted('SELECT 1 FROM tool_vectors WHERE embedder = ? AND name = ?', embedder, name);
    return found.toArray().length > 0;
  }

  /** Writes vectors of an embedder; those that are there stay. */
  write(embedder: string, vectors: readonly NamedVector[]): void {
    for (const { name, vector } of vectors)
      this.#sql.write(
        'INSERT OR IGNORE INTO tool_vectors (embedder, name, vector) VALUES (?, ?, ?)',
        embedder,
        name,
        Int8Array.from(vector).buffer,
      );
  }

  /** Returns vectors of an embedder by name, after one, as many as one call carries. */
  readVectorPage(embedder: string, after: string): VectorPage {
    const vectors: NamedVector[] = [];
    let bytes = 0;
    const rows = this.#sql.readUncounted(
      'SELECT name, vector FROM tool_vectors WHERE embedder = ? AND name > ? ORDER BY name',
      embedder,
      after,
    );
    for (const row of rows) {
      const { name, vector } = vectorRow.parse(row);
      if (bytes >= bytesPerPage) return { vectors, isLast: false };
      vectors.push({ name, vector: new Int8Array(vector) });
      bytes += vector.byteLength;
    }
    return { vectors, isLast: true };
  }

  #readToolDescriptions(where: string, ...bindings: SqlStorageValue[]): z.infer<typeof describedRow>[] {
    const query = `SELECT name, json_extract(json, '$.description') AS description FROM tools ${where}`;
    return parseRows(describedRow, this.#sql.readUncounted(query, ...bindings));
  }
}
