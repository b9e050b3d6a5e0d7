import type { LoadRecord } from '#core/similarity/knowledge/record.ts';
import type { Sink } from '../command-line/output.ts';
import { wholeNumberText, countWithNoun } from '../command-line/text.ts';
import { LiveBlock } from './live-block.ts';
import { barText } from './exploration-drawing.ts';

/** Without a terminal, one line for each such part of the file. */
const linesOfLoad = 10;

/** Shows how much of a file has been loaded: a bar on a terminal, occasional lines elsewhere. */
export function makeLoadProgressCallback(size: number, sink: Sink): (totals: LoadRecord, bytes: number) => void {
  const shareOf = (bytes: number): number => (size === 0 ? 1 : bytes / size);
  if (sink.isTTY === true) {
    const block = new LiveBlock(sink);
    const draw = (totals: LoadRecord, bytes: number): void =>
      block.draw([`${barText(shareOf(bytes))} ${passageLoadTotalsText(totals)}`]);
    draw({ lines: 0, loaded: 0, unchanged: 0 }, 0);
    return draw;
  }
  let shown = 0;
  return (totals, bytes) => {
    const reached = Math.floor(linesOfLoad * shareOf(bytes));
    if (reached > shown && reached < linesOfLoad) sink.write(`${passageLoadTotalsText(totals)}\n`);
    shown = reached;
  };
}

/** Describes the result of a load. */
export const passageLoadTotalsText = ({ lines, loaded, unchanged }: LoadRecord): string =>
  `${countWithNoun(lines, 'line')}: ${wholeNumberText(loaded)} loaded, ${wholeNumberText(unchanged)} in already`;
