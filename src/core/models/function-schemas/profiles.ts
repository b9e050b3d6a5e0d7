import { z } from 'zod';

/** What endpoints take as the schema of a function's parameters. */
export const schemaProfileName = z.enum(['any', 'openai', 'anthropic', 'gemini']);
export type SchemaProfileName = z.infer<typeof schemaProfileName>;

/** The rules of one profile, beyond that a schema follows draft 2020-12 and describes an object. */
export interface SchemaProfile {
  /** Whether a schema that breaks a rule is not sent. Where nothing is published, the endpoint decides. */
  readonly refuses: boolean;
  /** Keywords that the outermost schema may not have. */
  readonly notAtRoot: readonly string[];
  /** Whether every array says what its items are. */
  readonly wantsItems: boolean;
  /** The form of the names of the outermost properties; null for any. */
  readonly fieldNames: RegExp | null;
  /** Whether schemas are written in the words of Gemini's `Schema` instead of JSON schema. */
  readonly isGemini: boolean;
}

/** What is published or reported of endpoints; docs/models.md says what becomes of a tool's schema. */
export const schemaProfiles: Readonly<Record<SchemaProfileName, SchemaProfile>> = {
  any: { refuses: false, notAtRoot: [], wantsItems: true, fieldNames: null, isGemini: false },
  // "object schema missing properties" (langchain-ai/langchain-mcp-adapters#137), "array schema missing items"
  // (PrefectHQ/fastmcp#2464), "not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level" (langchain-ai/langchainjs#9804,
  // goruck/home-generative-agent#545). References are taken where functions are not strict.
  openai: {
    refuses: true,
    notAtRoot: ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'],
    wantsItems: true,
    fieldNames: null,
    isGemini: false,
  },
  // "It must match JSON Schema draft 2020-12" (anthropics/claude-code#63673), "does not support oneOf, allOf, or anyOf at the top
  // level" (anthropics/claude-code#27337), "Property keys should match pattern" (beautyfree/appstore-connect-mcp#2; only the outermost:
  // decocms/studio#6874).
  anthropic: {
    refuses: true,
    notAtRoot: ['oneOf', 'anyOf', 'allOf'],
    wantsItems: false,
    fieldNames: /^[a-zA-Z0-9_.-]{1,64}$/,
    isGemini: false,
  },
  // `Schema` of the Generative Language API, v1beta: every other keyword is "Unknown name" (openswarm-ai/openswarm#24), a list of types
  // "cannot start list", and values are "only allowed for STRING type" (anomalyco/opencode#28397).
  gemini: { refuses: true, notAtRoot: [], wantsItems: true, fieldNames: null, isGemini: true },
};
