import { inputSchemaProblem } from '#adapters/mcp/schema-check.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { isTooDeep, maxJsonDepth } from '#core/values/json-depth.ts';
import {
  findOverlayProblem,
  findSizeProblemOfOverlays,
  overlayProblemText,
  type Overlay,
} from '#core/evaluation/overlay/overlay.ts';
import { refusal } from './problem.ts';

interface OverlaidAgent {
  readonly overlay?: Overlay | undefined;
}

/** Returns what is said of units that an evaluation leaves out. */
export const listSeenUnitsWarnings = ({ seenUnits }: { readonly seenUnits: number }): string[] =>
  seenUnits === 0
    ? []
    : [
        `${seenUnits} ${seenUnits === 1 ? 'unit of the split is' : 'units of the split are'} left out: a wording was written from them, or from others of their lineages`,
      ];

/** Refuses overlays of agents that do not fit the tools, have a schema that no server could list, or are too large together. */
export function throwIfOverlaysUnfit(
  agents: readonly (OverlaidAgent & { readonly name: string })[],
  tools: readonly Pick<Tool, 'name'>[],
): void {
  const names = tools.map(({ name }) => name);
  for (const { name, overlay } of agents) {
    if (overlay === undefined) continue;
    const unfit = findOverlayProblem(overlay, names);
    const problem = unfit === null ? findSchemaProblemInOverlay(overlay) : overlayProblemText(unfit);
    if (problem !== null) throw refusal('invalid-request', `agents: the overlay of ${name}: ${problem}`);
  }
  const large = findSizeProblemOfOverlays(agents.flatMap(({ overlay }) => overlay ?? []));
  if (large !== null) throw refusal('invalid-request', `agents: ${overlayProblemText(large)}`);
}

function findSchemaProblemInOverlay({ tools }: Overlay): string | null {
  for (const [tool, { inputSchema }] of Object.entries(tools)) {
    if (inputSchema === undefined) continue;
    const problem = isTooDeep(inputSchema)
      ? `nested deeper than ${maxJsonDepth} levels`
      : inputSchemaProblem(inputSchema);
    if (problem !== undefined) return `the input schema of ${tool}: ${problem}`;
  }
  return null;
}
