import type { RunEvent } from '#core/reports/events.ts';
import { outputLineWidth, type Sink } from '../command-line/output.ts';
import { LiveBlock } from './live-block.ts';

/** How a kind of run is shown: from its events to a view, and from the view to lines. */
export interface Drawing<View, Happened = RunEvent> {
  /** The run before its first event. */
  readonly initialView: View;
  advance(view: View, event: Happened): View;
  /** The run as a block of lines for a terminal. */
  blockLines(view: View, now: number): string[];
  /** The message that is worth its own line everywhere. */
  newsText(event: Happened): string | null;
  /** The line for an event if nothing can be redrawn; `view` includes it already, `before` does not. */
  lineText(view: View, event: Happened, before: View): string | null;
}

/** Shows a run while it continues. */
export interface ProgressDisplay<Happened = RunEvent> {
  showEvent(event: Happened): void;
  showNote(line: string): void;
  /** Leaves the last output in place. */
  end(): void;
}

const redrawMs = 250;

/** A block that is redrawn in place on a terminal, and occasional lines elsewhere. */
export function makeProgressDisplay<View, Happened>(
  drawing: Drawing<View, Happened>,
  sink: Sink,
): ProgressDisplay<Happened> {
  return canRedraw(sink) ? makeLiveDisplay(drawing, sink) : makeLineDisplay(drawing, sink);
}

/** Narrower than this, a block of bars and labels has no room for its figures. */
const narrowestBlock = 50;

/** Returns whether a block can be redrawn in place: on a terminal that is wide enough and can move its cursor. */
export const canRedraw = (
  sink: Sink,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): boolean => sink.isTTY === true && environment['TERM'] !== 'dumb' && outputLineWidth(sink) >= narrowestBlock;

function makeLiveDisplay<View, Happened>(drawing: Drawing<View, Happened>, sink: Sink): ProgressDisplay<Happened> {
  const block = new LiveBlock(sink);
  let view = drawing.initialView;
  const draw = (): void => block.draw(drawing.blockLines(view, Date.now()));
  draw();
  const timer = setInterval(draw, redrawMs);
  return {
    showEvent(event) {
      view = drawing.advance(view, event);
      const news = drawing.newsText(event);
      if (news !== null) block.printPermanentLineAbove(news);
    },
    showNote: (line) => block.printPermanentLineAbove(line),
    end() {
      clearInterval(timer);
      draw();
    },
  };
}

function makeLineDisplay<View, Happened>(drawing: Drawing<View, Happened>, sink: Sink): ProgressDisplay<Happened> {
  let view = drawing.initialView;
  const say = (line: string): void => void sink.write(`${line}\n`);
  return {
    showEvent(event) {
      const before = view;
      view = drawing.advance(before, event);
      for (const line of [drawing.newsText(event), drawing.lineText(view, event, before)]) if (line !== null) say(line);
    },
    showNote: say,
    end: () => {},
  };
}
