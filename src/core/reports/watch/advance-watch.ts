import { canonicalJson } from '#core/values/canonical.ts';
import { firstCharacters } from '#core/values/excerpt.ts';
import {
  addBlock,
  emptySeries,
  findRateRise,
  mostRecentBlocks,
  rareToUsual,
  withoutLastBlocks,
} from '#core/statistics/rate-rise.ts';
import { driftClasses, listDrift } from '../lock/drift.ts';
import { sentenceOfSignal, signals, type Incident, type Signal, type Told } from './incident.ts';
import { areValuesUnusual, findDeviation, learnFromTries, type Deviation, type LearntCall } from './learnt-call.ts';
import type { OpenIncident, Visit, WatchPlan, WatchState } from './state.ts';

/** Misses in a row that are an incident. */
const missesToTell = 3;
/** Usual visits in a row after which something is over. */
const calmToEnd = 2;
/** Changes that begin within so many visits of each other may be one. */
const visitsTogether = 3;
const mostChanges = 50;
const changedTextChars = 2_000;

/** The chance that one server's calls raise a false alarm within a year, at most, where visits are independent. */
const falseAlarmsOfCalls = 0.4;
const hoursOfYear = 8_766;

/** What a visit makes of a watch. */
export interface Advanced {
  readonly state: WatchState;
  readonly told: readonly Told[];
}

/** Returns a watch after a visit, with the incidents that it opened or ended. */
export function advanceWatch(before: WatchState, visit: Visit, plan: WatchPlan): Advanced {
  if (visit.kind === 'unreached') return missServer(before, visit);
  const back = endUnreached(before, visit.at);
  const defined = compareDefinitions(back.state, visit, plan);
  const { state } = defined;
  const reachedAt = [...state.reachedAt, visit.at].slice(-mostRecentBlocks);
  const counted = countDeviations({ ...state, reachedAt, visits: state.visits + 1 }, visit, plan);
  return { state: counted.state, told: [...back.told, ...defined.told, ...counted.told] };
}

function missServer(state: WatchState, { at, detail }: Extract<Visit, { kind: 'unreached' }>): Advanced {
  const missed = { ...state, missed: state.missed + 1, missedSince: state.missedSince ?? at };
  if (missed.missed !== missesToTell) return { state: missed, told: [] };
  return openIncident(missed, {
    kind: 'unreached',
    tools: [],
    class: null,
    since: missed.missedSince,
    foundAt: at,
    what: `the server cannot be asked: ${detail}`,
    changes: [],
    call: null,
  });
}

function endUnreached(state: WatchState, at: string): Advanced {
  const reached = { ...state, missed: 0, missedSince: null };
  const ended = state.open.filter(({ incident }) => incident.kind === 'unreached');
  return {
    state: { ...reached, open: state.open.filter((each) => !ended.includes(each)) },
    told: ended.map(({ incident }) => overAt(incident, at, 'returned')),
  };
}

/** Returns an incident that is over, and that somebody is to be told so. */
export const overAt = (incident: Incident, at: string, end: Incident['end']): Told => ({
  event: 'over',
  incident: { ...incident, overAt: at, end },
});

/** Opens an incident in a watch. `parts`: what is not counted while it lasts. */
export function openIncident(
  state: WatchState,
  found: Omit<Incident, 'number' | 'overAt' | 'end'>,
  parts: OpenIncident['parts'] = [],
): Advanced {
  const number = state.incidents + 1;
  const incident = { ...found, number, overAt: null, end: null };
  return {
    state: { ...state, incidents: number, open: [...state.open, { incident, parts, calm: 0 }] },
    told: [{ event: 'opened', incident }],
  };
}

/** Compares what a server offers with what it offered. New definitions count at once, unless they are held. */
function compareDefinitions(
  state: WatchState,
  { at, definitions }: Extract<Visit, { kind: 'reached' }>,
  { hold }: WatchPlan,
): Advanced {
  const held = state.open.find(({ incident }) => incident.kind === 'definitions');
  const others = state.open.filter((each) => each !== held);
  if (state.accepted === null) return { state: { ...state, accepted: definitions }, told: [] };
  const drift =
    canonicalJson(state.accepted) === canonicalJson(definitions)
      ? []
      : listDrift({ ...state.accepted, calls: [] }, definitions, []);
  const [gravest] = drift;
  if (gravest === undefined) {
    const kept = hold ? { ...state, held: null } : { ...state, accepted: definitions };
    return held === undefined
      ? { state: kept, told: [] }
      : { state: { ...kept, open: others }, told: [overAt(held.incident, at, 'returned')] };
  }
  const found = {
    kind: 'definitions' as const,
    tools: [...new Set(drift.flatMap(({ tool }) => tool ?? []))],
    class: gravest.class,
    foundAt: at,
    what: `${gravest.tool === null ? 'the server' : gravest.tool}: ${gravest.what}${drift.length > 1 ? `, and ${drift.length - 1} more` : ''}`,
    changes: drift.slice(0, mostChanges).map(({ tool, class: name, what, texts }) => ({
      tool,
      class: name,
      what: firstCharacters(what, changedTextChars),
      ...(texts === undefined
        ? {}
        : {
            texts: {
              before: firstCharacters(texts.before, changedTextChars),
              now: firstCharacters(texts.now, changedTextChars),
            },
          }),
    })),
    call: null,
  };
  if (!hold) {
    const { state: opened, told } = openIncident({ ...state, accepted: definitions }, { ...found, since: at });
    return {
      state: { ...opened, open: state.open },
      told: told.map((each) => ({ ...each, incident: { ...each.incident, overAt: at, end: 'told' as const } })),
    };
  }
  if (held === undefined) return openIncident({ ...state, held: definitions }, { ...found, since: at });
  // What is held already is told again only if it has become graver.
  const { number, since, overAt: over, end, foundAt } = held.incident;
  const isGraver =
    held.incident.class !== null && driftClasses.indexOf(gravest.class) < driftClasses.indexOf(held.incident.class);
  const incident = { ...found, number, since, overAt: over, end, foundAt };
  return {
    state: { ...state, held: definitions, open: [...others, { ...held, incident }] },
    told: isGraver ? [{ event: 'opened', incident }] : [],
  };
}

/** What is unusual about a tool at a visit, by signal. */
type Seen = ReadonlyMap<Signal, boolean>;

function readTool(deviations: readonly (Deviation | null)[]): Seen {
  const known = deviations.filter((deviation) => deviation !== null);
  const seen = new Map<Signal, boolean>();
  for (const signal of signals) {
    if (signal === 'values') continue;
    const traits = known.flatMap((deviation) => deviation[signal] ?? []);
    // One call that fails is enough; a tool is slow if most of its calls are.
    const least = signal === 'slow' || signal === 'size' ? Math.ceil(traits.length / 2) : 1;
    if (traits.length > 0) seen.set(signal, traits.filter(Boolean).length >= least);
  }
  const values = areValuesUnusual(known.flatMap((deviation) => deviation.values ?? []));
  if (values !== null) seen.set('values', values);
  return seen;
}

const keyOf = (tool: string, signal: Signal): string => `${tool} ${signal}`;

function countDeviations(
  state: WatchState,
  { at, tries }: Extract<Visit, { kind: 'reached' }>,
  { everyHours }: WatchPlan,
): Advanced {
  const deviations = state.calls.map((call, index) => findDeviation(call, tries[index] ?? []));
  const tools = [...new Set(state.calls.map(({ tool }) => tool))];
  const seen = new Map(
    tools.map((tool) => [tool, readTool(deviations.filter((_, index) => state.calls[index]?.tool === tool))]),
  );
  const calls = state.calls.map((call, index) => learnFromTries(call, tries[index] ?? [], at));
  const calmed = endCalmIncidents({ ...state, calls }, seen, at);
  const series = { ...calmed.state.series };
  const frozen = new Set(
    calmed.state.open.flatMap(({ parts }) => parts.map(({ tool, signal }) => keyOf(tool, signal))),
  );
  const logThreshold = Math.log((tools.length * signals.length * (hoursOfYear / everyHours)) / falseAlarmsOfCalls);
  const alarms: Alarm[] = [];
  for (const [tool, marks] of seen)
    for (const [signal, unusual] of marks) {
      const key = keyOf(tool, signal);
      if (frozen.has(key)) continue;
      const counted = addBlock(series[key] ?? emptySeries, { n: 1, k: unusual ? 1 : 0 });
      series[key] = counted;
      if (!unusual) continue;
      const { logEvidence, blocks } = findRateRise(counted, rareToUsual);
      if (logEvidence >= logThreshold) alarms.push({ tool, signal, blocks });
    }
  const told = tellAlarms({ ...calmed.state, series }, alarms, at);
  return { state: told.state, told: [...calmed.told, ...told.told] };
}

interface Alarm {
  readonly tool: string;
  readonly signal: Signal;
  /** How many of the last visits were unusual. */
  readonly blocks: number;
}

/** Ends incidents all parts of which have been usual for some visits. What was counted before they began counts on. */
function endCalmIncidents(state: WatchState, seen: ReadonlyMap<string, Seen>, at: string): Advanced {
  const series = { ...state.series };
  const told: Told[] = [];
  const open = state.open.flatMap((each): OpenIncident[] => {
    if (each.parts.length === 0) return [each];
    const marks = each.parts.map(({ tool, signal }) => seen.get(tool)?.get(signal));
    if (marks.every((mark) => mark === undefined)) return [each];
    const calm = marks.some((mark) => mark === true) ? 0 : each.calm + 1;
    if (calm < calmToEnd) return [{ ...each, calm }];
    for (const { tool, signal, blocks } of each.parts) {
      const key = keyOf(tool, signal);
      series[key] = withoutLastBlocks(series[key] ?? emptySeries, blocks);
    }
    told.push(overAt(each.incident, at, 'returned'));
    return [];
  });
  return { state: { ...state, series, open }, told };
}

/** Reports alarms: those that began together on one tool, or in the same way, are one incident. */
function tellAlarms(start: WatchState, alarms: readonly Alarm[], at: string): Advanced {
  const told = new Map<number, Told>();
  let state = start;
  for (const signal of signals)
    for (const alarm of alarms.filter((each) => each.signal === signal)) {
      const since = state.reachedAt.at(-alarm.blocks) ?? at;
      const together = state.open.find(({ incident, parts }) => {
        const visits = state.reachedAt.indexOf(incident.since);
        const apart = Math.abs(state.reachedAt.length - alarm.blocks - visits);
        const isRelated = parts.some((part) => part.tool === alarm.tool || part.signal === alarm.signal);
        return isRelated && visits >= 0 && apart <= visitsTogether;
      });
      if (together === undefined) {
        const opened = openIncident(
          state,
          {
            kind: signal,
            tools: [alarm.tool],
            class: null,
            since,
            foundAt: at,
            what: sentenceOfSignal(signal, [alarm.tool]),
            changes: [],
            call: findShowingCall(state.calls, alarm),
          },
          [alarm],
        );
        state = opened.state;
        for (const each of opened.told) told.set(each.incident.number, each);
        continue;
      }
      const { incident } = together;
      const tools = [...new Set([...incident.tools, alarm.tool])];
      const own = together.parts.filter((part) => part.signal === incident.kind).map(({ tool }) => tool);
      const named = signal === incident.kind ? [...new Set([...own, alarm.tool])] : own;
      const what = incident.kind === 'definitions' || named.length === 0 ? incident.what : renamed(incident, named);
      const grown = { ...incident, tools, what };
      state = {
        ...state,
        open: state.open.map((each) =>
          each === together ? { ...each, incident: grown, parts: [...each.parts, alarm] } : each,
        ),
      };
      if (told.has(incident.number)) told.set(incident.number, { event: 'opened', incident: grown });
    }
  return { state, told: [...told.values()] };
}

const renamed = ({ kind, what }: Incident, tools: readonly string[]): string => {
  const signal = signals.find((each) => each === kind);
  return signal === undefined ? what : sentenceOfSignal(signal, tools);
};

/** The call of a tool that shows a signal, or else any that is unusual. */
function findShowingCall(calls: readonly LearntCall[], { tool, signal }: Alarm): Incident['call'] {
  const own = calls.filter((call) => call.tool === tool);
  const call =
    own.find(({ unusual }) => unusual?.traits.includes(signal)) ??
    own.find(({ unusual }) => unusual !== null) ??
    own[0];
  if (call === undefined) return null;
  const { usual, unusual } = call;
  const now = unusual === null ? null : { at: unusual.at, text: unusual.text };
  return { tool, arguments: call.arguments, before: usual, now };
}
