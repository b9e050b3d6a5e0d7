import { z } from 'zod';

/**
 * The classes of failed calls; every failed call has exactly one. Source: SGVEF-Loop, appendix C, Table 6, but for
 * `server-defect`, which is ours: the paper has no class for a server that is itself broken.
 */
export const failureClass = z.enum([
  'invalid-artifact-reference',
  'undefined-parameter-key',
  'precondition-violation',
  'authentication-deficit',
  'context-invalidation',
  'access-policy-rejection',
  'service-scope-limitation',
  'network-instability',
  'asynchronous-indeterminacy',
  'resource-contention',
  'implicit-business-constraint',
  'syntactic-malformation',
  'server-defect',
]);
export type FailureClass = z.infer<typeof failureClass>;

export const failureCategory = z.enum([
  'resource-hallucination',
  'state-dependency',
  'environment-and-policy',
  'concurrency',
  'semantic-and-schema',
]);
export type FailureCategory = z.infer<typeof failureCategory>;

/** The layers from the bottom up: the world, the contract with the tool, the agent's own thinking. */
export const failureLayer = z.enum(['environment', 'interface', 'cognition']);
export type FailureLayer = z.infer<typeof failureLayer>;

/** The category of each class. */
export const categoryOfFailure: Readonly<Record<FailureClass, FailureCategory>> = {
  'invalid-artifact-reference': 'resource-hallucination',
  'undefined-parameter-key': 'resource-hallucination',
  'precondition-violation': 'state-dependency',
  'authentication-deficit': 'state-dependency',
  'context-invalidation': 'state-dependency',
  'access-policy-rejection': 'environment-and-policy',
  'service-scope-limitation': 'environment-and-policy',
  'network-instability': 'environment-and-policy',
  'asynchronous-indeterminacy': 'environment-and-policy',
  'server-defect': 'environment-and-policy',
  'resource-contention': 'concurrency',
  'implicit-business-constraint': 'semantic-and-schema',
  'syntactic-malformation': 'semantic-and-schema',
};

/**
 * The layer of each category (appendix C.1 to C.3). The paper places every category except concurrency; a lock held by
 * somebody else is a fact about the world, so it is `environment` here.
 */
export const layerOfFailure: Readonly<Record<FailureCategory, FailureLayer>> = {
  'resource-hallucination': 'cognition',
  'state-dependency': 'cognition',
  'environment-and-policy': 'environment',
  concurrency: 'environment',
  'semantic-and-schema': 'interface',
};

/**
 * The class of a failed call and what decided it, as stored. `undecided`: no rule applied, and no judge was asked or
 * could decide; `why` is what a judge said who could not.
 */
export const failureVerdict = z.discriminatedUnion('source', [
  z.object({ source: z.literal('rule'), class: failureClass, rule: z.string() }),
  z.object({ source: z.literal('model'), class: failureClass, why: z.string() }),
  z.object({ source: z.literal('undecided'), why: z.string().optional() }),
]);
export type FailureVerdict = z.infer<typeof failureVerdict>;
