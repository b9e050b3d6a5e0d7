import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { makeRandom, shuffle } from '#core/values/random.ts';
import type { MountableCatalog, MountableServer, MountableTool } from './mountable-catalog.ts';
import type { Mounting } from './mounting.ts';

/** What a mounting depends on. It is the same for both requests of a unit, for all trials and for all agents. */
export interface MountingInput {
  readonly mounting: Mounting;
  readonly unit: {
    readonly id: string;
    readonly chain: readonly string[];
    /** Servers that it needs besides those of its chain. */
    readonly servers?: readonly string[];
    /** The tool that a negative unit looks like: it is mounted as if it were expected. */
    readonly looksLike?: string | undefined;
  };
  readonly catalog: MountableCatalog;
  readonly seed: number;
}

/** Limits of `standard`. */
interface Budget {
  readonly tools: number;
  readonly schemaTokens: number;
}

/** What a mounting shows: servers as a whole, or single tools where the unit's own servers do not fit into the budget. */
type Chosen =
  | { readonly isCut: false; readonly servers: readonly MountableServer[] }
  | { readonly isCut: true; readonly tools: readonly MountableTool[] };

/**
 * Returns the tools that an attempt at a unit sees, in an order that tells nothing: the tools that the unit expects, the
 * other tools of their servers, and what the mounting adds. Seed and unit determine the result.
 *
 * Other servers are drawn in one order for all mountings of a unit, so more distractors only add to fewer. `standard`
 * mounts other servers as a whole and passes over those that no longer fit. If the unit's own servers exceed its
 * budget, no other server is mounted, and of their tools those that the unit expects, even beyond the budget, and
 * others drawn by seed as long as they fit.
 */
export function listShuffledMountedTools(input: MountingInput): MountableTool[] {
  const { unit, seed } = input;
  return shuffle(makeRandom(seed, 'mounted order', unit.id), listMountedTools(input));
}

/** Returns the tools of a mounting in a fixed order, for those who only ask which they are. */
export function listMountedTools(input: MountingInput): readonly MountableTool[] {
  const chosen = chooseMountedServersOrTools(input);
  return chosen.isCut ? chosen.tools : chosen.servers.flatMap(({ tools }) => tools);
}

/** Decides what a mounting shows in a unit. */
export function chooseMountedServersOrTools({ mounting, unit, catalog, seed }: MountingInput): Chosen {
  if (mounting.kind === 'max-scale') return { isCut: false, servers: catalog };
  const names = new Set([...listToolsToMount(unit).map(serverNameOfToolName), ...(unit.servers ?? [])]);
  const own = catalog.filter(({ name }) => names.has(name));
  if (mounting.kind === 'oracle') return { isCut: false, servers: own };
  if (mounting.kind === 'standard' && !fitsBudget(own, mounting))
    return { isCut: true, tools: expectedToolsAndOthersThatFit(own, unit, mounting, seed) };
  const others = shuffle(
    makeRandom(seed, 'mounted servers', unit.id),
    catalog.filter(({ name }) => !names.has(name)),
  );
  return {
    isCut: false,
    servers:
      mounting.kind === 'distractors'
        ? [...own, ...others.slice(0, mounting.servers)]
        : addCandidatesThatFit(own, others, mounting),
  };
}

/** Returns the tools without which a mounting makes no sense for a unit. */
const listToolsToMount = ({ chain, looksLike }: MountingInput['unit']): readonly string[] =>
  looksLike === undefined ? chain : [looksLike];

/** Something that takes up a part of the budget. */
interface Sized {
  readonly size: number;
  readonly schemaTokens: number;
}

const fitsBudget = (all: readonly Sized[], budget: Budget): boolean => {
  const { size, schemaTokens } = sumToolsAndTokens(all);
  return size <= budget.tools && schemaTokens <= budget.schemaTokens;
};

/** Adds up tools and their schema tokens. */
export const sumToolsAndTokens = (all: readonly Sized[]): Sized =>
  all.reduce<Sized>(
    (sum, each) => ({ size: sum.size + each.size, schemaTokens: sum.schemaTokens + each.schemaTokens }),
    { size: 0, schemaTokens: 0 },
  );

/** Adds candidates in their order and passes over those that no longer fit. */
function addCandidatesThatFit<T extends Sized>(
  first: readonly T[],
  candidates: readonly T[],
  budget: Budget,
): readonly T[] {
  const chosen = [...first];
  let { size, schemaTokens } = sumToolsAndTokens(first);
  for (const each of candidates) {
    if (size + each.size > budget.tools || schemaTokens + each.schemaTokens > budget.schemaTokens) continue;
    chosen.push(each);
    size += each.size;
    schemaTokens += each.schemaTokens;
  }
  return chosen;
}

/** Returns the expected tools, and of the others on their servers as many as fit beside them. */
function expectedToolsAndOthersThatFit(
  own: readonly MountableServer[],
  unit: MountingInput['unit'],
  budget: Budget,
  seed: number,
): readonly MountableTool[] {
  const expected = new Set(listToolsToMount(unit));
  const tools = own.flatMap((server) => server.tools);
  const rest = tools.filter(({ name }) => !expected.has(name));
  return addCandidatesThatFit(
    tools.filter(({ name }) => expected.has(name)),
    shuffle(makeRandom(seed, 'mounted rest', unit.id), rest),
    budget,
  );
}
