import { singularOf, type ToolWords } from './tool-words.ts';

/** What a description says of a statement; in capitals it is no everyday word. */
const speaksOfSql = /\bSQL\b|\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)\b/u;
const statementNames = new Set(['query', 'sql', 'statement']);
const changesRows = /\b(?:INSERT|UPDATE|DELETE)\b/u;

/**
 * Returns SQL for an argument that takes a statement, by what the tool does: reads if nothing else is said. Statements on a
 * table need one that the server has shown. Null if the argument takes no SQL.
 */
export const sqlSamplesOrNull = (
  argument: readonly string[],
  { verb, noun }: ToolWords,
  description: string,
  tables: readonly (string | number)[],
): string[] | null => {
  const isOfTables = noun.map(singularOf).includes('table');
  if (!statementNames.has(argument.at(-1) ?? '') || !(speaksOfSql.test(description) || isOfTables)) return null;
  const named = tables.filter((table) => /^\w+$/u.test(String(table)));
  if (verb === 'create' && isOfTables)
    return ['juniper', 'meridian', 'lantern'].map((name) => `CREATE TABLE ${name} (id INTEGER, title TEXT)`);
  if (isOfTables && changers.has(verb ?? ''))
    return named.map((table) => `ALTER TABLE ${table} ADD COLUMN remark TEXT`);
  if (changesRows.test(description) && !/\bSELECT\b/u.test(description))
    return named.map((table) => `DELETE FROM ${table} WHERE 1 = 0`);
  const ofTables = named.map((table) => `SELECT * FROM ${table}`);
  return [...ofTables, 'SELECT 1 AS one', 'SELECT 2 + 3 AS total', 'SELECT 7 AS seven'];
};

const changers = new Set(['alter', 'modify', 'change', 'update']);
