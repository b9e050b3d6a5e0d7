import type { ShownAgent } from '../config.ts';

/** Returns the model of an agent as a log of Inspect AI names it; an agent whose model nobody knows is named by its loop. */
export function inspectModelName(agent: ShownAgent): string {
  if (agent.loop === 'uploaded') return agent.configuration.model ?? agent.configuration.loop;
  if (agent.loop === 'null') return `null:${agent.policy}`;
  return 'model' in agent ? agent.model : agent.loop;
}

/** Returns the limits of an attempt that are known: turns, tokens, and seconds. */
export function inspectLimitsOfAgent(agent: ShownAgent) {
  const given: Readonly<Record<string, number | boolean | undefined>> =
    agent.loop === 'uploaded' ? agent.configuration.limits : agent.limits;
  const { turns, tokens, timeMs } = given;
  return {
    turn: typeof turns === 'number' ? turns : undefined,
    token: typeof tokens === 'number' ? tokens : undefined,
    time: typeof timeMs === 'number' ? timeMs / 1_000 : undefined,
  };
}
