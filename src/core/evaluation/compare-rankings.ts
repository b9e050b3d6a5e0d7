import { z } from 'zod';
import { scorerKeys, type ScorerKey } from './scorers.ts';
import { kendallPValueOrNull, kendallTauB } from '#core/statistics/kendall.ts';

/** How far two evaluations of the same agents order them alike. */
export const rankingComparison = z.object({
  /** The scorer whose means order the agents. */
  scorer: z.enum(scorerKeys),
  /** The agents that have a mean in both, with both means; best first in this evaluation. */
  agents: z.array(z.object({ agent: z.string(), here: z.number(), there: z.number() })),
  /** Kendall's tau-b; null with fewer than two different means. */
  tauB: z.number().nullable(),
  /** Its two-sided p-value: the probability of so much agreement, or disagreement, between orders without relation. */
  p: z.number().nullable(),
  /** Pairs of agents of which each is ahead of the other in one evaluation. */
  swapped: z.array(z.object({ aheadHere: z.string(), aheadThere: z.string() })),
});
export type RankingComparison = z.infer<typeof rankingComparison>;

/** The agents of an evaluation with their means. */
interface RankedAgents {
  readonly agents: readonly {
    readonly name: string;
    readonly scores: Readonly<Partial<Record<ScorerKey, { readonly mean: number | null }>>>;
  }[];
}

/** Compares how two evaluations order their common agents. */
export function compareRankings(here: RankedAgents, there: RankedAgents, scorer: ScorerKey): RankingComparison {
  const meansThere = new Map(there.agents.map(({ name, scores }) => [name, scores[scorer]?.mean ?? null]));
  const agents = here.agents
    .flatMap(({ name, scores }) => {
      const [own, other] = [scores[scorer]?.mean ?? null, meansThere.get(name) ?? null];
      return own === null || other === null ? [] : [{ agent: name, here: own, there: other }];
    })
    .toSorted((a, b) => b.here - a.here);
  const [means, meansOther] = [agents.map((each) => each.here), agents.map((each) => each.there)];
  return {
    scorer,
    agents,
    tauB: kendallTauB(means, meansOther),
    p: kendallPValueOrNull(means, meansOther),
    swapped: agents.flatMap((ahead, at) =>
      agents
        .slice(at + 1)
        .filter((behind) => ahead.here > behind.here && ahead.there < behind.there)
        .map((behind) => ({ aheadHere: ahead.agent, aheadThere: behind.agent })),
    ),
  };
}
