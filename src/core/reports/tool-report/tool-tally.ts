import { effectOfTool } from '#core/catalog/effect.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { quantileOfSorted } from '#core/statistics/quantile.ts';
import { firstCharacters } from '#core/values/excerpt.ts';
import type { FailureClass } from '#core/traces/failure.ts';
import { listToolFindingsWorstFirst } from './list-findings.ts';
import type { ObservedAttempt, ObservedCall } from './observed-attempt.ts';
import type { ObservedShare, TakenTool, ToolConfusion, ToolFindings, ToolReport, ToolVerdict } from './record.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { pooledShareInterval } from '#core/statistics/share-interval.ts';

/** An expected tool that was not called, and the unexpected one that was called in its place. */
interface Confusion {
  readonly expected: string;
  readonly called: string;
}

/**
 * Returns which tools were taken for which in an attempt. An expected tool that was never called is paired with the first
 * unexpected tool that was called where it belongs: after the last call of an expected tool before it, and before the
 * first call of one behind it. A tool takes the place of one other at most.
 */
export function listToolConfusionsOfAttempt({
  expected,
  calls,
}: Pick<ObservedAttempt, 'expected' | 'calls'>): Confusion[] {
  const wanted = new Set(expected);
  const walked = calls.map(({ tool }) => tool);
  const placed = new Set<string>();
  const found: Confusion[] = [];
  for (const [at, tool] of expected.entries()) {
    if (walked.includes(tool) || expected.indexOf(tool) < at) continue;
    const start = Math.max(-1, ...expected.slice(0, at).map((each) => walked.indexOf(each)));
    const ends = expected.slice(at + 1).map((each) => walked.indexOf(each, start + 1));
    const end = Math.min(walked.length, ...ends.filter((each) => each >= 0));
    const called = walked.slice(start + 1, end).find((each) => !wanted.has(each) && !placed.has(each));
    if (called === undefined) continue;
    placed.add(called);
    found.push({ expected: tool, called });
  }
  return found;
}

/** How often something was the case in each unit, of how many times. */
type SharesByUnit = Map<string, { readonly count: number; readonly of: number }>;

/** Counts one more time in a unit. */
function countInShareOfUnit(shares: SharesByUnit, unit: string, isSo: boolean): void {
  const { count, of } = shares.get(unit) ?? { count: 0, of: 0 };
  shares.set(unit, { count: count + Number(isSo), of: of + 1 });
}

/** Returns the share over all units, with its 95% interval, which takes units as the sample. */
function makeObservedShare(shares: SharesByUnit): ObservedShare {
  const units = [...shares.values()];
  const count = units.reduce((sum, each) => sum + each.count, 0);
  const of = units.reduce((sum, each) => sum + each.of, 0);
  return { count, of, share: of === 0 ? null : count / of, interval: pooledShareInterval(units) };
}

/** Different errors of one tool that are counted; later ones are not, so that a hostile server cannot fill the memory. */
const mostErrors = 200;
/** Characters by which errors are told apart. */
const errorChars = 200;
/** Units that a confusion names, or a tool that is called where none fits. */
const mostNamedUnits = 5;

/** What is known of one tool so far. */
interface Counted {
  readonly success: SharesByUnit;
  readonly missed: SharesByUnit;
  unanswered: number;
  unexpected: number;
  readonly classes: Map<FailureClass, number>;
  readonly errors: Map<string, { count: number; readonly unit: string }>;
  readonly latenciesMs: number[];
}

/** A tool as far as the report describes it. */
export interface ReportedTool extends Pick<Tool, 'name' | 'title' | 'description' | 'effect' | 'annotations'> {
  readonly definition: ToolDefinition;
}

const makeEmptyCounts = (): Counted => ({
  success: new Map(),
  missed: new Map(),
  unanswered: 0,
  unexpected: 0,
  classes: new Map(),
  errors: new Map(),
  latenciesMs: [],
});

const verdictOrder: readonly ToolVerdict[] = ['fails', 'struggles', 'not-called', 'works'];

/** Adds up attempts to a report on the tools of a catalog. Calls of names that are no tool of it are ignored. */
export class ToolTally {
  readonly #tools: ReadonlyMap<string, ReportedTool>;
  readonly #counted = new Map<string, Counted>();
  readonly #confused = new Map<string, Map<string, Map<string, number>>>();
  /** By tool, in how many attempts of each negative unit it was called. */
  readonly #taken = new Map<string, Map<string, number>>();
  /** The attempts at each negative unit. */
  readonly #negative = new Map<string, number>();
  readonly #units = new Set<string>();
  #attempts = 0;

  constructor(tools: readonly ReportedTool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  addAttempt(attempt: ObservedAttempt): void {
    this.#attempts += 1;
    this.#units.add(attempt.unit);
    if (attempt.isNegative === true) return this.#addNegativeAttempt(attempt);
    const expected = new Set(attempt.expected);
    const called = new Set(attempt.calls.map(({ tool }) => tool));
    for (const tool of expected)
      countInShareOfUnit(this.#getCountsOfTool(tool).missed, attempt.unit, !called.has(tool));
    for (const tool of called)
      if (this.#tools.has(tool) && !expected.has(tool)) this.#getCountsOfTool(tool).unexpected += 1;
    for (const call of attempt.calls) if (this.#tools.has(call.tool)) this.#countCall(attempt.unit, call);
    for (const confusion of listToolConfusionsOfAttempt(attempt)) {
      if (!this.#tools.has(confusion.called)) continue;
      const byCalled = getOrAdd(this.#confused, confusion.expected, () => new Map<string, Map<string, number>>());
      const byUnit = getOrAdd(byCalled, confusion.called, () => new Map<string, number>());
      byUnit.set(attempt.unit, (byUnit.get(attempt.unit) ?? 0) + 1);
    }
  }

  /** Counts what was called where no tool fits. How such a call ends says nothing about its tool. */
  #addNegativeAttempt({ unit, calls }: ObservedAttempt): void {
    this.#negative.set(unit, (this.#negative.get(unit) ?? 0) + 1);
    for (const tool of new Set(calls.map((call) => call.tool))) {
      if (!this.#tools.has(tool)) continue;
      const byUnit = getOrAdd(this.#taken, tool, () => new Map<string, number>());
      byUnit.set(unit, (byUnit.get(unit) ?? 0) + 1);
    }
  }

  makeReport(run: Pick<ToolReport, 'offline' | 'final'>): ToolReport {
    const tools = [...this.#tools.values()].map((tool) => this.#makeToolFindings(tool));
    const confusions = this.#listConfusions();
    const taken = this.#listTakenTools();
    return {
      ...run,
      units: this.#units.size,
      attempts: this.#attempts,
      schemaTokens: tools.reduce((sum, { schemaTokens }) => sum + schemaTokens, 0),
      tools: tools.toSorted(
        (one, other) =>
          verdictOrder.indexOf(one.verdict) - verdictOrder.indexOf(other.verdict) ||
          other.success.of - one.success.of ||
          compareNames(one.tool, other.tool),
      ),
      confusions,
      negativeAttempts: [...this.#negative.values()].reduce((sum, attempts) => sum + attempts, 0),
      taken,
      findings: listToolFindingsWorstFirst(
        tools,
        { confusions, taken, offline: run.offline },
        Array.from(this.#tools.values(), ({ definition }) => definition),
      ),
    };
  }

  #listTakenTools(): TakenTool[] {
    const found = Array.from(this.#taken, ([tool, byUnit]): TakenTool => {
      const shares: SharesByUnit = new Map(
        Array.from(this.#negative, ([unit, of]) => [unit, { count: byUnit.get(unit) ?? 0, of }] as const),
      );
      return { tool, attempts: makeObservedShare(shares), units: [...byUnit.keys()].slice(0, mostNamedUnits) };
    });
    return found.toSorted(
      (one, other) => other.attempts.count - one.attempts.count || compareNames(one.tool, other.tool),
    );
  }

  #getCountsOfTool(tool: string): Counted {
    return getOrAdd(this.#counted, tool, makeEmptyCounts);
  }

  #countCall(unit: string, call: ObservedCall): void {
    const counted = this.#getCountsOfTool(call.tool);
    if (call.outcome === 'unanswered') {
      counted.unanswered += 1;
      return;
    }
    countInShareOfUnit(counted.success, unit, call.outcome === 'success');
    counted.latenciesMs.push(call.latencyMs);
    if (call.outcome === 'success') return;
    if (call.failure !== null) counted.classes.set(call.failure, (counted.classes.get(call.failure) ?? 0) + 1);
    const text = firstCharacters(call.text, errorChars).replaceAll(/\s+/g, ' ').trim();
    if (text === '') return;
    const known = counted.errors.get(text);
    if (known !== undefined) known.count += 1;
    else if (counted.errors.size < mostErrors) counted.errors.set(text, { count: 1, unit });
  }

  #makeToolFindings(tool: ReportedTool): ToolFindings {
    const counted = this.#counted.get(tool.name) ?? makeEmptyCounts();
    const success = makeObservedShare(counted.success);
    const commonClass = findEntryWithMost(counted.classes, (count) => count);
    const error = findEntryWithMost(counted.errors, ({ count }) => count);
    return {
      tool: tool.name,
      effect: effectOfTool(tool),
      verdict: verdictOnTool(success.share),
      success,
      unanswered: counted.unanswered,
      missed: makeObservedShare(counted.missed),
      unexpected: counted.unexpected,
      commonFailure: commonClass === null ? null : { class: commonClass[0], count: commonClass[1] },
      commonError: error === null ? null : { text: error[0], count: error[1].count, unit: error[1].unit },
      medianMs:
        counted.latenciesMs.length === 0
          ? null
          : quantileOfSorted(Float64Array.from(counted.latenciesMs).toSorted(), 0.5),
      schemaTokens: tool.definition.schemaTokens,
    };
  }

  #listConfusions(): ToolConfusion[] {
    const found: ToolConfusion[] = [];
    for (const [expected, byCalled] of this.#confused)
      for (const [called, byUnit] of byCalled) {
        const shares: SharesByUnit = new Map();
        for (const [unit, { of }] of this.#getCountsOfTool(expected).missed)
          shares.set(unit, { count: byUnit.get(unit) ?? 0, of });
        found.push({
          expected,
          called,
          attempts: makeObservedShare(shares),
          units: [...byUnit.keys()].slice(0, mostNamedUnits),
        });
      }
    return found.toSorted(
      (one, other) =>
        other.attempts.count - one.attempts.count ||
        compareNames(one.expected, other.expected) ||
        compareNames(one.called, other.called),
    );
  }
}

function verdictOnTool(share: number | null): ToolVerdict {
  if (share === null) return 'not-called';
  if (share === 0) return 'fails';
  return share >= 0.5 ? 'works' : 'struggles';
}

const compareNames = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

function findEntryWithMost<K, V>(of: ReadonlyMap<K, V>, measure: (value: V) => number): readonly [K, V] | null {
  let most: readonly [K, V] | null = null;
  for (const entry of of) if (most === null || measure(entry[1]) > measure(most[1])) most = entry;
  return most;
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
