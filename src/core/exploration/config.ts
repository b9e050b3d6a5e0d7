import { z } from 'zod';
import { agentLimits } from '#core/models/limits.ts';
import { explorationMounting, mounting } from '#core/units/mounting/mounting.ts';
import { samplingParameters } from './sampling.ts';
import { relationWeights } from '#core/units/relation-kinds.ts';
import { userPolicy } from '#core/models/simulated-user/asked-question.ts';
import { namespaceName } from '#core/similarity/knowledge/record.ts';

/** How candidate tools are drawn, and what the writer is told. */
export const strategyName = z.enum(['frontier', 'sgvef', 'sgve', 'gve', 'inverse-frequency', 'hierarchical', 'chain']);
export type StrategyName = z.infer<typeof strategyName>;

/** The rules that end a run; `rounds` always applies as well. */
export const budget = z.strictObject({
  rounds: z.int().min(1).max(1_000).default(60),
  tokens: z.int().min(1).optional(),
  costUsd: z.number().positive().optional(),
  wallMs: z.int().min(1_000).optional(),
  /** Calls that may change a server's state. */
  writes: z.int().min(1).optional(),
});
export type Budget = z.infer<typeof budget>;

export const stopRule = z
  .strictObject({
    rule: z.enum(['none', 'probe', 'chao1', 'bound']).default('none'),
    /**
     * For `probe`: the target share of a fresh unit's transitions that are known, below 1. For `bound`: the target
     * share of the run's fixed bound.
     */
    target: z.number().gt(0).lte(1).default(0.8),
  })
  .refine(({ rule, target }) => rule !== 'probe' || target < 1, {
    message: 'no number of probes makes certain that everything is known: a target below 1',
    path: ['target'],
  });
export type StopRule = z.infer<typeof stopRule>;

/** What a client chooses for an exploration. */
export const explorationConfig = z
  .strictObject({
    catalog: z.string().min(1).max(100),
    name: z.string().max(200).default(''),
    strategy: strategyName.default('frontier'),
    /** The same seed, catalog and model answers give the same units in the same order. */
    seed: z.int().min(0).max(2_147_483_647).default(1),
    /** Steered units per round, without the probe. */
    batch: z.int().min(1).max(50).default(10),
    /**
     * How many of them are for one tool that is easily taken for another one of the catalog: both requests then ask for what
     * only that tool does. Tools take turns. Without such tools these units are as the others.
     */
    siblingUnits: z.int().min(0).max(50).default(0),
    /**
     * How many of them are negative: both requests then look as if one of the tools served them, and no tool of the catalog does.
     * Tools take turns.
     */
    negativeUnits: z.int().min(0).max(50).default(0),
    budget: budget.prefault({}),
    /** How candidate tools are drawn. */
    sampling: samplingParameters.prefault({}),
    /**
     * A fixed number of transitions that counts as all of them: the mean at which Chao1 converged in a pilot (SGVEF-Loop,
     * appendix A.1). It is then the denominator of `transitionCoverage`, in place of the run's own Chao1.
     */
    bound: z.number().min(1).max(1e9).optional(),
    stop: stopRule.prefault({}),
    review: z.enum(['park', 'wait', 'accept', 'reject']).default('park'),
    /** With `wait`: how long a round waits for the decision on a unit. */
    reviewTimeoutMs: z.int().min(1_000).max(604_800_000).default(86_400_000),
    /** The index in which units are grounded; without it they are not grounded. */
    knowledge: z
      .strictObject({
        index: z.string().min(1).max(100),
        namespace: namespaceName.default('main'),
        /** Number of passages that the writer sees (top-N of SGVEF-Loop, section 4.2). */
        passages: z.int().min(1).max(10).default(3),
      })
      .optional(),
    /** How often each kind of metamorphic relation is asked for. */
    relations: relationWeights.prefault({}),
    /** The languages in which requests are written, such as `English`; each unit draws one. */
    languages: z.array(z.string().trim().min(1).max(50)).min(1).max(20).default(['English']),
    /** Scores, 0..100, from which a unit is usable, and from which it needs no reviewer. */
    passScore: z.number().min(0).max(100).default(80),
    acceptScore: z.number().min(0).max(100).default(90),
    maxRefinements: z.int().min(0).max(10).default(3),
    /** Days after its end for which it keeps the texts of its attempts: arguments, results, answers. Absent: for ever. */
    keepTextsDays: z.int().min(1).max(3_650).optional(),
    agent: agentLimits.prefault({}),
    /** What is answered when a server asks its user in a call of the base agent; the critic's model plays the user. Absent: it is declined. */
    user: userPolicy.optional(),
    /** Which tools the base agent sees. The published loop shows it the whole environment (SGVEF-Loop, figure 8). */
    mounting: mounting.default(explorationMounting),
  })
  .refine(({ stop, bound }) => stop.rule !== 'bound' || bound !== undefined, {
    message: 'the stop rule bound needs a bound',
    path: ['bound'],
  })
  .refine(({ siblingUnits, batch }) => siblingUnits <= batch, {
    message: 'siblingUnits is at most batch',
    path: ['siblingUnits'],
  })
  .refine(({ siblingUnits, negativeUnits, batch }) => negativeUnits === 0 || siblingUnits + negativeUnits <= batch, {
    message: 'negativeUnits and siblingUnits together are at most batch',
    path: ['negativeUnits'],
  })
  .refine(({ siblingUnits, strategy }) => siblingUnits === 0 || strategy !== 'chain', {
    message: 'the strategy chain makes tasks along chains, so it has no siblingUnits',
    path: ['siblingUnits'],
  })
  .refine(({ negativeUnits, strategy }) => negativeUnits === 0 || strategy !== 'chain', {
    message: 'the strategy chain makes tasks along chains, so it has no negativeUnits',
    path: ['negativeUnits'],
  });
export type ExplorationConfig = z.infer<typeof explorationConfig>;
