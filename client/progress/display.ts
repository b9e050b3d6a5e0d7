import type { RunEvent } from '#core/events.ts';
import type { Sink } from '../command-line/output.ts';
import { LiveBlock } from './live-block.ts';

/** How a kind of run is shown: from its events to a view, and from the view to lines. */
export interface Drawing<View, Happened = RunEvent> {
  /** The run before its first event. */
  readonly start: View;
  advance(view: View, event: Happened): View;
  /** The run as a block of lines for a terminal. */
  block(view: View, now: number): string[];
  /** The message that is worth its own line everywhere. */
  news(event: Happened): string | null;
  /** The line for an event if nothing can be redrawn; `view` includes it already, `before` does not. */
  line(view: View, event: Happened, before: View): string | null;
}

/** Shows a run while it continues. */
export interface ProgressDisplay<Happened = RunEvent> {
  event(event: Happened): void;
  note(line: string): void;
  /** Leaves the last output in place. */
  end(): void;
}

const redrawMs = 250;

/** A block that is redrawn in place on a terminal, and occasional lines elsewhere. */
export function makeProgressDisplay<View, Happened>(
  drawing: Drawing<View, Happened>,
  sink: Sink,
): ProgressDisplay<Happened> {
  return sink.isTTY === true ? makeLiveDisplay(drawing, sink) : makeLineDisplay(drawing, sink);
}

function makeLiveDisplay<View, Happened>(drawing: Drawing<View, Happened>, sink: Sink): ProgressDisplay<Happened> {
  const block = new LiveBlock(sink);
  let view = drawing.start;
  const draw = (): void => block.draw(drawing.block(view, Date.now()));
  draw();
  const timer = setInterval(draw, redrawMs);
  return {
    event(event) {
      view = drawing.advance(view, event);
      const news = drawing.news(event);
      if (news !== null) block.print(news);
    },
    note: (line) => block.print(line),
    end() {
      clearInterval(timer);
      draw();
    },
  };
}

function makeLineDisplay<View, Happened>(drawing: Drawing<View, Happened>, sink: Sink): ProgressDisplay<Happened> {
  let view = drawing.start;
  const say = (line: string): void => void sink.write(`${line}\n`);
  return {
    event(event) {
      const before = view;
      view = drawing.advance(before, event);
      for (const line of [drawing.news(event), drawing.line(view, event, before)]) if (line !== null) say(line);
    },
    note: say,
    end: () => {},
  };
}
