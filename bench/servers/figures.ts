import { serverNameOfToolName, type Tool } from '#core/catalog/tool.ts';
import type { Unit } from '#core/units/unit.ts';
import { witnessExtent } from '#core/units/witness.ts';
import type { MeasuredCall } from './calls.ts';

/** What was measured at one server, or at all of them. */
export interface ServerFigures {
  readonly server: string;
  readonly calls: number;
  readonly successes: number;
  /** Failures whose server had marked them as successes. */
  readonly reported: number;
  readonly failures: number;
  readonly faults: number;
  /** Failures by class, `undecided` among them. */
  readonly classes: Readonly<Record<string, number>>;
  /** Units that were accepted, and those of them whose chain was carried out as a whole. */
  readonly accepted: number;
  readonly completed: number;
  readonly tools: number;
  readonly called: number;
  readonly succeeded: number;
  /** Tools that only read or create, and those of them that succeeded at least once. */
  readonly gentle: number;
  readonly gentleSucceeded: number;
  /** Tools without a category. */
  readonly other: number;
}

/** A unit as it is counted. */
export interface MeasuredUnit {
  /** None if nothing was written. */
  readonly chain: readonly string[];
  readonly accepted: boolean;
  /** Whether each step of the chain succeeded at one request or the other. */
  readonly completed: boolean;
}

/** Returns what is counted of a unit. */
export const toMeasuredUnit = ({ pair, stage, witness }: Pick<Unit, 'pair' | 'stage' | 'witness'>): MeasuredUnit => {
  const chain = pair?.chain ?? [];
  return {
    chain,
    accepted: stage.kind === 'done' && stage.status === 'accepted',
    completed: chain.length > 0 && witnessExtent(chain, witness) === 'full',
  };
};

/** What a measurement consists of. */
export interface Measured {
  readonly tools: readonly Tool[];
  readonly units: readonly MeasuredUnit[];
  readonly calls: readonly MeasuredCall[];
}

/** Categories of tools that only read or create. */
const gentleCategories = new Set(['read', 'list', 'search', 'status', 'create']);

/** Returns whether a tool only reads or creates, by its server's own word or by its category. */
export const isReadOrCreateTool = ({ category, annotations }: Tool): boolean =>
  annotations?.['readOnlyHint'] === true || gentleCategories.has(category);

/** Returns the figures of each server in the order of their names, and those of all. A unit counts at each server of its chain. */
export function figuresByServer(measured: Measured): {
  readonly servers: ServerFigures[];
  readonly all: ServerFigures;
} {
  const names = [...new Set(measured.tools.map(({ server }) => server))].toSorted();
  const servers = names.map((server) =>
    figuresOfServer(server, {
      tools: measured.tools.filter((tool) => tool.server === server),
      units: measured.units.filter(({ chain }) => chain.some((tool) => serverNameOfToolName(tool) === server)),
      calls: measured.calls.filter((call) => call.server === server),
    }),
  );
  return { servers, all: figuresOfServer('all', measured) };
}

function figuresOfServer(server: string, { tools, units, calls }: Measured): ServerFigures {
  const known = new Set(tools.map(({ name }) => name));
  const called = new Set(calls.map(({ tool }) => tool).filter((tool) => known.has(tool)));
  const succeeded = new Set(calls.filter(({ outcome }) => outcome === 'success').map(({ tool }) => tool));
  const gentle = tools.filter(isReadOrCreateTool);
  const accepted = units.filter((unit) => unit.accepted);
  const failures = calls.filter(({ outcome }) => outcome === 'failure');
  const of = (outcome: MeasuredCall['outcome']): number => calls.filter((call) => call.outcome === outcome).length;
  return {
    server,
    calls: calls.length,
    successes: of('success'),
    reported: failures.filter(({ reported }) => reported !== null).length,
    failures: failures.length,
    faults: of('fault'),
    classes: countFailuresByClass(failures),
    accepted: accepted.length,
    completed: accepted.filter(({ completed }) => completed).length,
    tools: tools.length,
    called: called.size,
    succeeded: succeeded.size,
    gentle: gentle.length,
    gentleSucceeded: gentle.filter(({ name }) => succeeded.has(name)).length,
    other: tools.filter(({ category }) => category === 'other').length,
  };
}

/** Counts failures by class, the most frequent one first. */
function countFailuresByClass(failures: readonly MeasuredCall[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { failure } of failures) if (failure !== null) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));
}
