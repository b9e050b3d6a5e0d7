import { listTopLevelNamesAndUndescribed } from '#core/catalog/schema-fields.ts';
import type { ChangingVerb } from '#core/catalog/changing-verbs.ts';
import { findUnresolvedContradictionOrNull } from '#core/catalog/effect.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { checkSchemasUnderProfiles } from '#core/models/function-schemas/judge-schemas.ts';
import type { SchemaProfileName } from '#core/models/function-schemas/profiles.ts';
import type { SchemaRefusal, SchemaRewrite } from '#core/models/function-schemas/writing.ts';
import { firstCharacters } from '#core/values/excerpt.ts';
import { estimateSchemaTokens } from '#core/units/mounting/mountable-catalog.ts';

/** Characters by which descriptions are compared: about what clients show of them. */
const comparedChars = 2_000;

/** What the definition of a tool says by itself, without a call. */
export interface ToolDefinition {
  /** `server/tool` */
  readonly tool: string;
  /** How its words contradict its declaration that it only reads, which nobody has corrected; null if they do not. */
  readonly contradiction: ChangingVerb | null;
  /** By an estimate. */
  readonly schemaTokens: number;
  /** The beginning of the description in one line; empty if there is none. */
  readonly description: string;
  /** UTF-16 units of the description as the server sent it. */
  readonly descriptionChars: number;
  /** How many arguments there are at the top level, and the names of those that nothing describes in words. */
  readonly arguments: number;
  readonly undescribed: readonly string[];
  /** Profiles of endpoints that refuse the schema, where it cannot be rewritten with the same meaning. */
  readonly refused: readonly (SchemaRefusal & { readonly profile: SchemaProfileName })[];
  /** Profiles of endpoints for which the schema is rewritten. */
  readonly rewritten: readonly { readonly profile: SchemaProfileName; readonly rewrites: readonly SchemaRewrite[] }[];
}

/** Returns what the definition of a tool says by itself. */
export function describeToolDefinition(
  tool: Pick<Tool, 'name' | 'title' | 'description' | 'annotations' | 'effect' | 'inputSchema'>,
): ToolDefinition {
  const { names, undescribed } = listTopLevelNamesAndUndescribed(tool.inputSchema);
  const verdicts = checkSchemasUnderProfiles([tool]);
  const { description = '' } = tool;
  return {
    tool: tool.name,
    contradiction: findUnresolvedContradictionOrNull(tool),
    schemaTokens: estimateSchemaTokens(tool),
    description: firstCharacters(description.replaceAll(/\s+/g, ' ').trim(), comparedChars),
    descriptionChars: description.length,
    arguments: names.length,
    undescribed,
    refused: verdicts.flatMap(({ profile, leftOut }) =>
      leftOut.map(({ reason, pointer }) => ({ profile, reason, pointer })),
    ),
    rewritten: verdicts.flatMap(({ profile, rewritten }) => rewritten.map(({ rewrites }) => ({ profile, rewrites }))),
  };
}
