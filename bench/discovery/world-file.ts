import { z } from 'zod';
import { relations, type Relation } from '#core/catalog/relation.ts';
import { domainName } from '#core/catalog/tool.ts';

const weight = z.number().min(0).max(1e6);
const share = z.number().min(0).max(1);
const spread = z.number().min(0).max(5);
const MAX_TOOLS = 10_000;

/** A world to explore whose truth is drawn from these figures; docs/discovery.md explains each. */
export const worldFile = z
  .strictObject({
    name: z.string().min(1).max(100),
    servers: z
      .array(z.strictObject({ domain: domainName, tools: z.int().min(1).max(MAX_TOOLS) }))
      .min(1)
      .max(MAX_TOOLS),
    /** True transitions. */
    transitions: z.int().min(1).max(1_000_000),
    /** The probability that a pair is a true transition, by how its tools are related, times a lognormal factor. */
    placement: z.strictObject({ sameServer: weight, sameDomain: weight, cross: weight, sigma: spread }),
    /**
     * How much the affinities of true transitions differ: lognormal, by the tool they lead to and by the transition.
     */
    popularity: z.strictObject({ toolSigma: spread, transitionSigma: spread }),
    generator: z.strictObject({
      chainLength: z.tuple([z.int().min(2).max(50), z.int().min(2).max(50)]),
      /** The factor for a known transition's affinity, if the generator is told which are known. */
      knownWeight: weight,
      /** The exponent of affinities if it sees the whole catalog. */
      collapse: z.number().min(0).max(10),
      /** Candidate sets that it may reject before the unit is lost. */
      attempts: z.int().min(1).max(4),
    }),
    execution: z.strictObject({ dropRate: z.number().min(0).lt(1) }),
    schemaHint: z.strictObject({ truePositive: share, falsePositive: share }),
    batch: z.int().min(1).max(50),
  })
  .superRefine(({ servers, transitions, placement, generator }, context) => {
    const complain = (path: (string | number)[], message: string): void =>
      context.addIssue({ code: 'custom', path, message });
    const tools = servers.reduce((sum, server) => sum + server.tools, 0);
    if (tools < 2 || tools > MAX_TOOLS)
      complain(['servers'], `2 to ${MAX_TOOLS} tools in all are possible; these are ${tools}`);
    const [shortest, longest] = generator.chainLength;
    if (shortest > longest)
      complain(['generator', 'chainLength'], `the shortest (${shortest}) is longer than the longest (${longest})`);
    const pairs = countPairsByRelation(servers);
    const possible = relations.reduce((sum, relation) => sum + (placement[relation] > 0 ? pairs[relation] : 0), 0);
    if (transitions > possible)
      complain(['transitions'], `only ${possible} pairs of tools have a weight above 0; these are ${transitions}`);
  });
export type WorldFile = z.infer<typeof worldFile>;

/** Ordered pairs of different tools, by how the two are related. */
const countPairsByRelation = (servers: WorldFile['servers']): Record<Relation, number> => {
  const byDomain = new Map<string, number>();
  let all = 0;
  let sameServer = 0;
  for (const { domain, tools } of servers) {
    byDomain.set(domain, (byDomain.get(domain) ?? 0) + tools);
    all += tools;
    sameServer += tools * (tools - 1);
  }
  let inDomain = 0;
  for (const tools of byDomain.values()) inDomain += tools * (tools - 1);
  return { sameServer, sameDomain: inDomain - sameServer, cross: all * (all - 1) - inDomain };
};
