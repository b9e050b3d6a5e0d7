import { z } from 'zod';

/**
 * The form of results: the type of each part by its path, such as `{"id": "string", "tags[]": "string", "note?": "null | string"}`. A part
 * that not every result has ends in `?`; items of lists have `[]`, and values under keys that are data have `*`. Values do not
 * count, so a clock is no drift.
 */
export const resultShape = z.record(z.string(), z.string());
export type ResultShape = Readonly<z.infer<typeof resultShape>>;

/** Deeper parts, and further items and fields, are not looked at. */
const mostDepth = 8;
const mostParts = 200;
/** An object with more fields than this is a table: its keys are data. */
const mostNames = 40;

/** Names that somebody gave to a field; dates, ids and addresses are none. */
const fieldName = /^[A-Za-z_$@][A-Za-z_$-]*\d{0,2}$/;

/** Returns the types of all parts of a value, by path. The whole is `result`. */
function readTypes(root: unknown): ReadonlyMap<string, ReadonlySet<string>> {
  const types = new Map<string, Set<string>>();
  const visit = (value: unknown, path: string, depth: number): void => {
    const known = types.get(path) ?? new Set();
    types.set(path, known.add(typeOf(value)));
    if (depth >= mostDepth || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, mostParts)) visit(item, `${path}[]`, depth + 1);
      return;
    }
    const fields = Object.entries(value).slice(0, mostParts);
    for (const [key, field] of fields) {
      const name = fields.length <= mostNames && fieldName.test(key) ? key : '*';
      visit(field, path === 'result' ? name : `${path}.${name}`, depth + 1);
    }
  };
  visit(root, 'result', 0);
  return types;
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

/** Returns the form of what the same call returned several times. */
export function shapeOfValues(values: readonly unknown[]): ResultShape {
  const read = values.map(readTypes);
  const paths = [...new Set(read.flatMap((types) => [...types.keys()]))].toSorted();
  return Object.fromEntries(
    paths.map((path) => {
      const types = new Set(read.flatMap((each) => [...(each.get(path) ?? [])]));
      const isSure = !/[[*]/.test(path) && read.every((each) => each.has(path));
      return [isSure ? path : `${path}?`, [...types].toSorted().join(' | ')];
    }),
  );
}

/** Returns the form of all that had one of two forms. */
export function joinShapes(one: ResultShape, other: ResultShape): ResultShape {
  const [first, second] = [readShape(one), readShape(other)];
  const paths = [...new Set([...first.keys(), ...second.keys()])].toSorted();
  return Object.fromEntries(
    paths.map((path) => {
      const both = [first.get(path), second.get(path)];
      const types = new Set(both.flatMap((part) => part?.types ?? []));
      return [both.every((part) => part?.isSure === true) ? path : `${path}?`, [...types].toSorted().join(' | ')];
    }),
  );
}

const readShape = (
  shape: ResultShape,
): ReadonlyMap<string, { readonly types: readonly string[]; readonly isSure: boolean }> =>
  new Map(
    Object.entries(shape).map(([key, types]) => [
      key.replace(/\?$/, ''),
      { types: types.split(' | '), isSure: !key.endsWith('?') },
    ]),
  );

/** Returns in what the form of one result differs from a form, one clause each. Parts of lists that were empty before are new to nobody. */
export function listShapeDifferences(before: ResultShape, result: ResultShape): string[] {
  const [known, now] = [readShape(before), readShape(result)];
  const lost = [...known].flatMap(([path, { isSure }]) => (isSure && !now.has(path) ? [`"${path}" is gone`] : []));
  const other = [...now].flatMap(([path, { types }]): string[] => {
    const was = known.get(path);
    const parent = path.endsWith('[]') ? path.slice(0, -2) : path.slice(0, Math.max(0, path.lastIndexOf('.')));
    if (was === undefined)
      return parent !== '' && !known.has(parent) ? [] : path.endsWith('[]') ? [] : [`"${path}" is new`];
    const unknown = types.filter((type) => !was.types.includes(type));
    return unknown.length === 0 ? [] : [`"${path}" is ${unknown.join(' or ')} now, and was ${was.types.join(' or ')}`];
  });
  return [...lost, ...other];
}
