import { isModelAgent, type StoredAgent } from './config.ts';

/**
 * Returns whether an agent follows rules instead of asking a model: a null agent, or one whose model is the deployment's where that is offline.
 * What such an agent gets wrong is chance, and no evidence about the words of tools.
 */
const isRuleAgent = (agent: StoredAgent, offline: boolean): boolean =>
  agent.loop === 'null' || (offline && isModelAgent(agent) && agent.model.key.kind === 'deployment');

/** Returns the names of the rule agents, in order. */
export const namesOfRuleAgents = (agents: readonly StoredAgent[], offline: boolean): string[] =>
  agents.filter((agent) => isRuleAgent(agent, offline)).map(({ name }) => name);

/** Whose attempts a report on tools reads. */
interface ReportedAgents {
  readonly names: readonly string[];
  /** Whether all of them follow rules. */
  readonly offline: boolean;
}

/** Returns the agents whose attempts say something about tools: those that ask models or people; where there is none, all, and that they are rules. */
export function chooseReportedAgents(agents: readonly StoredAgent[], offline: boolean): ReportedAgents {
  const rules = new Set(namesOfRuleAgents(agents, offline));
  const names = agents.map(({ name }) => name);
  const others = names.filter((name) => !rules.has(name));
  return others.length === 0 ? { names, offline: true } : { names: others, offline: false };
}

/** Returns agents with the rule agents last, as one group; otherwise in the same order. */
export const withRuleAgentsLast = <T extends { readonly name: string }>(
  agents: readonly T[],
  { ruleAgents = [] }: { readonly ruleAgents?: readonly string[] | undefined },
): T[] => [
  ...agents.filter(({ name }) => !ruleAgents.includes(name)),
  ...agents.filter(({ name }) => ruleAgents.includes(name)),
];

/** What tables call an agent of the group of rule agents. */
export const agentNameInGroup = (
  name: string,
  { ruleAgents = [] }: { readonly ruleAgents?: readonly string[] | undefined },
): string => (ruleAgents.includes(name) ? `${name} (rules)` : name);

/** Says that a comparison between these agents is no evidence about models or words; null if none of them follows rules. */
export function ruleAgentsNoteOrNull(ruleAgents: readonly string[] | undefined = []): string | null {
  if (ruleAgents.length === 0) return null;
  return `${ruleAgents.join(' and ')} ${ruleAgents.length === 1 ? 'follows' : 'follow'} rules in place of a model: the difference says nothing about models or about words.`;
}
