import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { ExpectedCalls } from '#core/evaluation/gather-basis.ts';
import { sha256Hex } from '#core/values/canonical.ts';
import { maxAttemptCalls, maxResponseChars } from '#core/evaluation/claim.ts';
import type { AgentConfiguration } from '#core/evaluation/config.ts';
import { modelLoop } from '#core/benchmarks/protocols/loops.ts';
import { isDefaultScoring } from '#core/scoring/parameters.ts';
import { computeScoresWithoutJudge } from '#core/evaluation/attempt-scores.ts';
import { getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { findErrorByRule } from '#core/traces/error-by-rule.ts';
import type { MountableCatalog } from '#core/units/mounting/mountable-catalog.ts';
import { listMountedTools } from '#core/units/mounting/mounted-tools.ts';
import {
  isDrawnBySeed,
  isSameMounting,
  mountingName,
  oracleMounting,
  type Mounting,
} from '#core/units/mounting/mounting.ts';
import { isEqualUpToRounding } from '#core/statistics/is-near.ts';
import type { Finding } from './findings.ts';
import { listStatedScorerKeys, traceLineSortKey, type TraceHeader, type TraceLine } from './trace-file.ts';
import { costOfSpentTokens } from './trace-cost.ts';

/** What an uploaded trace file is checked against. */
export interface SubmissionRules {
  readonly protocol: ProtocolKey;
  readonly catalog: string;
  readonly harness: string;
  readonly trials: number;
  /** The public units, with the tools that each expects and where their arguments come from. */
  readonly units: ReadonlyMap<string, ExpectedCalls>;
  /** The catalog's tools. */
  readonly tools: MountableCatalog;
  /** Which tools agents see; the seed draws those that are mounted besides the unit's own servers. */
  readonly mounting: Mounting;
  readonly seed: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Tolerated difference between clocks. */
const clockSkewMs = 5 * 60_000;
/** Rounding error of times that were measured separately. */
const measuringMs = 1_000;
/** Tolerated share of attempts that infrastructure faults broke; more would let a submitter leave out the hard ones. */
const toleratedFaults = 0.01;
/** Below this number of attempts, a single fault would already exceed the share. */
const fewAttempts = 20;
const shownPlaces = 5;

/** Returns what is wrong with the header. */
export async function headerFindings(header: TraceHeader, rules: SubmissionRules): Promise<Finding[]> {
  const found: Finding[] = [];
  const addFinding = (kind: Finding['kind'], message: string): void =>
    void found.push({ kind, where: 'line 1', message });
  const { catalog, harness, trials, createdAt, seed, configuration } = header;
  const { mounting = oracleMounting } = configuration;
  if (catalog !== rules.catalog)
    addFinding('catalog', `the attempts were made with the catalog ${catalog}; the leaderboard's is ${rules.catalog}`);
  if (harness !== rules.harness)
    addFinding('harness', `the attempts were made with ${harness}; the leaderboard takes those of ${rules.harness}`);
  if (trials !== rules.trials)
    addFinding('trials', `each unit was tried ${trials} times; the leaderboard wants ${rules.trials}`);
  if (header.scoring !== undefined && !isDefaultScoring(header.scoring))
    addFinding('scoring', 'the scores were computed with other weights than those of every leaderboard');
  if (!isSameMounting(mounting, rules.mounting))
    addFinding(
      'mounting',
      `the attempts were made with the mounting ${mountingName(mounting)}; the leaderboard's is ${mountingName(rules.mounting)}`,
    );
  else if (isDrawnBySeed(mounting) && seed !== rules.seed)
    addFinding('mounting', `the mounted tools were drawn by the seed ${seed}; the leaderboard's is ${rules.seed}`);
  if (Date.parse(createdAt) > rules.now + clockSkewMs)
    addFinding('impossible-time', `the file was written at ${createdAt}, which is in the future`);
  return found;
}

/** Returns what is wrong with a single attempt. `number` is its line. */
export async function attemptFindings(
  line: TraceLine,
  number: number,
  {
    header,
    configuration,
    rules,
  }: {
    readonly header: TraceHeader;
    /** The digest of the header's configuration. */
    readonly configuration: string;
    readonly rules: SubmissionRules;
  },
): Promise<Finding[]> {
  const found: Finding[] = [];
  const where = `line ${number} (${line.unit}, trial ${line.trial}, ${line.side})`;
  const addFinding = (kind: Finding['kind'], message: string): void => void found.push({ kind, where, message });
  if (line.agent !== header.agent)
    addFinding('configuration', `the attempt is by ${line.agent}; the file is of ${header.agent}`);
  else if (line.configuration !== configuration)
    addFinding('configuration', 'the attempt was made by another configuration than the one that the header names');
  const unit = rules.units.get(line.unit);
  if (unit === undefined) {
    addFinding('unknown-unit', 'the benchmark has no such public unit');
    return found;
  }
  const { requests } = unit;
  if (!requests.includes(line.side))
    addFinding(
      'unknown-request',
      `the unit has ${requests.length === 1 ? 'the request' : 'the requests'} ${requests.join(' and ')}`,
    );
  if (line.trial > rules.trials) addFinding('trials', `the leaderboard wants ${rules.trials} trials of each unit`);
  const { mounting, seed, tools: catalog } = rules;
  const mounted = new Set(
    listMountedTools({ mounting, unit: { id: line.unit, ...unit }, catalog, seed }).map(({ name }) => name),
  );
  const unmounted = line.trace.steps.find(
    ({ tool, outcome, fault }) => (outcome !== 'failure' || fault?.where === 'server') && !mounted.has(tool),
  );
  if (unmounted !== undefined)
    addFinding(
      'unmounted-tool',
      `${unmounted.tool} was not mounted, yet a call of it is said to have reached a server`,
    );
  for (const message of listImpossibleTimes(line, header, rules)) addFinding('impossible-time', message);
  for (const message of listImpossibleSizes(line, header)) addFinding('impossible-size', message);
  for (const message of await listSignsOfTampering(line, unit, header.configuration, rules.protocol))
    addFinding('changed-content', message);
  return found;
}

/**
 * Returns what is wrong with the attempts as a whole: `places` has the positions of all lines, with their line numbers.
 */
export function listDoubleAndMissingFindings(
  places: readonly { readonly place: string; readonly number: number }[],
  rules: Pick<SubmissionRules, 'units' | 'trials'>,
): Finding[] {
  const found: Finding[] = [];
  const first = new Map<string, number>();
  for (const { place, number } of places) {
    const earlier = first.get(place);
    if (earlier === undefined) first.set(place, number);
    else
      found.push({
        kind: 'unit-twice',
        where: `line ${number}`,
        message: `this attempt stands in line ${earlier} too`,
      });
  }
  const missing = [...rules.units].flatMap(([unit, { requests }]) =>
    Array.from({ length: rules.trials }, (_, at) => at + 1).flatMap((trial) =>
      requests
        .filter((side) => !first.has(traceLineSortKey({ unit, trial, side })))
        .map((side) => `${unit}, trial ${trial}, ${side}`),
    ),
  );
  if (missing.length > 0) {
    const some = missing.slice(0, shownPlaces).join('; ');
    const more = missing.length > shownPlaces ? `; and ${missing.length - shownPlaces} more` : '';
    found.push({ kind: 'missing-unit', where: 'the file', message: `these attempts are missing: ${some}${more}` });
  }
  return found;
}

/** Attempts of a split, and how many of them infrastructure faults broke for good. */
interface Broken {
  readonly attempts: number;
  readonly notEvaluated: number;
}

/**
 * Returns a finding if infrastructure faults broke too many attempts of a split, which would leave out the hard ones;
 * `causes` is what broke them.
 */
export function findingsOfTooManyFaults({ attempts, notEvaluated }: Broken, causes: readonly string[] = []): Finding[] {
  if (notEvaluated <= maxToleratedFaults(attempts)) return [];
  const share = `infrastructure faults broke ${notEvaluated} of ${attempts} attempts; at most ${toleratedFaults * 100}% may be missing`;
  const message = causes.length === 0 ? share : `${share}. What broke them: ${causes.join('; ')}`;
  return [{ kind: 'not-evaluated', where: 'the attempts', message }];
}

/** Returns what prevents the publication of an evaluation: too many broken attempts in one of its splits. */
export const findingsOfTooManyFaultsInSplits = (
  figures: Broken & { readonly private: Broken | null },
  causes: readonly string[],
): Finding[] => {
  const splits: Broken[] = figures.private === null ? [figures] : [figures, figures.private];
  return splits.flatMap((split) => findingsOfTooManyFaults(split, causes));
};

/**
 * Returns whether so many of all attempts are broken that some split has too many, however the rest ends; with two
 * splits, one more is allowed.
 */
export const hasTooManyFaultsHoweverItEnds = ({ attempts, notEvaluated }: Broken): boolean =>
  notEvaluated > maxToleratedFaults(attempts) + 1;

const maxToleratedFaults = (attempts: number): number =>
  attempts < fewAttempts ? 0 : Math.max(1, Math.floor(attempts * toleratedFaults));

function listImpossibleTimes(
  { trace }: TraceLine,
  { createdAt, configuration }: TraceHeader,
  { now }: SubmissionRules,
): string[] {
  const found: string[] = [];
  const begun = Date.parse(trace.startedAt);
  if (begun > now + clockSkewMs) found.push(`it began at ${trace.startedAt}, which is in the future`);
  else if (begun + trace.durationMs > Date.parse(createdAt) + clockSkewMs)
    found.push(`it was still under way at ${createdAt}, when the file was written`);
  const calling = leastDurationOfCallsMs(trace, configuration.loop);
  if (calling > trace.durationMs + measuringMs)
    found.push(
      `its calls took ${Math.round(calling)} ms; the whole attempt is said to have taken ${Math.round(trace.durationMs)} ms`,
    );
  return found;
}

/** Returns how long the calls of an attempt took at least, by which of them can have been under way at once. */
function leastDurationOfCallsMs({ steps }: TraceLine['trace'], loop: string): number {
  const latencies = steps.map(({ latencyMs }) => latencyMs);
  if (loop === 'external') return Math.max(0, ...latencies);
  if (loop !== modelLoop.enum.planning) return latencies.reduce((sum, each) => sum + each, 0);
  const rounds = Map.groupBy(steps, ({ turn }) => turn).values();
  return Array.from(rounds, (calls) => Math.max(...calls.map(({ latencyMs }) => latencyMs))).reduce((a, b) => a + b, 0);
}

function listImpossibleSizes({ trace, spent }: TraceLine, { configuration }: TraceHeader): string[] {
  const found: string[] = [];
  const { steps, turns, end, finalText } = trace;
  if (finalText.length > maxResponseChars)
    found.push(`its response has ${finalText.length} characters; a response has at most ${maxResponseChars}`);
  if (steps.length > maxAttemptCalls)
    found.push(`it made ${steps.length} calls; an attempt makes at most ${maxAttemptCalls}`);
  // A search for tools takes a turn of its own, without a call.
  const searches = trace.routes ?? [];
  const taken = [...steps, ...searches].map(({ turn }) => turn).toSorted((a, b) => a - b);
  const gap = taken.find((turn, index) => turn > (taken[index - 1] ?? 0) + 1);
  const disorder = steps.find(({ turn }, index) => turn < (steps[index - 1]?.turn ?? 1));
  const wrong = gap ?? disorder?.turn;
  if (wrong !== undefined) found.push(`a call of turn ${wrong} does not follow the one before: a call is missing`);
  const last = taken.at(-1) ?? 0;
  const answering = configuration.loop !== 'external' && end === 'answered' ? 1 : 0;
  if (last + answering > turns || (end === 'answered' && last + answering !== turns))
    found.push(`it took ${turns} turns; its calls and its answer make ${last + answering}`);
  const byTurn = new Map(steps.map(({ turn, turnTokens }) => [turn, turnTokens ?? 0]));
  const counted = [...byTurn.values()].reduce((sum, tokens) => sum + tokens, 0);
  if (counted > trace.promptTokens + trace.completionTokens)
    found.push(
      `its turns took ${counted} tokens; the whole attempt is said to have taken ${trace.promptTokens + trace.completionTokens}`,
    );
  for (const kind of ['promptTokens', 'completionTokens'] as const) {
    if (spent.relaunched ? spent[kind] < trace[kind] : spent[kind] !== trace[kind])
      found.push(`it took ${trace[kind]} ${kind}; with what came before it that is said to be ${spent[kind]}`);
  }
  const limit = configuration.limits['turns'];
  if (typeof limit === 'number' && turns > limit) found.push(`it took ${turns} turns; the agent's limit is ${limit}`);
  return found;
}

async function listSignsOfTampering(
  { trace, scores }: TraceLine,
  { chain, arguments: origins, looksLike }: ExpectedCalls,
  configuration: AgentConfiguration,
  protocol: ProtocolKey,
): Promise<string[]> {
  const found: string[] = [];
  const broken = trace.fault !== null;
  const computed = broken
    ? {}
    : computeScoresWithoutJudge({ isNegative: looksLike !== undefined, chain, origins, trace });
  for (const key of listStatedScorerKeys(protocol)) {
    const [said, given] = [scores[key], computed[key]?.value ?? null];
    if (said !== undefined && !isEqualUpToRounding(said, given))
      found.push(`its ${getScorerOrThrow(key).title} is said to be ${said}; its calls give ${given}`);
  }
  const cost = costOfSpentTokens(trace, trace, configuration);
  if (!isEqualUpToRounding(trace.costUsd, cost))
    found.push(`its cost is said to be $${trace.costUsd}; by the prices of its configuration its tokens cost $${cost}`);
  for (const [index, { tool, outcome, reported, text, truncated, sha256 }] of trace.steps.entries()) {
    const rule = outcome === 'success' && reported === undefined && !truncated ? findErrorByRule(text, tool) : null;
    if (rule !== null)
      found.push(`the result of call ${index + 1} reports an error (${rule}), which its step does not say`);
    if (!truncated && sha256 !== null && (await sha256Hex(text)) !== sha256)
      found.push(`the result of call ${index + 1} is not the one that its digest is of`);
  }
  return found;
}
