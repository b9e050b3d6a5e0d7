import type { ServerArc, ToolNode, ToolSpace, TransitionEdge } from './tool-space-layout.ts';

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

/** Share of half the size that the circle takes; the rest is for names. */
const circleShare = 0.78;

/** Pixels of half the circle's width. */
export const radiusOf = (size: number): number => (size / 2) * circleShare;

/** Draws the tools of all servers on a circle, and the transitions between them. */
export function drawToolSpace(context: CanvasRenderingContext2D, drawing: ToolSpaceDrawing): void {
  const { space, colors, size, marked } = drawing;
  const radius = radiusOf(size);
  context.clearRect(0, 0, size, size);
  context.save();
  context.translate(size / 2, size / 2);
  const isMarked = ({ from, to }: TransitionEdge): boolean => marked.has(from) || marked.has(to);
  const groups = [
    { color: colors.line, edges: space.edges.filter(({ executed }) => executed === 0) },
    { color: colors.executed, edges: space.edges.filter((edge) => edge.executed > 0 && edge.valuePassed === 0) },
    { color: colors.valuePassed, edges: space.edges.filter(({ valuePassed }) => valuePassed > 0) },
  ];
  const crowd = Math.min(0.6, Math.max(0.12, 250 / Math.max(1, space.edges.length)));
  for (const { color, edges } of groups) {
    const plain = edges.filter((edge) => !isMarked(edge));
    drawEdges(context, space.nodes, plain, { color, radius, alpha: marked.size === 0 ? crowd : crowd / 5 });
  }
  for (const { color, edges } of groups)
    drawEdges(context, space.nodes, edges.filter(isMarked), { color, radius, alpha: 0.95 });
  drawNodes(context, drawing, radius);
  for (const arc of space.arcs) drawServerName(context, arc, radius, colors);
  context.restore();
}

interface EdgeStyle {
  readonly color: string;
  readonly radius: number;
  readonly alpha: number;
}

/** Lines of the same width are drawn as one path: thousands of them take milliseconds. */
function drawEdges(
  context: CanvasRenderingContext2D,
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

function drawNodes(
  context: CanvasRenderingContext2D,
  { space, colors, marked }: ToolSpaceDrawing,
  radius: number,
): void {
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
  context: CanvasRenderingContext2D,
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
