import type { KnownTool } from './tools.ts';
import { interpretRequest, recognised } from './understanding.ts';

/** Returns the siblings of a tool that a request seems to ask for, at least as much as for the tool itself; each once. */
export const listSiblingsThatRequestFits = (
  request: string,
  tool: KnownTool,
  siblings: readonly KnownTool[],
): KnownTool[] => {
  const fitting = interpretRequest(request, [tool, ...siblings]).flatMap(({ readings }) => {
    const own = readings.find((reading) => reading.tool === tool)?.score ?? 0;
    return readings.flatMap((reading) =>
      reading.tool !== tool && reading.score >= Math.max(own, recognised) ? [reading.tool] : [],
    );
  });
  return [...new Set(fitting)];
};
