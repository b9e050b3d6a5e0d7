import { isSchema, resolveLocalReference, type Schema } from '#core/catalog/schema-fields.ts';

/** A place in a schema with a plain value or an unknown form. */
export interface SchemaLeaf {
  /** The property's name. Items of an array have the array's name. */
  readonly name: string;
  /** The name of the enclosing object; empty at the top. */
  readonly owner: string;
  /** The allowed `type`; `unknown` if the schema does not say. */
  readonly types: ReadonlySet<string>;
  /** Its `format`; empty if there is none. */
  readonly format: string;
  /** Its description, else that of the enclosing object or array; at most 400 characters. */
  readonly description: string;
  /** Whether it and everything around it are required. */
  readonly required: boolean;
  /** Whether the schema fixes its value or lists choices. */
  readonly chosen: boolean;
}

/** A hostile schema may be huge and refer to itself in many ways; anything beyond these limits is ignored. */
const maxDepth = 6;
const maxVisits = 300;
const maxLeaves = 64;
const maxReferences = 4;
const maxName = 80;
const maxDescription = 400;
const maxReference = 400;

type Around = Omit<SchemaLeaf, 'types' | 'format' | 'chosen'>;

/**
 * Returns the leaves of a schema in order, at most 64; all branches of `anyOf`, `oneOf` and `allOf` count as parts of
 * it.
 */
export const listSchemaLeaves = (schema: Schema): SchemaLeaf[] => {
  const leaves: SchemaLeaf[] = [];
  let visits = 0;
  const visitPart = (given: unknown, around: Around, depth: number): void => {
    visits += 1;
    if (visits > maxVisits || leaves.length >= maxLeaves || depth > maxDepth) return;
    const part = resolveReferenceChain(given, schema);
    if (part === undefined || part['type'] === 'null') return;
    const here = {
      ...around,
      description: truncatedTextOrEmpty(part['description'], maxDescription) || around.description,
    };
    const before = leaves.length + visits;
    for (const key of ['allOf', 'anyOf', 'oneOf']) {
      const branches = part[key];
      if (Array.isArray(branches))
        for (const branch of branches.slice(0, maxLeaves)) visitPart(branch, here, depth + 1);
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
        visitPart(properties[name], within, depth + 1);
      }
    }
    for (const key of ['items', 'additionalProperties']) if (isSchema(part[key])) visitPart(part[key], here, depth + 1);
    if (before === leaves.length + visits && here.name !== '')
      leaves.push({
        ...here,
        types: listTypes(part),
        format: truncatedTextOrEmpty(part['format'], maxName),
        chosen: hasFixedChoices(part),
      });
  };
  visitPart(schema, { name: '', owner: '', description: '', required: true }, 0);
  return leaves;
};

const resolveReferenceChain = (given: unknown, root: Schema): Schema | undefined => {
  let part = given;
  for (let steps = 0; steps < maxReferences && isSchema(part) && typeof part['$ref'] === 'string'; steps += 1)
    part = part['$ref'].length > maxReference ? undefined : resolveLocalReference(root, part['$ref']);
  return isSchema(part) ? part : undefined;
};

const hasFixedChoices = (part: Schema): boolean => 'const' in part || Array.isArray(part['enum']);

const listTypes = ({ type }: Schema): Set<string> => {
  const types = (Array.isArray(type) ? type.slice(0, maxReferences) : [type]).filter(
    (each) => typeof each === 'string' && each !== 'null',
  );
  return new Set(types.length === 0 ? ['unknown'] : types);
};

const truncatedTextOrEmpty = (value: unknown, most: number): string =>
  typeof value === 'string' ? value.slice(0, most) : '';
