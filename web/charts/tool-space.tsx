import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TransitionRecord } from '#core/exploration/counts.ts';
import { countWithNoun } from '../../client/command-line/text.ts';
import { UntrustedText } from '../parts/outside-text.tsx';
import {
  drawToolsOverTransitions,
  drawAllTransitions,
  toolSpaceCircleRadius,
  type ChartColors,
} from './draw-tool-space.ts';
import { findNearestNodeIndexOrNull, layOutToolSpace, type ToolNode } from './tool-space-layout.ts';

interface ToolSpaceProps {
  readonly tools: readonly string[];
  readonly transitions: readonly TransitionRecord[];
  /** Marks the tools whose names have it. */
  readonly search: string;
}

const longestSize = 720;
/** How near the pointer has to be to a tool, as a share of the circle's radius. */
const reach = 0.06;

/** All tools on a circle, those of a server side by side, and the transitions between them. */
export function ToolSpaceChart({ tools, transitions, search }: ToolSpaceProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useChartSize(canvas);
  const [pointed, setPointed] = useState<number | null>(null);
  const colors = useChartColors();
  const space = useMemo(() => layOutToolSpace(tools, transitions), [tools, transitions]);
  const marked = useMemo(() => {
    if (pointed !== null) return new Set([pointed]);
    const words = search.trim().toLowerCase();
    if (words === '') return new Set<number>();
    return new Set(space.nodes.flatMap(({ tool }, place) => (tool.toLowerCase().includes(words) ? [place] : [])));
  }, [pointed, search, space]);

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

  const findPointed = (event: PointerEvent): number | null => {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined) return null;
    const place = (at: number, from: number): number => (at - from - size / 2) / toolSpaceCircleRadius(size);
    return findNearestNodeIndexOrNull(
      space.nodes,
      place(event.clientX, box.left),
      place(event.clientY, box.top),
      reach,
    );
  };
  return (
    <div class="tool-space">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${countWithNoun(space.nodes.length, 'tool')} and ${countWithNoun(transitions.length, 'transition')} between them; the table below lists them`}
        style={{ width: `${size}px`, height: `${size}px` }}
        onPointerMove={(event) => setPointed(findPointed(event))}
        onPointerLeave={() => setPointed(null)}
      />
      <PointedToolNote node={pointed === null ? undefined : space.nodes[pointed]} />
      <ul class="legend">
        <li class="first">executed</li>
        <li class="second">executed, passing a value</li>
        <li class="third">expected, never executed</li>
      </ul>
    </div>
  );
}

/** Says which tool the pointer is at. */
const PointedToolNote = ({ node }: { readonly node: ToolNode | undefined }) => (
  <p class="pointed">
    {node === undefined ? (
      <span class="faint">Point at a tool to see its transitions.</span>
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

/** The colours of the stylesheet, read again when the reader changes between light and dark. */
function useChartColors(): ChartColors {
  const [colors, setColors] = useState(readChartColors);
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const change = (): void => setColors(readChartColors());
    dark.addEventListener('change', change);
    return () => dark.removeEventListener('change', change);
  }, []);
  return colors;
}

function readChartColors(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  return {
    ink: color('--ink'),
    faint: color('--faint'),
    line: color('--line'),
    executed: color('--link'),
    valuePassed: color('--mark'),
  };
}
