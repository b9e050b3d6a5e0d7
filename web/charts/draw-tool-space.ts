import type { ServerArc, ToolNode, ToolSpace, TransitionEdge } from './tool-space-layout.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** The colours of the page, as it is: light or dark. */
export interface ChartColors {
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly executed: string;
  readonly valuePassed: string;
}

/** What is drawn, and how. */
export interface ToolSpaceDrawing {
  readonly space: ToolSpace;
  readonly colors: ChartColors;
  /** Width and height in CSS pixels. */
  readonly size: number;
  /** Places of tools that stand out with their transitions; all look alike if it is empty. */
  readonly marked: ReadonlySet<number>;
}

/** Pixels around the circle, for the names of servers. */
const margin = 90;
const smallestRadius = 90;

/** Pixels of half the circle's width. */
export const toolSpaceCircleRadius = (size: number): number => Math.max(smallestRadius, size / 2 - margin);

/** Draws all transitions, without anything that stands out: what takes longest, and changes only with the space. */
export function drawAllTransitions(context: Context, { space, colors, size }: Omit<ToolSpaceDrawing, 'marked'>): void {
  const radius = toolSpaceCircleRadius(size);
  const alpha = Math.min(0.6, Math.max(0.1, radius / Math.max(1, space.edges.length)));
  context.save();
  context.translate(size / 2, size / 2);
  for (const [color, edges] of groupByColor(space.edges, colors))
    drawEdges(context, space.nodes, edges, { color, radius, alpha });
  context.restore();
}

/** How much is left of the other transitions where some stand out. */
const fadedAlpha = 0.2;

/** Draws the tools of all servers on a circle, over the picture of the transitions between them. */
export function drawToolsOverTransitions(
  context: Context,
  { space, colors, size, marked }: ToolSpaceDrawing,
  transitions: CanvasImageSource,
): void {
  const radius = toolSpaceCircleRadius(size);
  context.clearRect(0, 0, size, size);
  context.globalAlpha = marked.size === 0 ? 1 : fadedAlpha;
  context.drawImage(transitions, 0, 0, size, size);
  context.globalAlpha = 1;
  context.save();
  context.translate(size / 2, size / 2);
  const isMarked = ({ from, to }: TransitionEdge): boolean => marked.has(from) || marked.has(to);
  for (const [color, edges] of groupByColor(space.edges.filter(isMarked), colors))
    drawEdges(context, space.nodes, edges, { color, radius, alpha: 0.95 });
  drawNodes(context, { space, colors, size, marked }, radius);
  for (const arc of space.arcs) drawServerName(context, arc, radius, colors);
  context.restore();
}

const groupByColor = (edges: readonly TransitionEdge[], colors: ChartColors): Map<string, TransitionEdge[]> =>
  Map.groupBy(edges, ({ executed, valuePassed }) =>
    valuePassed > 0 ? colors.valuePassed : executed > 0 ? colors.executed : colors.line,
  );

interface EdgeStyle {
  readonly color: string;
  readonly radius: number;
  readonly alpha: number;
}

/** Lines of the same width are drawn as one path: thousands of them take milliseconds. */
function drawEdges(
  context: Context,
  nodes: readonly ToolNode[],
  edges: readonly TransitionEdge[],
  { color, radius, alpha }: EdgeStyle,
): void {
  const byWidth = Map.groupBy(edges, ({ executed }) => Math.min(4, 1 + Math.floor(Math.log2(1 + executed))));
  context.strokeStyle = color;
  context.globalAlpha = alpha;
  for (const [width, alike] of byWidth) {
    context.lineWidth = width * 0.8;
    context.beginPath();
    for (const { from, to } of alike) {
      const [start, end] = [nodes[from], nodes[to]];
      if (start === undefined || end === undefined) continue;
      context.moveTo(start.x * radius, start.y * radius);
      if (from === to) context.arc(start.x * radius * 1.04, start.y * radius * 1.04, radius * 0.03, 0, 2 * Math.PI);
      else
        context.quadraticCurveTo(
          (start.x + end.x) * radius * 0.2,
          (start.y + end.y) * radius * 0.2,
          end.x * radius,
          end.y * radius,
        );
    }
    context.stroke();
  }
  context.globalAlpha = 1;
}

function drawNodes(context: Context, { space, colors, marked }: ToolSpaceDrawing, radius: number): void {
  const largest = Math.max(1, ...space.nodes.map(({ executed }) => executed));
  const room = (Math.PI * radius) / Math.max(1, space.nodes.length);
  for (const [place, { x, y, executed }] of space.nodes.entries()) {
    const isFaded = marked.size > 0 && !marked.has(place);
    context.beginPath();
    context.arc(x * radius, y * radius, Math.min(room, 3 + 5 * Math.sqrt(executed / largest)), 0, 2 * Math.PI);
    context.fillStyle = executed === 0 ? colors.line : isFaded ? colors.faint : colors.ink;
    context.fill();
  }
}

/** The name stands outside of the circle, and is read from left to right on both sides. */
function drawServerName(
  context: Context,
  { server, from, to }: ServerArc,
  radius: number,
  { faint }: ChartColors,
): void {
  const middle = (from + to) / 2;
  const isLeft = Math.cos(middle) < 0;
  context.save();
  context.rotate(middle);
  context.translate(radius + 12, 0);
  if (isLeft) context.rotate(Math.PI);
  context.fillStyle = faint;
  context.font = '12px system-ui, sans-serif';
  context.textAlign = isLeft ? 'right' : 'left';
  context.textBaseline = 'middle';
  context.fillText(server.slice(0, 18), 0, 0);
  context.restore();
}
