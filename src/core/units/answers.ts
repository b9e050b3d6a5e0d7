import { z } from 'zod';

/**
 * The models' answers in the generation and audit of a unit, one schema for each. The JSON schemas for the models
 * derive from these; the prompts are in `prompts/`.
 */

const requestText = z.string().min(1).max(4_000);
const sentence = z.string().max(2_000);
const toolName = z.string().min(1).max(300);

/** A task for candidate tools, or null if they do not belong together. */
export const scenarioAnswer = z.object({
  scenario: z.object({ request: requestText, factQuery: z.string().min(1).max(500) }).nullable(),
  why: sentence,
});

/** The source of an argument's value: words of the request, the schema's default, or a field of an earlier step. */
export const argumentSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('span'), text: z.string().min(1).max(4_000) }),
  z.object({ kind: z.literal('default') }),
  z.object({ kind: z.literal('field'), step: z.int().min(1).max(50), field: z.string().min(1).max(300) }),
]);

/** The source of one argument of one step; steps count from 1. */
export const argumentOrigin = z.object({
  step: z.int().min(1).max(50),
  argument: z.string().min(1).max(300),
  source: argumentSource,
});

/** The writer's view of one passage (counted from 1): its relevance, and its use, if any. */
export const factUse = z.object({
  passage: z.int().min(1).max(10),
  relevance: z.number().min(0).max(1),
  use: z
    .object({
      /** Words in both requests that could mean several things. */
      name: z.string().min(1).max(200),
      /** What the passage settles about them. */
      settles: z.string().min(1).max(500),
      /** The passage's own words for it. */
      quote: z.string().min(1).max(500),
    })
    .nullable(),
});
export type FactUse = z.infer<typeof factUse>;

/** Two requests of one intent and the chain that both expect. */
export const pair = z.object({
  source: requestText,
  followUp: requestText,
  chain: z.array(toolName).min(1).max(20),
  arguments: z.array(argumentOrigin).max(200),
  facts: z.array(factUse).max(10),
});

export const pairAnswer = z.object({ pair: pair.nullable(), why: sentence });

/** The answer of a writer that sees the whole catalog. */
export const catalogPairsAnswer = z.object({ pairs: z.array(pair).max(20) });

export const auditIssue = z.object({
  request: z.enum(['source', 'followUp', 'both']),
  tool: toolName.nullable(),
  type: z.enum(['missing-parameter', 'semantic-mismatch', 'hallucination']),
  detail: sentence,
});

/**
 * The critic's verdict on a fact that the writer used: whether the requests need it, and whether the passage supports
 * it.
 */
export const factVerdict = z.object({
  passage: z.int().min(1).max(10),
  verdict: z.enum(['needed', 'unneeded', 'unsupported']),
  why: sentence,
});

/** The critic's grades, 0..100 each, its objections, and a verdict on each used fact. */
export const auditAnswer = z.object({
  semanticEquivalence: z.number().min(0).max(100),
  parameterSolvability: z.number().min(0).max(100),
  issues: z.array(auditIssue).max(50),
  suggestions: z.array(sentence).max(20),
  facts: z.array(factVerdict).max(10),
});

/** New wording for a pair with the same chain. */
export const refinementAnswer = z.object({
  source: requestText,
  followUp: requestText,
  arguments: z.array(argumentOrigin).max(200),
});

export type ScenarioAnswer = z.infer<typeof scenarioAnswer>;
export type ArgumentSource = z.infer<typeof argumentSource>;
export type Pair = z.infer<typeof pair>;
export type PairAnswer = z.infer<typeof pairAnswer>;
export type CatalogPairsAnswer = z.infer<typeof catalogPairsAnswer>;
export type AuditAnswer = z.infer<typeof auditAnswer>;
export type RefinementAnswer = z.infer<typeof refinementAnswer>;
