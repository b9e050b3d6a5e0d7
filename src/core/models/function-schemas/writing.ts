import { References } from '#core/values/json-schema/references.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import type { JsonObject } from '#core/values/json-schema/json-object.ts';
import { z } from 'zod';

/** What was changed in a schema without a change of its meaning. */
export const schemaRewrite = z.enum([
  'dialect-dropped',
  'type-added',
  'properties-added',
  'items-added',
  'reference-inlined',
  'siblings-dropped',
  'all-of-merged',
  'tuple-to-prefix-items',
  'boolean-bound-to-number',
  'const-to-enum',
  'enum-to-bounds',
  'exclusive-to-inclusive',
  'types-to-any-of',
  'one-of-to-any-of',
  'null-to-nullable',
  'annotations-dropped',
  'fields-listed',
]);
export type SchemaRewrite = z.infer<typeof schemaRewrite>;

/** Why a schema cannot be written without a change of its meaning. */
export const schemaRefusal = z.object({
  reason: z.enum([
    /** The profile has no word for it, at this place. */
    'keyword',
    'recursive-reference',
    'broken-reference',
    /** The alternatives of `oneOf` may overlap, and only `anyOf` can be written. */
    'overlapping-alternatives',
    /** The values of `enum` or `const` cannot be listed. */
    'values',
    /** A property's name has a form that the endpoint refuses. */
    'field-name',
    /** It describes something else than an object, is no schema, or nothing fits it. */
    'no-object',
    'no-schema',
    'nothing-fits',
    /** It is deeper or larger than what is written. */
    'too-large',
    /** It could not be decided within the allowed steps. */
    'undecided',
  ]),
  /** A JSON pointer into the schema, followed through its references. */
  pointer: z.string(),
});
export type SchemaRefusal = z.infer<typeof schemaRefusal>;

/** What is larger is not written: references that are inlined multiply. */
const mostNodes = 5_000;
const deepest = 40;
const steps = 200_000;
const pointerChars = 300;

/** The state of writing one schema. The first refusal counts. */
export class Writing {
  readonly references: References;
  /** Shared by all checks of one schema. */
  readonly steps = new Steps(steps);
  /** Drafts up to 7 ignore the siblings of a reference. */
  readonly referenceAlone: boolean;
  readonly inlines: boolean;
  readonly rewrites = new Set<SchemaRewrite>();
  refusal: SchemaRefusal | null = null;
  #left = mostNodes;

  constructor(root: JsonObject, inlines: boolean) {
    const { $schema } = root;
    this.references = new References(root, this.steps);
    this.referenceAlone = typeof $schema === 'string' && /draft-0[3-7]/.test($schema);
    this.inlines = inlines;
  }

  /** Counts one more subschema; false if it is not written any more. */
  countSubschemaIfAllowed(pointer: string, depth: number): boolean {
    this.#left -= 1;
    if (this.refusal !== null) return false;
    if (this.#left >= 0 && depth <= deepest) return true;
    this.recordRefusalGivingEmptySchema('too-large', pointer);
    return false;
  }

  /** Notes why the schema cannot be written; returns an empty schema in place of the part. */
  recordRefusalGivingEmptySchema(reason: SchemaRefusal['reason'], pointer: string): JsonObject {
    this.refusal ??= { reason, pointer: pointer.slice(0, pointerChars) };
    return {};
  }
}

/** Appends a part to a JSON pointer. */
export const extendPointer = (pointer: string, ...parts: readonly (string | number)[]): string =>
  [pointer, ...parts.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
