import type { PastVisit } from './record.ts';

/** A visit as a bar. */
export interface VisitBar {
  /** Its place from the left, in visits. */
  readonly place: number;
  /** 0..1 of the height; whole where the server was not reached. */
  readonly tall: number;
  readonly kind: 'mark' | 'warn' | 'bad';
  readonly said: string;
}

export interface VisitBars {
  readonly bars: readonly VisitBar[];
  /** Visits that have a place; those that have not been made are at the left. */
  readonly places: number;
  /** A rule below the bars with a tick for every tenth visit, as the path of an SVG 10 units a place wide and 70 high. */
  readonly rule: string;
  /** What the picture says in words. */
  readonly said: string;
}

const leastTall = 0.05;
const leastPlaces = 40;

/** Lays out visits, given the latest first, as bars as high as the median time of a call. */
export function layOutVisitBars(visits: readonly PastVisit[]): VisitBars {
  const most = Math.max(1, ...visits.map(({ medianMs }) => medianMs ?? 0));
  const places = Math.max(leastPlaces, visits.length);
  const missed = visits.filter(({ problem }) => problem !== null).length;
  const bars = visits.toReversed().map(({ at, problem, medianMs, unusual }, index): VisitBar => {
    const took = medianMs === null ? 'no calls' : `${Math.round(medianMs)} ms`;
    return {
      place: places - visits.length + index,
      tall: problem === null ? Math.max(leastTall, (medianMs ?? 0) / most) : 1,
      kind: problem !== null ? 'bad' : unusual > 0 ? 'warn' : 'mark',
      said: `${at.slice(0, 16).replace('T', ' ')} UTC: ${problem ?? `${took}, ${unusual} unusual`}`,
    };
  });
  const ticks = Array.from({ length: Math.floor(places / 10) + 1 }, (_, tick) => `M${10 * (places - 10 * tick)} 62v8`);
  return {
    bars,
    places,
    rule: `M0 62H${10 * places}${ticks.join('')}`,
    said: `The last ${visits.length} visits: ${missed} did not reach the server. The height is the median time of a call, ${Math.round(most)} ms at most.`,
  };
}
