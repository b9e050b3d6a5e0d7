import { html } from 'hono/html';
import type { Html } from './page-frame.ts';

/** The area of a plot whose vertical axis is a score of 0..1. */
export const plotSize = { width: 640, height: 320, left: 48, right: 16, top: 24, bottom: 36 };
export const plotBottom = plotSize.height - plotSize.bottom;
export const plotRight = plotSize.width - plotSize.right;

/** The scores at which axes have a mark. */
export const scoreTicks = [0, 0.25, 0.5, 0.75, 1] as const;

/** Returns the height at which a score is drawn; scores outside of 0..1 are drawn at the edge. */
export const yOfScore = (score: number): number =>
  plotSize.top + (1 - Math.min(1, Math.max(0, score))) * (plotBottom - plotSize.top);

/** Formats a coordinate. */
export const coordinateText = (place: number): string => place.toFixed(1);

/** Draws the lines of the score axis. */
export const scoreAxis = (): Html =>
  html`${scoreTicks.map(
    (score) =>
      html`<line
          class="axis"
          x1="${plotSize.left}"
          x2="${plotRight}"
          y1="${coordinateText(yOfScore(score))}"
          y2="${coordinateText(yOfScore(score))}"
        />
        <text x="${plotSize.left - 6}" y="${coordinateText(yOfScore(score) + 4)}" text-anchor="end">${score}</text>`,
  )}`;

/** Draws a mark below the horizontal axis. */
export const horizontalTick = (x: number, label: string): Html =>
  html`<line
      class="axis"
      x1="${coordinateText(x)}"
      x2="${coordinateText(x)}"
      y1="${plotBottom}"
      y2="${plotBottom + 4}"
    />
    <text x="${coordinateText(x)}" y="${plotBottom + 16}" text-anchor="middle">${label}</text>`;
