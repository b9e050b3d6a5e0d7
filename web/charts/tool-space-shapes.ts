import type { ServerArc, ToolSpace, TransitionEdge } from './tool-space-layout.ts';

/** The colours of the page, as it is: light or dark. */
export interface ChartColors {
  readonly ink: string;
  readonly paper: string;
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

/** A part of the chart, in pixels from its centre. */
export type ToolSpaceShape =
  /** Lines of the same look as the data of one SVG path: thousands of them are drawn in milliseconds. */
  | {
      readonly kind: 'lines';
      readonly path: string;
      readonly color: string;
      readonly width: number;
      readonly alpha: number;
    }
  | {
      readonly kind: 'dot';
      readonly x: number;
      readonly y: number;
      readonly radius: number;
      readonly color: string;
    }
  /** A name that begins at a distance in a direction, in radians; on the left side it ends there, to be read from left to right. */
  | {
      readonly kind: 'name';
      readonly text: string;
      readonly angle: number;
      readonly distance: number;
      readonly isLeft: boolean;
      readonly color: string;
    };

/** What the colours of transitions mean, with the classes that lists on the page have. */
export const toolSpaceLegend = [
  { name: 'executed', color: 'executed', class: 'first' },
  { name: 'executed, passing a value', color: 'valuePassed', class: 'second' },
  { name: 'expected, never executed', color: 'line', class: 'third' },
] as const;

/** Pixels around the circle, for the names of servers. */
const margin = 90;
const smallestRadius = 90;

/** Pixels of half the circle's width. */
export const toolSpaceCircleRadius = (size: number): number => Math.max(smallestRadius, size / 2 - margin);

/** How much is left of the other transitions where some stand out. */
export const fadedAlpha = 0.2;

/** Returns the shapes of all transitions, without anything that stands out: what takes longest, and changes only with the space. */
export function shapesOfAllTransitions({ space, colors, size }: Omit<ToolSpaceDrawing, 'marked'>): ToolSpaceShape[] {
  const alpha = Math.min(0.6, Math.max(0.1, toolSpaceCircleRadius(size) / Math.max(1, space.edges.length)));
  return shapesOfEdges(space.edges, { space, colors, size }, alpha);
}

/** Returns the shapes over those of all transitions: the transitions that stand out, the tools, the names of servers. */
export function shapesOfTools(drawing: ToolSpaceDrawing): ToolSpaceShape[] {
  const { space, colors, size, marked } = drawing;
  const isMarked = ({ from, to }: TransitionEdge): boolean => marked.has(from) || marked.has(to);
  return [
    ...shapesOfEdges(space.edges.filter(isMarked), drawing, 0.95),
    ...shapesOfNodes(drawing),
    ...space.arcs.map((arc) => shapeOfServerName(arc, toolSpaceCircleRadius(size), colors.faint)),
  ];
}

function shapesOfEdges(
  edges: readonly TransitionEdge[],
  { space, colors, size }: Omit<ToolSpaceDrawing, 'marked'>,
  alpha: number,
): ToolSpaceShape[] {
  const radius = toolSpaceCircleRadius(size);
  const byColor = Map.groupBy(edges, ({ executed, valuePassed }) =>
    valuePassed > 0 ? colors.valuePassed : executed > 0 ? colors.executed : colors.line,
  );
  return [...byColor].flatMap(([color, alike]) =>
    [...Map.groupBy(alike, ({ executed }) => Math.min(4, 1 + Math.floor(Math.log2(1 + executed))))].map(
      ([width, lines]) => ({
        kind: 'lines' as const,
        path: lines.map((edge) => pathOfEdge(edge, space, radius)).join(''),
        color,
        width: width * 0.8,
        alpha,
      }),
    ),
  );
}

/** A curve that bends towards the centre; a small circle outside for a transition to the same tool. */
function pathOfEdge({ from, to }: TransitionEdge, { nodes }: ToolSpace, radius: number): string {
  const [start, end] = [nodes[from], nodes[to]];
  if (start === undefined || end === undefined) return '';
  const at = (value: number): string => (value * radius).toFixed(1);
  if (from === to)
    return `M${at(start.x * 1.04 + 0.03)} ${at(start.y * 1.04)}a${at(0.03)} ${at(0.03)} 0 1 0 ${at(-0.06)} 0a${at(0.03)} ${at(0.03)} 0 1 0 ${at(0.06)} 0`;
  const bend = `${at((start.x + end.x) * 0.2)} ${at((start.y + end.y) * 0.2)}`;
  return `M${at(start.x)} ${at(start.y)}Q${bend} ${at(end.x)} ${at(end.y)}`;
}

function shapesOfNodes({ space, colors, size, marked }: ToolSpaceDrawing): ToolSpaceShape[] {
  const radius = toolSpaceCircleRadius(size);
  const largest = space.nodes.reduce((most, { executed }) => Math.max(most, executed), 1);
  const room = (Math.PI * radius) / Math.max(1, space.nodes.length);
  return space.nodes.map(({ x, y, executed }, place) => {
    const isFaded = marked.size > 0 && !marked.has(place);
    return {
      kind: 'dot',
      x: x * radius,
      y: y * radius,
      radius: Math.min(room, 3 + 5 * Math.sqrt(executed / largest)),
      color: executed === 0 ? colors.line : isFaded ? colors.faint : colors.ink,
    };
  });
}

function shapeOfServerName({ server, from, to }: ServerArc, radius: number, color: string): ToolSpaceShape {
  const angle = (from + to) / 2;
  return {
    kind: 'name',
    text: server.slice(0, 18),
    angle,
    distance: radius + 12,
    isLeft: Math.cos(angle) < 0,
    color,
  };
}
