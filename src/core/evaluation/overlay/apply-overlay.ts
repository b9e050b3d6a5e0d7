import type { Tool } from '#core/catalog/tool.ts';
import type { Trace } from '#core/traces/trace.ts';
import { shownNameOf, type Overlay } from './overlay.ts';

/** What an agent reads of its tools under an overlay, and which tools it means by the names it read. */
export interface OverlaidTools {
  readonly tools: readonly Tool[];
  /** The names that the agent read. */
  readonly shownNames: ReadonlySet<string>;
  /** Returns the tool's own name for a name that the agent read; any other name stays as it is. */
  readonly originalOf: (name: string) => string;
}

/**
 * Applies an overlay, or none, to the tools that an agent sees, in their order. Changes of tools that it does not see have no
 * effect. Effects, annotations and output schemas stay the tools' own.
 */
export function applyOverlay(overlay: Overlay | undefined, tools: readonly Tool[]): OverlaidTools {
  const changed = overlay === undefined ? tools : orderTools(overlay, tools).map((tool) => changeTool(overlay, tool));
  const originals = new Map(tools.map(({ name }) => [overlay === undefined ? name : shownNameOf(overlay, name), name]));
  return {
    tools: changed,
    shownNames: new Set(originals.keys()),
    originalOf: (name) => originals.get(name) ?? name,
  };
}

function changeTool(overlay: Overlay, tool: Tool): Tool {
  const { name, title, description, inputSchema } = tool;
  const change = { title, description, inputSchema, ...overlay.tools[name] };
  return { ...tool, ...change, inputSchema: change.inputSchema ?? inputSchema, name: shownNameOf(overlay, name) };
}

function orderTools({ first }: Overlay, tools: readonly Tool[]): Tool[] {
  const places = new Map(first.map((name, index) => [name, index]));
  const placeOf = ({ name }: Tool): number => places.get(name) ?? places.size;
  return tools.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Returns a trace with the tools' own names in place of those that its agent read. */
export const traceWithOriginalToolNames = (trace: Trace, originalOf: OverlaidTools['originalOf']): Trace => ({
  ...trace,
  steps: trace.steps.map((step) => ({ ...step, tool: originalOf(step.tool) })),
  ...(trace.leftOut === undefined
    ? {}
    : { leftOut: trace.leftOut.map((each) => ({ ...each, tool: originalOf(each.tool) })) }),
});
