import { isSchema, resolved, type Schema } from '#core/catalog/schema-fields.ts';

/** A place of a schema that holds a plain value, or whose form is not told. */
export interface SchemaLeaf {
  /** The property's name. Items of an array bear the array's name. */
  readonly name: string;
  /** The name of the object that it belongs to; empty at the top. */
  readonly owner: string;
  /** What its `type` allows; `unknown` where the schema does not say. */
  readonly types: ReadonlySet<string>;
  /** Its `format`; empty without one. */
  readonly format: string;
  /** Its description, else that of the object or array around it; at most 400 characters. */
  readonly description: string;
  /** Whether it and all that it is part of are required. */
  readonly required: boolean;
  /** Whether the schema gives its value, or a list to choose from. */
  readonly chosen: boolean;
}

/** A hostile schema refers to itself, in many ways, and is huge: what lies beyond is not looked at. */
const maxDepth = 6;
const maxVisits = 300;
const maxLeaves = 64;
const maxReferences = 4;
const maxName = 80;
const maxDescription = 400;
const maxReference = 400;

type Around = Omit<SchemaLeaf, 'types' | 'format' | 'chosen'>;

/** The leaves of a schema, at most 64, in its order; branches of `anyOf`, `oneOf` and `allOf` are all parts of it. */
export const leavesOf = (schema: Schema): SchemaLeaf[] => {
  const leaves: SchemaLeaf[] = [];
  let visits = 0;
  const visit = (given: unknown, around: Around, depth: number): void => {
    visits += 1;
    if (visits > maxVisits || leaves.length >= maxLeaves || depth > maxDepth) return;
    const part = followed(given, schema);
    if (part === undefined || part['type'] === 'null') return;
    const here = { ...around, description: textOf(part['description'], maxDescription) || around.description };
    const before = leaves.length + visits;
    for (const key of ['allOf', 'anyOf', 'oneOf']) {
      const branches = part[key];
      if (Array.isArray(branches)) for (const branch of branches.slice(0, maxLeaves)) visit(branch, here, depth + 1);
    }
    const properties = part['properties'];
    if (isSchema(properties)) {
      const required: readonly unknown[] = Array.isArray(part['required']) ? part['required'].slice(0, maxLeaves) : [];
      for (const name of Object.keys(properties).slice(0, maxVisits)) {
        const within = {
          ...here,
          name: name.slice(0, maxName),
          owner: here.name,
          required: here.required && required.includes(name),
        };
        visit(properties[name], within, depth + 1);
      }
    }
    for (const key of ['items', 'additionalProperties']) if (isSchema(part[key])) visit(part[key], here, depth + 1);
    if (before === leaves.length + visits && here.name !== '')
      leaves.push({ ...here, types: typesOf(part), format: textOf(part['format'], maxName), chosen: isChosen(part) });
  };
  visit(schema, { name: '', owner: '', description: '', required: true }, 0);
  return leaves;
};

const followed = (given: unknown, root: Schema): Schema | undefined => {
  let part = given;
  for (let steps = 0; steps < maxReferences && isSchema(part) && typeof part['$ref'] === 'string'; steps += 1)
    part = part['$ref'].length > maxReference ? undefined : resolved(root, part['$ref']);
  return isSchema(part) ? part : undefined;
};

const isChosen = (part: Schema): boolean => 'const' in part || Array.isArray(part['enum']);

const typesOf = ({ type }: Schema): Set<string> => {
  const types = (Array.isArray(type) ? type.slice(0, maxReferences) : [type]).filter(
    (each) => typeof each === 'string' && each !== 'null',
  );
  return new Set(types.length === 0 ? ['unknown'] : types);
};

const textOf = (value: unknown, most: number): string => (typeof value === 'string' ? value.slice(0, most) : '');
