import { z } from 'zod';
import { relationKind } from './relation-kinds.ts';

/**
 * The models' answers in the generation and audit of a unit, one schema for each. The JSON schemas for the models
 * derive from these; the prompts are in `prompts/`.
 */

const requestText = z.string().min(1).max(4_000);
const sentence = z.string().max(2_000);
const toolName = z.string().min(1).max(300);

/** A tool for which the writer cannot write a request, and what it would have to know for that. */
export const unwritableTool = z.object({ tool: toolName, missing: sentence });

/** A value that one tool of a task returns and a later one needs. */
const passedValue = z.object({ gives: toolName, needs: toolName, value: sentence });

/** A task, and what is asked of the fact index about it. */
export const scenario = z.object({
  /** Missing in units of earlier releases. */
  flow: z.array(passedValue).max(50).default([]),
  request: requestText,
  factQuery: z.string().min(1).max(500),
});

/** A task for candidate tools, or null if they do not belong together or cannot be written for. */
export const scenarioAnswer = z.object({
  why: sentence,
  scenario: scenario.nullable(),
  /** Missing in answers to earlier prompts. */
  unwritable: z.array(unwritableTool).max(50).default([]),
});

/**
 * The source of an argument's value: words of the request, the schema's default, a field of an earlier step, or the
 * agent itself. A value made of several places of the requests has a source for each.
 */
export const argumentSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('span'), text: z.string().min(1).max(4_000) }),
  /** Each request says the value in words of its own. */
  z.object({ kind: z.literal('spans'), source: z.string().min(1).max(4_000), followUp: z.string().min(1).max(4_000) }),
  z.object({ kind: z.literal('default') }),
  z.object({ kind: z.literal('field'), step: z.int().min(1).max(50), field: z.string().min(1).max(300) }),
  /** Written or decided while the step is carried out: a summary, a message, whether another step is needed. */
  z.object({ kind: z.literal('composed') }),
]);

/** The source of one argument of one step; steps count from 1. */
export const argumentOrigin = z.object({
  step: z.int().min(1).max(50),
  argument: z.string().min(1).max(300),
  source: argumentSource,
});
export type ArgumentOrigin = z.infer<typeof argumentOrigin>;

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

const chain = z.array(toolName).max(20);

/** Two requests of one intent and the chain that both expect, as a writer gives them. */
const writtenPair = z.object({
  source: requestText,
  followUp: requestText,
  chain: chain.min(1),
  arguments: z.array(argumentOrigin).max(200),
  facts: z.array(factUse).max(10),
});

/** A pair as a unit has it. */
export const pair = writtenPair.extend({
  /** Empty for a negative pair, which no tool fits. */
  chain,
  /** Set for a negative pair: the tool that its requests seem to ask for. */
  looksLike: toolName.optional(),
});

/** The kind that a pair has: the one that was asked for, or a paraphrase, also where the writer does not say. */
const writtenRelation = relationKind.default('paraphrase');

export const pairAnswer = z.object({ why: sentence, pair: writtenPair.nullable(), relation: writtenRelation });

/** Two requests of one intent that no tool fits; null if none could be found. */
export const negativePairAnswer = z.object({
  why: sentence,
  pair: writtenPair.pick({ source: true, followUp: true }).nullable(),
  relation: writtenRelation,
});

/** The answer of a writer that sees the whole catalog. */
export const catalogPairsAnswer = z.object({
  pairs: z.array(writtenPair.extend({ relation: writtenRelation })).max(20),
});

export const auditIssue = z.object({
  detail: sentence,
  request: z.enum(['source', 'followUp', 'both']),
  tool: toolName.nullable(),
  type: z.enum(['missing-parameter', 'semantic-mismatch', 'hallucination']),
});

/**
 * The critic's verdict on a fact that the writer used: whether the requests need it, and whether the passage supports
 * it.
 */
export const factVerdict = z.object({
  passage: z.int().min(1).max(10),
  why: sentence,
  verdict: z.enum(['needed', 'unneeded', 'unsupported']),
});

/** The critic's objections, a verdict on each used fact, and the grades that follow from them, 0..100 each. */
export const auditAnswer = z.object({
  issues: z.array(auditIssue).max(50),
  suggestions: z.array(sentence).max(20),
  facts: z.array(factVerdict).max(10),
  semanticEquivalence: z.number().min(0).max(100),
  parameterSolvability: z.number().min(0).max(100),
});

/** The critic's objections to a negative pair, how alike its requests are in what they want, and how sure it is that no tool serves them, 0..100 each. */
export const negativeAuditAnswer = auditAnswer
  .pick({ issues: true, suggestions: true, semanticEquivalence: true })
  .extend({ unserved: z.number().min(0).max(100) });

/** New wording for a pair with the same chain. */
export const refinementAnswer = z.object({
  source: requestText,
  followUp: requestText,
  arguments: z.array(argumentOrigin).max(200),
});

export type ScenarioAnswer = z.infer<typeof scenarioAnswer>;
export type ArgumentSource = z.infer<typeof argumentSource>;
export type Pair = z.infer<typeof pair>;
export type PairAnswer = Omit<z.infer<typeof pairAnswer>, 'pair'> & { readonly pair: Pair | null };
export type NegativePairAnswer = z.infer<typeof negativePairAnswer>;
export type CatalogPairsAnswer = z.infer<typeof catalogPairsAnswer>;
export type AuditAnswer = z.infer<typeof auditAnswer>;
export type NegativeAuditAnswer = z.infer<typeof negativeAuditAnswer>;
export type RefinementAnswer = z.infer<typeof refinementAnswer>;
