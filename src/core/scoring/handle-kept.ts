import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { isMarker } from '#core/traces/redaction/marker.ts';
import { areSameKind, listPassedHandles, listReturnedHandles, type Handle } from '#core/traces/handles.ts';
import { hasValueOfEarlierText } from '#core/traces/passed-values.ts';
import { hasFailed, hasSucceeded } from '#core/traces/step-outcome.ts';
import type { Step } from '#core/traces/trace.ts';
import { makeTraceScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';

export type HandleKeptParts = {
  /** Calls that passed handles that earlier calls had returned. */
  readonly kept: number;
  /** Calls that passed one that neither a result nor the request had. */
  readonly invented: number;
  /** Calls that the server refused, with one that it had replaced. */
  readonly stale: number;
};

type Call = Pick<Step, 'tool' | 'arguments' | 'outcome' | 'reported' | 'text' | 'truncated' | 'turn' | 'form'>;

/** A handle that a call returned. */
type Returned = Handle & Pick<Call, 'tool' | 'turn'>;

/** Shorter values stand in texts by chance, so they count only under the name of a handle. */
const minCharsInText = 4;

/**
 * Returns the share of an attempt's calls with a handle that passed one which they could know, 0..1. A server without sessions returns handles, such as
 * a `basket_id`, and the agent has to pass them on. A call counts if it has an argument with the name of a handle (`readHandleName`), and
 * a successful call of its server in an earlier turn returned a handle of the same kind (`areSameKind`). It has kept its handles if all of
 * them are in such results. A handle that the request names, that was redacted, or that may be in the part of a result that the trace does not keep, says
 * nothing. A handle is stale if a call that passed it returned another one of the same name in its place, and the server refused it later.
 */
export function scoreHandleKept(steps: readonly Call[], request = ''): Score<HandleKeptParts> {
  const parts = { kept: 0, invented: 0, stale: 0 };
  const results = steps.filter((step) => hasSucceeded(step) && step.form !== 'no-tool');
  const returned = results.flatMap((step) =>
    listReturnedHandles(step.text).map((handle): Returned => ({ ...handle, tool: step.tool, turn: step.turn })),
  );
  const replaced = listReplacedHandles(results);
  for (const step of steps) {
    const verdict = classifyHandleUseOrNull(step, { results, returned, replaced, request });
    if (verdict !== null) parts[verdict] += 1;
  }
  const decided = parts.kept + parts.invented + parts.stale;
  if (decided === 0) return makeUnscored('no-handles', parts);
  return makeScore(
    parts.kept / decided,
    parts,
    `${parts.kept} of ${decided} calls passed handles that had been returned.`,
  );
}

interface Known {
  readonly results: readonly Call[];
  readonly returned: readonly Returned[];
  readonly replaced: readonly Returned[];
  readonly request: string;
}

const isEarlierOnSameServer = (one: Pick<Call, 'tool' | 'turn'>, call: Call): boolean =>
  one.turn < call.turn && serverNameOfToolName(one.tool) === serverNameOfToolName(call.tool);

/** Returns what a call did with its handles; null if it says nothing. */
function classifyHandleUseOrNull(
  call: Call,
  { results, returned, replaced, request }: Known,
): keyof HandleKeptParts | null {
  if (call.arguments === null || call.form === 'no-tool' || call.outcome === 'fault') return null;
  const given = returned.filter((each) => isEarlierOnSameServer(each, call));
  const passed = listPassedHandles(call.arguments).filter(
    (handle) =>
      !isMarker(handle.value) &&
      given.some((each) => areSameKind(each, { ...handle, tool: call.tool })) &&
      !hasValueOfEarlierText(handle.value, [request]),
  );
  if (passed.length === 0) return null;
  const earlier = results.filter((each) => isEarlierOnSameServer(each, call));
  const unknown = passed.filter(({ value }) => !isHandleReturnedByServer(value, given, earlier));
  if (unknown.length > 0) return earlier.some(({ truncated }) => truncated) ? null : 'invented';
  const isStale = hasFailed(call) && passed.some(({ value }) => isReplaced(value, replaced, call));
  return isStale ? 'stale' : 'kept';
}

const isHandleReturnedByServer = (value: string, given: readonly Returned[], earlier: readonly Call[]): boolean =>
  given.some((each) => each.value.toLowerCase() === value.toLowerCase()) ||
  (value.length >= minCharsInText &&
    hasValueOfEarlierText(
      value,
      earlier.map(({ text }) => text),
    ));

const isReplaced = (value: string, replaced: readonly Returned[], call: Call): boolean =>
  replaced.some((each) => each.value === value && isEarlierOnSameServer(each, call));

/** Returns the handles in whose place their server returned another one of the same name, with the calls that it replaced them in. */
const listReplacedHandles = (results: readonly Call[]): Returned[] =>
  results.flatMap(({ tool, turn, text, arguments: args }) => {
    if (args === null) return [];
    const answered = listReturnedHandles(text);
    return listPassedHandles(args).flatMap((handle) => {
      const values = new Set(answered.filter(({ subject }) => subject === handle.subject).map(({ value }) => value));
      const isGone = values.size === 1 && !hasValueOfEarlierText(handle.value, [text]);
      return isGone ? [{ ...handle, tool, turn }] : [];
    });
  });

export const handleKept = makeTraceScorer({
  key: 'handlekept',
  title: 'handle kept',
  name: 'handles kept between calls',
  question: 'Did it pass the handles on that the servers gave it?',
  formula:
    'of the calls that pass a handle (an argument such as `basket_id`) after a call of the same server had returned one of its kind, the share that pass handles that were returned; without such calls there is none',
  caveat: 'a share of solved tasks, or of calls that should have been made: a call without its handle is not seen',
  range: [0, 1],
  direction: 'higher',
  source: "Sextant's own, for the handles that take the place of sessions in MCP 2026-07-28 (SEP-2567)",
  needs: ['request'],
  parts: [
    { key: 'kept', title: 'kept', name: 'calls of an attempt with handles that had been returned' },
    { key: 'invented', title: 'invented', name: 'calls of an attempt with a handle that nothing had returned' },
    { key: 'stale', title: 'stale', name: 'refused calls of an attempt with a handle that had been replaced' },
  ],
  brief: false,
  binary: false,
  score: ({ trace, request }) => scoreHandleKept(trace.steps, request),
});
