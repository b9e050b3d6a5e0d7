import { serverNameOfToolName } from '#core/catalog/tool.ts';
import type { TransitionRecord } from '#core/exploration/counts.ts';

/** A tool in the chart: coordinates from -1 to 1, with the centre at 0. */
export interface ToolNode {
  /** `server/tool` */
  readonly tool: string;
  readonly server: string;
  readonly x: number;
  readonly y: number;
  /**
   * The sum over its transitions of the units in which each was executed; a unit with several of them counts several
   * times.
   */
  readonly executed: number;
}

/** Where the tools of a server lie, in radians. */
export interface ServerArc {
  readonly server: string;
  readonly from: number;
  readonly to: number;
}

/** A transition, by the places of its tools among the nodes. */
export interface TransitionEdge extends Pick<TransitionRecord, 'executed' | 'expected' | 'valuePassed'> {
  readonly from: number;
  readonly to: number;
}

export interface ToolSpace {
  readonly nodes: readonly ToolNode[];
  readonly arcs: readonly ServerArc[];
  readonly edges: readonly TransitionEdge[];
}

/** The space between two servers, in widths of a tool. */
const gapInTools = 1.5;

/** Places all tools on a circle, those of a server side by side, in the order of their names. */
export function layOutToolSpace(tools: readonly string[], transitions: readonly TransitionRecord[]): ToolSpace {
  const known = new Set([...tools, ...transitions.flatMap(({ from, to }) => [from, to])]);
  const byServer = Map.groupBy([...known].toSorted(), serverNameOfToolName);
  const step = (2 * Math.PI) / Math.max(1, known.size + gapInTools * byServer.size);
  const executed = countTransitionExecutionsByTool(transitions);
  const nodes: ToolNode[] = [];
  const arcs: ServerArc[] = [];
  let angle = -Math.PI / 2;
  for (const [server, names] of byServer) {
    const from = angle;
    for (const tool of names) {
      const at = angle + step / 2;
      nodes.push({ tool, server, x: Math.cos(at), y: Math.sin(at), executed: executed.get(tool) ?? 0 });
      angle += step;
    }
    arcs.push({ server, from, to: angle });
    angle += gapInTools * step;
  }
  const places = new Map(nodes.map(({ tool }, index) => [tool, index]));
  const edges = transitions.flatMap(({ from, to, ...counts }) => {
    const [start, end] = [places.get(from), places.get(to)];
    return start === undefined || end === undefined ? [] : [{ from: start, to: end, ...counts }];
  });
  return { nodes, arcs, edges };
}

function countTransitionExecutionsByTool(transitions: readonly TransitionRecord[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { from, to, executed } of transitions)
    for (const tool of new Set([from, to])) counts.set(tool, (counts.get(tool) ?? 0) + executed);
  return counts;
}

/** Returns the place of the node nearest to a point, within a distance; null if there is none. */
export function findNearestNodeIndexOrNull(
  nodes: readonly ToolNode[],
  x: number,
  y: number,
  within: number,
): number | null {
  let nearest: { place: number; distance: number } | null = null;
  for (const [index, node] of nodes.entries()) {
    const distance = Math.hypot(node.x - x, node.y - y);
    if (distance <= within && (nearest === null || distance < nearest.distance)) nearest = { place: index, distance };
  }
  return nearest?.place ?? null;
}

/**
 * Returns the place of the node that a key leads to, from the one that is pointed at or from the first: around the circle, or to one
 * end of the list. Null for a key that moves nothing.
 */
export function nodeIndexAfterKeyOrNull(key: string, pointed: number | null, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return pointed === null ? 0 : (pointed + 1) % count;
    case 'ArrowLeft':
    case 'ArrowUp':
      return pointed === null ? count - 1 : (pointed + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** Returns the places of the nodes that a search finds by a part of their names; none for an empty search. */
export function findNodeIndexes(nodes: readonly ToolNode[], search: string): ReadonlySet<number> {
  const words = search.trim().toLowerCase();
  if (words === '') return new Set();
  return new Set(nodes.flatMap(({ tool }, index) => (tool.toLowerCase().includes(words) ? [index] : [])));
}
