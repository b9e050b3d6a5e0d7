import type { Tool } from '#core/catalog/tool.ts';
import { groupMountableToolsByServer, makeMountableTool, type MountableTool } from './mountable-catalog.ts';
import { listMountedTools } from './mounted-tools.ts';
import type { Mounting } from './mounting.ts';

/**
 * Returns the longest list of tools that a mounting shows in units of one tool each, one unit for each server. With `oracle` and
 * `distractors` a unit that needs several servers sees more.
 */
export function listToolsOfLargestMount(mounting: Mounting, tools: readonly Tool[], seed: number): Tool[] {
  const catalog = groupMountableToolsByServer(tools.map(makeMountableTool));
  const largest = catalog
    .map((server) => {
      const chain = server.tools.slice(0, 1).map(({ name }) => name);
      return listMountedTools({ mounting, unit: { id: `largest ${server.name}`, chain }, catalog, seed });
    })
    .reduce<readonly MountableTool[]>((longest, each) => (each.length > longest.length ? each : longest), []);
  const names = new Set(largest.map(({ name }) => name));
  return tools.filter(({ name }) => names.has(name));
}
