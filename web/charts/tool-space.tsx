import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { countWithNoun } from '../../client/command-line/text.ts';
import { UntrustedText } from '../parts/outside-text.tsx';
import { useChartColors } from './chart-colors.ts';
import { drawToolsOverTransitions, drawAllTransitions } from './draw-tool-space.ts';
import {
  isMatrix,
  rowIndexAtOrNull,
  toolSpaceCircleRadius,
  toolSpaceLegend,
  type ToolSpaceDrawing,
} from './tool-space-shapes.ts';
import {
  findNearestNodeIndexOrNull,
  nodeIndexAfterKeyOrNull,
  type ToolNode,
  type ToolSpace,
} from './tool-space-layout.ts';

interface ToolSpaceProps {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly space: ToolSpace;
  /** Places of the tools that stand out while the reader points at none. */
  readonly marked: ReadonlySet<number>;
  readonly onOpen: (tool: string) => void;
}

const longestSize = 720;
/** How near the pointer has to be to a tool, as a share of the circle's radius. */
const reach = 0.06;

/**
 * All tools, those of a server side by side, and the transitions between them: on a circle, or from 40 tools on as a matrix. A tool is opened with a click, or with
 * Enter after the arrow keys.
 */
export function ToolSpaceChart({ canvas, space, marked: markedByPage, onOpen }: ToolSpaceProps) {
  const size = useChartSize(canvas);
  const [pointed, setPointed] = useState<number | null>(null);
  const colors = useChartColors();
  const marked = useMemo(() => (pointed === null ? markedByPage : new Set([pointed])), [pointed, markedByPage]);

  useDrawnToolSpace(canvas, { space, colors, size, marked });

  const findPointed = (event: MouseEvent): number | null => {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined) return null;
    if (isMatrix(space)) return rowIndexAtOrNull(space, size, event.clientY - box.top);
    const place = (at: number, from: number): number => (at - from - size / 2) / toolSpaceCircleRadius(size);
    return findNearestNodeIndexOrNull(
      space.nodes,
      place(event.clientX, box.left),
      place(event.clientY, box.top),
      reach,
    );
  };
  const open = (place: number | null): void => {
    const node = place === null ? undefined : space.nodes[place];
    if (node !== undefined) onOpen(node.tool);
  };
  const pressKey = (event: KeyboardEvent): void => {
    const next = nodeIndexAfterKeyOrNull(event.key, pointed, space.nodes.length);
    if (next === null && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === null) open(pointed);
    else setPointed(next);
  };
  return (
    <div class="tool-space">
      <canvas
        ref={canvas}
        role="application"
        tabIndex={0}
        aria-label={`${countWithNoun(space.nodes.length, 'tool')} and ${countWithNoun(space.edges.length, 'transition')} between them; arrow keys go from tool to tool, Enter opens one; the table below lists them`}
        style={{ width: `${size}px`, height: `${size}px`, cursor: pointed === null ? 'default' : 'pointer' }}
        onPointerMove={(event) => setPointed(findPointed(event))}
        onPointerLeave={() => setPointed(null)}
        onBlur={() => setPointed(null)}
        onClick={(event) => open(findPointed(event))}
        onKeyDown={pressKey}
      />
      <PointedToolNote isMatrix={isMatrix(space)} node={pointed === null ? undefined : space.nodes[pointed]} />
      <ul class="legend">
        {toolSpaceLegend.map((each) => (
          <li key={each.class} class={each.class}>
            {each.name}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Draws the chart on a canvas. What stands out changes with the pointer, so the transitions behind it are drawn once and kept. */
function useDrawnToolSpace(
  canvas: RefObject<HTMLCanvasElement | null>,
  { space, colors, size, marked }: ToolSpaceDrawing,
): void {
  const picture = useMemo(() => {
    if (size === 0) return null;
    const drawn = new OffscreenCanvas(size * devicePixelRatio, size * devicePixelRatio);
    const context = drawn.getContext('2d');
    context?.scale(devicePixelRatio, devicePixelRatio);
    if (context !== null) drawAllTransitions(context, { space, colors, size });
    return drawn;
  }, [space, colors, size]);

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (canvas.current === null || context == null || picture === null) return;
    canvas.current.width = picture.width;
    canvas.current.height = picture.height;
    context.scale(devicePixelRatio, devicePixelRatio);
    drawToolsOverTransitions(context, { space, colors, size, marked }, picture);
  }, [space, colors, size, marked, picture]);
}

/** Says which tool the pointer is at. */
const PointedToolNote = ({
  node,
  isMatrix: asMatrix,
}: {
  readonly node: ToolNode | undefined;
  readonly isMatrix: boolean;
}) => (
  <p class="pointed" aria-live="polite">
    {node === undefined ? (
      <span class="faint">
        {asMatrix && 'A row is the tool before, a column the tool after. '}
        Point at a tool to see its transitions; click it to open it.
      </span>
    ) : (
      <>
        <UntrustedText text={node.tool} />
        {`: ${countWithNoun(node.executed, 'execution')} of its transitions`}
      </>
    )}
  </p>
);

/** Returns how wide and high the chart can be, in pixels, which follows the window. */
function useChartSize(canvas: RefObject<HTMLCanvasElement | null>): number {
  const [size, setSize] = useState(0);
  useEffect(() => {
    const box = canvas.current?.parentElement;
    if (box == null) return;
    const observer = new ResizeObserver(() => setSize(Math.min(longestSize, box.clientWidth)));
    observer.observe(box);
    return () => observer.disconnect();
  }, [canvas]);
  return size;
}
