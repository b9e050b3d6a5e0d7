import type { RoundReading } from '#core/exploration/reading-record.ts';
import { sumUnitCountsOfAllStates } from '#core/exploration/reservation.ts';
import type { ChartLine } from './chart-line.ts';

/** A run by the name that the page shows, and its readings after each round, oldest first. */
export interface NamedReadings {
  readonly name: string;
  readonly readings: readonly RoundReading[];
}

/** The lines of the two charts of estimates. */
export interface EstimateLines {
  /** What the horizontal axis counts. */
  readonly across: 'round' | 'units';
  readonly coverage: readonly ChartLine[];
  readonly transitions: readonly ChartLine[];
}

/**
 * Returns the lines of a run by round. Beside another run, which may have rounds of another size, they go by the units that were
 * committed, probes included; the other's lines come first, to be drawn behind.
 */
export function estimateLines(own: NamedReadings, other: NamedReadings | null): EstimateLines {
  const x = ({ round, units }: RoundReading): number => (other === null ? round : sumUnitCountsOfAllStates(units));
  const named = (name: string, { name: run }: NamedReadings): string => (other === null ? name : `${run}: ${name}`);
  const behind = (name: string, points: ChartLine['points']): ChartLine[] =>
    other === null ? [] : [{ name: named(name, other), class: 'behind', points }];
  const coverageName = 'share of probe transitions that were known';
  const others = other?.readings ?? [];
  return {
    across: other === null ? 'round' : 'units',
    coverage: [
      ...behind(
        coverageName,
        others.flatMap((reading) =>
          reading.probeCoverage === null ? [] : [{ x: x(reading), y: reading.probeCoverage.value }],
        ),
      ),
      {
        name: named(`${coverageName}, 95%`, own),
        class: 'first',
        points: own.readings.flatMap((reading) => {
          if (reading.probeCoverage === null) return [];
          const { value, low, high } = reading.probeCoverage;
          return [{ x: x(reading), y: value, low, high }];
        }),
      },
    ],
    transitions: withPoints([
      ...behind(
        'executed',
        others.map((reading) => ({ x: x(reading), y: reading.transitions })),
      ),
      {
        name: named('all, an estimate, 95%', own),
        class: 'second',
        points: own.readings.flatMap((reading) => {
          const estimate = reading.allTransitions?.estimate ?? null;
          return estimate === null
            ? []
            : [{ x: x(reading), y: estimate.value, low: estimate.low, high: estimate.high }];
        }),
      },
      {
        name: named('executed', own),
        class: 'first',
        points: own.readings.map((reading) => ({ x: x(reading), y: reading.transitions })),
      },
    ]),
  };
}

/** Leaves out what nothing is drawn of, so that no legend names it. */
const withPoints = (lines: EstimateLines['transitions']): EstimateLines['transitions'] =>
  lines.filter(({ points }) => points.length > 0);
