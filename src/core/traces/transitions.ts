/** An ordered pair of different tools that follow each other. */
export type Transition = readonly [from: string, to: string];

/** A call as the registry sees it. */
export interface Call {
  /** `server/tool`, or the name as the agent wrote it if there is no such tool. */
  readonly tool: string;
  readonly ok: boolean;
  /**
   * The model turn that issued it, from 1. Calls of one turn have no order among them. Absent in records of earlier
   * releases, where each call counts as a turn of its own.
   */
  readonly turn?: number | undefined;
}

/** Returns neighbouring pairs of different tools, in order; a pair may occur more than once. */
export const neighbouringToolPairs = (tools: readonly string[]): Transition[] =>
  pairsOfNeighbouringTurns(tools.map((tool) => [tool]));

/**
 * Returns the transitions of a trace, in order; a pair may occur more than once. Failed calls are skipped, and a turn
 * without a successful call is no turn. Two calls of one turn were issued without knowledge of each other's results, so
 * neither follows the other. Every call of a turn was issued after all results of the turn before, so it follows each
 * of them: these are the pairs with nothing in between in the partial order that the turns give. They do not depend on
 * the order in which a model happens to write the calls of one turn, and for turns of one call they are the neighbours.
 */
export const transitionsOfSuccessfulCalls = (calls: readonly Call[]): Transition[] =>
  pairsOfNeighbouringTurns(groupCallsByTurn(calls.filter(({ ok }) => ok)).map((turn) => turn.map(({ tool }) => tool)));

/** Splits calls in order of issue into turns. */
export function groupCallsByTurn<C extends Pick<Call, 'turn'>>(calls: readonly C[]): C[][] {
  const turns: C[][] = [];
  let turn: number | undefined;
  for (const call of calls) {
    const last = turns.at(-1);
    if (last === undefined || call.turn === undefined || call.turn !== turn) turns.push([call]);
    else last.push(call);
    turn = call.turn;
  }
  return turns;
}

/** Returns each tool of a turn with each different tool of the next. */
function pairsOfNeighbouringTurns(turns: readonly (readonly string[])[]): Transition[] {
  const pairs: Transition[] = [];
  let before: readonly string[] = [];
  for (const turn of turns) {
    for (const from of before) for (const to of turn) if (from !== to) pairs.push([from, to]);
    before = turn;
  }
  return pairs;
}

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
