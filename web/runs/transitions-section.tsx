import { useMemo, useRef, useState } from 'preact/hooks';
import type { TransitionRecord } from '#core/exploration/counts.ts';
import { transitionColumns } from '../../client/display/finding-columns.ts';
import { readChartColors } from '../charts/chart-colors.ts';
import { pictureSvgText, toolSpaceSvgElements } from '../charts/picture.ts';
import { toolSpaceLegend } from '../charts/tool-space-shapes.ts';
import { findNodeIndexes, layOutToolSpace, type ToolSpace } from '../charts/tool-space-layout.ts';
import { ToolSpaceChart } from '../charts/tool-space.tsx';
import type { TextFile } from '../data/text-file.ts';
import { useClient } from '../data/session.ts';
import { DownloadButton } from '../parts/download-button.tsx';
import { LongTable, type LongColumn } from '../parts/long-table.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { csvFileOfList } from './csv-file.ts';
import { OpenedTool } from './opened-tool.tsx';

const longColumns: readonly LongColumn<TransitionRecord>[] = [
  { title: 'from', width: 5, cell: ({ from }) => <UntrustedText text={from} /> },
  { title: 'to', width: 5, cell: ({ to }) => <UntrustedText text={to} /> },
  { title: 'executed', width: 2, isNumber: true, cell: ({ executed }) => executed },
  { title: 'expected', width: 2, isNumber: true, cell: ({ expected }) => expected },
  { title: 'value passed', width: 2, isNumber: true, cell: ({ valuePassed }) => valuePassed },
];

interface TransitionsSectionProps {
  readonly id: string;
  readonly tools: readonly string[];
  readonly transitions: readonly TransitionRecord[];
  /** The tool that is open, to which the lists are narrowed; null if none is. */
  readonly tool: string | null;
  /** How many units of the list have the open tool in their chain. */
  readonly unitsOfTool: number;
  /** Opens a tool, or closes the open one. */
  readonly onOpen: (tool: string | null) => void;
}

/** The tool space as a chart and as a table, and what is known of the tool that is open. */
export function TransitionsSection({ id, tools, transitions, tool, unitsOfTool, onOpen }: TransitionsSectionProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [search, setSearch] = useState('');
  const space = useMemo(() => layOutToolSpace(tools, transitions), [tools, transitions]);
  const marked = useMemo(
    () =>
      tool === null
        ? findNodeIndexes(space.nodes, search)
        : new Set(space.nodes.flatMap((node, index) => (node.tool === tool ? [index] : []))),
    [space, tool, search],
  );
  const ofTool = useMemo(
    () => (tool === null ? transitions : transitions.filter(({ from, to }) => from === tool || to === tool)),
    [transitions, tool],
  );
  const words = search.trim().toLowerCase();
  const found = useMemo(
    () => ofTool.filter(({ from, to }) => `${from} ${to}`.toLowerCase().includes(words)),
    [ofTool, words],
  );
  const close = (): void => {
    onOpen(null);
    canvas.current?.focus();
  };
  return (
    <section>
      <h2>Tool space</h2>
      <label>
        Search tools <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      </label>
      <ToolSpaceChart canvas={canvas} space={space} marked={marked} onOpen={onOpen} />
      <div aria-live="polite">
        {tool !== null && <OpenedTool tool={tool} transitions={ofTool} units={unitsOfTool} onClose={close} />}
      </div>
      <LongTable
        caption={`${found.length} of ${transitions.length} transitions: in how many units each occurred`}
        columns={longColumns}
        rows={found}
        keyOf={({ from, to }) => `${from} ${to}`}
      />
      <TransitionDownloads id={id} space={space} marked={marked} />
    </section>
  );
}

interface ShownSpace {
  readonly id: string;
  readonly space: ToolSpace;
  readonly marked: ReadonlySet<number>;
}

function TransitionDownloads({ id, space, marked }: ShownSpace) {
  const { explorations } = useClient();
  return (
    <div class="controls">
      <DownloadButton what="the tool space as SVG" makeFile={() => toolSpaceFile({ id, space, marked })} />
      <DownloadButton
        what="the transitions as CSV"
        makeFile={() =>
          csvFileOfList(`${id}-transitions.csv`, transitionColumns, explorations.transitions(id, { pageSize: 500 }))
        }
      />
    </div>
  );
}

/** Pixels; a picture is as large as the chart on a wide screen, also on a phone. */
const pictureSize = 720;

/** Returns the chart with the tools that stand out, in the page's colours. */
function toolSpaceFile({ id, space, marked }: ShownSpace): TextFile {
  const colors = readChartColors();
  return {
    name: `${id}-tool-space.svg`,
    type: 'image/svg+xml',
    text: pictureSvgText({
      title: `Tool space of ${id}`,
      width: pictureSize,
      height: pictureSize,
      drawing: toolSpaceSvgElements({ space, marked, colors, size: pictureSize }),
      legend: toolSpaceLegend.map(({ name, color }) => ({ name, color: colors[color] })),
      colors,
    }),
  };
}
