import { inputSchemaProblem } from '#adapters/mcp/schema-check.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { isTooDeep, maxJsonDepth } from '#core/json-depth.ts';
import {
  findOverlayProblem,
  findSizeProblemOfOverlays,
  overlayProblemText,
  type Overlay,
} from '#core/overlay/overlay.ts';
import { refusal } from './problem.ts';

/** Refuses overlays of agents that do not fit the tools, have a schema that no server could list, or are too large together. */
export function throwIfOverlaysUnfit(
  agents: readonly { readonly name: string; readonly overlay?: Overlay | undefined }[],
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
