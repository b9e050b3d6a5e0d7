import type { MountableCatalog } from '#core/units/mounting/mountable-catalog.ts';
import { listMountedTools, sumToolsAndTokens } from '#core/units/mounting/mounted-tools.ts';
import type { Mounting } from '#core/units/mounting/mounting.ts';
import { makeRandom } from '#core/values/random.ts';

/** A unit whose mounting can be computed. */
interface MountedUnit {
  readonly id: string;
  readonly chain: readonly string[];
  readonly servers?: readonly string[];
}

/** Returns the schema tokens that a mounting shows, the mean over units; 0 without units. */
export const meanMountedSchemaTokens = (
  mounting: Mounting,
  catalog: MountableCatalog,
  units: readonly MountedUnit[],
  seed: number,
): number =>
  units.reduce(
    (sum, unit) =>
      sum + sumToolsAndTokens(listMountedTools({ mounting, unit, catalog, seed })).schemaTokens / units.length,
    0,
  );

const [drawnUnits, toolsOfChain] = [40, 3];

/** Draws chains of three tools, each of any server, as a stand-in for units that are not yet written. */
export function makeRandomPlaceholderUnits(catalog: MountableCatalog, seed: number): MountedUnit[] {
  const tools = catalog.flatMap((server) => server.tools.map(({ name }) => name));
  if (tools.length === 0) return [];
  return Array.from({ length: drawnUnits }, (_, index) => {
    const random = makeRandom(seed, 'estimate', index);
    return {
      id: `estimate-${index}`,
      chain: Array.from({ length: toolsOfChain }, () => tools[random.below(tools.length)] ?? ''),
    };
  });
}
