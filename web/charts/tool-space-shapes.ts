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
  /** A name that begins at a place, or ends there, turned by an angle in radians. */
  | {
      readonly kind: 'name';
      readonly text: string;
      readonly x: number;
      readonly y: number;
      readonly turn: number;
      readonly isEnd: boolean;
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

/** From so many tools on, curves hide each other, and the chart is a matrix: a row for the tool before, a column for the tool after. */
const toolsOfMatrix = 40;
export const isMatrix = ({ nodes }: ToolSpace): boolean => nodes.length >= toolsOfMatrix;

/** Pixels of a tool's row, and where the first one begins. */
const cellOf = (space: ToolSpace, size: number): number => (size - margin) / space.nodes.length;
const matrixStart = (size: number): number => margin - size / 2;
/** Pixels that the name of a server takes. */
const nameHeight = 11;

/** Returns the place of the tool whose row is at a height in pixels from the top; null if there is none. */
export function rowIndexAtOrNull(space: ToolSpace, size: number, y: number): number | null {
  const row = Math.floor((y - margin) / cellOf(space, size));
  return row >= 0 && row < space.nodes.length ? row : null;
}

/** Returns the shapes of all transitions, without anything that stands out: what takes longest, and changes only with the space. */
export function shapesOfAllTransitions({ space, colors, size }: Omit<ToolSpaceDrawing, 'marked'>): ToolSpaceShape[] {
  if (isMatrix(space))
    return [...shapesOfServerLines(space, colors, size), ...shapesOfEdges(space.edges, { space, colors, size }, 0.85)];
  const alpha = Math.min(0.6, Math.max(0.1, toolSpaceCircleRadius(size) / Math.max(1, space.edges.length)));
  return shapesOfEdges(space.edges, { space, colors, size }, alpha);
}

/** Returns the shapes over those of all transitions: the transitions that stand out, the tools, the names of servers. */
export function shapesOfTools(drawing: ToolSpaceDrawing): ToolSpaceShape[] {
  const { space, colors, size, marked } = drawing;
  const isMarked = ({ from, to }: TransitionEdge): boolean => marked.has(from) || marked.has(to);
  if (isMatrix(space))
    return [
      ...shapesOfEdges(space.edges.filter(isMarked), drawing, 1),
      ...shapesOfMarkedRows(drawing),
      ...shapesOfServerNames(space, colors, size),
    ];
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
  const cell = isMatrix(space) ? cellOf(space, size) : null;
  const byColor = Map.groupBy(edges, ({ executed, valuePassed }) =>
    valuePassed > 0 ? colors.valuePassed : executed > 0 ? colors.executed : colors.line,
  );
  return [...byColor].flatMap(([color, alike]) =>
    [...Map.groupBy(alike, ({ executed }) => Math.min(4, 1 + Math.floor(Math.log2(1 + executed))))].map(
      ([width, lines]) => ({
        kind: 'lines' as const,
        path: lines
          .map((edge) => (cell === null ? pathOfEdge(edge, space, radius) : pathOfCell(edge, cell, size)))
          .join(''),
        color,
        width: cell === null ? width * 0.8 : Math.max(1, cell),
        alpha: cell === null ? alpha : alpha * (0.4 + 0.15 * width),
      }),
    ),
  );
}

/** A square as a short thick line: the row of the tool before, the column of the one after. */
const pathOfCell = ({ from, to }: TransitionEdge, cell: number, size: number): string =>
  `M${(matrixStart(size) + to * cell).toFixed(1)} ${(matrixStart(size) + (from + 0.5) * cell).toFixed(1)}h${Math.max(1, cell).toFixed(1)}`;

/** A row and a column, from one side to the other. */
const pathOfCross = (place: number, size: number): string => {
  const [start, at] = [matrixStart(size).toFixed(1), place.toFixed(1)];
  return `M${start} ${at}H${(size / 2).toFixed(1)}M${at} ${start}V${(size / 2).toFixed(1)}`;
};

/** The tools of each server, by how many lie before its first one. */
const serverRows = ({
  nodes,
}: ToolSpace): { readonly server: string; readonly from: number; readonly count: number }[] => {
  let from = 0;
  return [...Map.groupBy(nodes, ({ server }) => server)].map(([server, own]) => {
    const row = { server, from, count: own.length };
    from += own.length;
    return row;
  });
};

const shapesOfServerLines = (space: ToolSpace, colors: ChartColors, size: number): ToolSpaceShape[] => [
  {
    kind: 'lines',
    path: serverRows(space)
      .map(({ from }) => pathOfCross(matrixStart(size) + from * cellOf(space, size), size))
      .join(''),
    color: colors.line,
    width: 1,
    alpha: 1,
  },
];

function shapesOfMarkedRows({ space, colors, size, marked }: ToolSpaceDrawing): ToolSpaceShape[] {
  const cell = cellOf(space, size);
  const path = [...marked].map((place) => pathOfCross(matrixStart(size) + (place + 0.5) * cell, size)).join('');
  return [{ kind: 'lines', path, color: colors.ink, width: Math.max(2, cell), alpha: 0.12 }];
}

/** The names of servers at the rows and above the columns, as far as there is room. */
const shapesOfServerNames = (space: ToolSpace, { faint: color }: ChartColors, size: number): ToolSpaceShape[] =>
  serverRows(space).flatMap(({ server, from, count }): ToolSpaceShape[] => {
    const cell = cellOf(space, size);
    if (count * cell < nameHeight) return [];
    const [text, start] = [server.slice(0, 14), matrixStart(size)];
    const at = start + (from + count / 2) * cell;
    return [
      { kind: 'name', text, x: start - 6, y: at, turn: 0, isEnd: true, color },
      { kind: 'name', text, x: at, y: start - 6, turn: -Math.PI / 2, isEnd: false, color },
    ];
  });

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
  const [distance, isEnd] = [radius + 12, Math.cos(angle) < 0];
  return {
    kind: 'name',
    text: server.slice(0, 18),
    x: Math.cos(angle) * distance,
    y: Math.sin(angle) * distance,
    turn: isEnd ? angle + Math.PI : angle,
    isEnd,
    color,
  };
}
