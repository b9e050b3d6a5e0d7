import type { RunEvent } from '#core/events.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { Sink } from './command-line/output.ts';
import { plain } from './command-line/text.ts';
import { LiveBlock } from './live-block.ts';
import { blockOf, lineOf, standingText } from './progress-drawing.ts';
import { advance, viewOf } from './progress.ts';

/** Shows a run while it goes on. */
export interface ProgressDisplay {
  event(event: RunEvent): void;
  note(line: string): void;
  /** Leaves what was last shown where it is. */
  end(): void;
}

const redrawMs = 250;

/** A block that is drawn in place on a terminal, a line a round elsewhere. */
export function progressDisplay(run: ExplorationRecord, sink: Sink): ProgressDisplay {
  return sink.isTTY === true ? liveDisplay(run, sink) : lineDisplay(run, sink);
}

function liveDisplay(run: ExplorationRecord, sink: Sink): ProgressDisplay {
  const block = new LiveBlock(sink);
  let view = viewOf(run);
  const draw = (): void => block.draw(blockOf(view, Date.now()));
  draw();
  const timer = setInterval(draw, redrawMs);
  return {
    event(event) {
      view = advance(view, event);
      const news = newsOf(event);
      if (news !== null) block.print(news);
    },
    note: (line) => block.print(line),
    end() {
      clearInterval(timer);
      draw();
    },
  };
}

function lineDisplay(run: ExplorationRecord, sink: Sink): ProgressDisplay {
  let view = viewOf(run);
  const say = (line: string): void => void sink.write(`${line}\n`);
  return {
    event(happened) {
      view = advance(view, happened);
      const { event, at } = happened;
      const news = newsOf(happened);
      if (news !== null) say(news);
      if (event.type === 'round.committed') say(lineOf(view, Date.parse(at)));
      if (event.type === 'run.paused' || event.type === 'run.resumed' || event.type === 'run.ended')
        say(standingText(view));
    },
    note: say,
    end: () => {},
  };
}

/** What is worth a line of its own. */
function newsOf({ event }: RunEvent): string | null {
  if (event.type === 'server.down')
    return `server ${plain(event.server)} is out of reach; its tools rest until round ${event.untilRound}`;
  return event.type === 'server.recovered' ? `server ${plain(event.server)} answers again` : null;
}
