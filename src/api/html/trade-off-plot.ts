import { html } from 'hono/html';
import { scoreOrDashText } from '#core/leaderboards/figure-texts.ts';
import type { Entry } from '#core/leaderboards/record.ts';
import { computeExecutionAndCompletion } from '#core/leaderboards/trade-off.ts';
import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import type { Html } from './page-frame.ts';
import {
  coordinateText,
  horizontalTick,
  plotBottom,
  plotRight,
  plotSize,
  scoreAxis,
  scoreTicks,
  yOfScore,
} from './plot-area.ts';

/** Space beside the outermost scores. */
const margin = 12;

/**
 * Plots execution against completion, with the line on which both are equal; renders nothing if no entry has both figures.
 */
export function executionAgainstCompletionPlot(entries: readonly Entry[]): Html | null {
  const points = entries.flatMap((entry) => {
    const found = computeExecutionAndCompletion(entry);
    return found === null ? [] : [{ name: entry.name, ...found }];
  });
  if (points.length === 0) return null;
  return html`<svg
    class="plot"
    viewBox="0 0 ${plotSize.width} ${plotSize.height}"
    role="img"
    aria-label="Completion against execution"
  >
    ${scoreAxis()} ${scoreTicks.map((score) => horizontalTick(xOfScore(score), String(score)))}
    <text x="${plotRight}" y="${plotSize.height - 4}" text-anchor="end">completion</text>
    <text x="0" y="${plotSize.top - 8}">execution</text>
    <line
      class="axis"
      x1="${coordinateText(xOfScore(0))}"
      x2="${coordinateText(xOfScore(1))}"
      y1="${plotBottom}"
      y2="${plotSize.top}"
    />
    ${points.map(
      ({ name, execution, completion }) =>
        html`<circle
          class="dot"
          cx="${coordinateText(xOfScore(completion))}"
          cy="${coordinateText(yOfScore(execution))}"
          r="4"
          ><title>
            ${showHiddenCharacters(name)}: execution ${scoreOrDashText(execution)}, completion
            ${scoreOrDashText(completion)}
          </title></circle
        >`,
    )}
  </svg>`;
}

/** Returns where a score is drawn from left to right; scores outside of 0..1 are drawn at the edge. */
const xOfScore = (score: number): number =>
  plotSize.left + margin + Math.min(1, Math.max(0, score)) * (plotRight - plotSize.left - 2 * margin);
