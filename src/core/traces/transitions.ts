/** An ordered pair of different tools that follow each other. */
export type Transition = readonly [from: string, to: string];

/** A call as the registry sees it. */
export interface Call {
  /** `server/tool`, or the name as the agent wrote it if there is no such tool. */
  readonly tool: string;
  readonly ok: boolean;
}

/** Returns neighbouring pairs of different tools, in order; a pair may occur more than once. */
export const consecutivePairs = (tools: readonly string[]): Transition[] => {
  const pairs: Transition[] = [];
  let previous: string | undefined;
  for (const tool of tools) {
    if (previous !== undefined && previous !== tool) pairs.push([previous, tool]);
    previous = tool;
  }
  return pairs;
};

/** Returns the tools of the successful calls in order of issue; failed calls are skipped. */
export const successfulTools = (calls: readonly Call[]): string[] =>
  calls.filter((call) => call.ok).map((call) => call.tool);

/** Removes repetitions, keeping the first occurrence of each pair. */
export const distinctTransitions = (pairs: readonly Transition[]): Transition[] => {
  const seen = new Map<string, Set<string>>();
  return pairs.filter(([from, to]) => {
    const targets = seen.get(from);
    if (targets?.has(to)) return false;
    if (targets) targets.add(to);
    else seen.set(from, new Set([to]));
    return true;
  });
};
