import { lowerMedianOrNull } from '#core/statistics/quantile.ts';
import { makeRandom } from '#core/values/random.ts';
import { drawServer, plantedKinds, type Plant } from './watch/simulated-server.ts';
import { isOfPlant, simulateDays } from './watch/simulate-year.ts';
import { roundedJsonLine } from './shared/json-line.ts';
import { readBenchOptions } from './shared/options.ts';

/**
 * `npm run bench:watch`: years of simulated servers, with planted changes and with noise alone: bench/README.md.
 */
const options = readBenchOptions('Measures what a watch finds, how soon, and how often it is wrong.');
const [servers, quiet] = options.smallest ? [1, 2] : [50, 200];
const year = 365;
/** Days after the plant in which it may be found. */
const daysToFind = 180;

const kinds = plantedKinds.map((kind) => {
  const days = Array.from({ length: servers }, (_, index): number | null => {
    const seed = index + 1;
    const server = drawServer(`${kind} ${seed}`);
    const random = makeRandom('plant', kind, seed);
    const tool = server.tools[Math.floor(random.next() * server.tools.length)] ?? '';
    const plant: Plant = { kind, tool, day: 60 + Math.floor(120 * random.next()) };
    const found = simulateDays(server, seed, plant.day + daysToFind, plant);
    const first = found.find((each) => isOfPlant(each, plant));
    return first === undefined ? null : first.day - plant.day + 1;
  });
  const found = days.filter((day) => day !== null);
  return { kind, planted: servers, detected: found.length / servers, daysToDetect: lowerMedianOrNull(found) };
});

const alarms = Array.from({ length: quiet }, (_, index) =>
  simulateDays(drawServer(`quiet ${index}`), index, year, null),
);
const falseAlarms = alarms.flat();
const byKind = Object.fromEntries(
  [...Map.groupBy(falseAlarms, ({ incident }) => incident.kind)].map(([kind, own]) => [kind, own.length]),
);
const figures = {
  detected: kinds.reduce((sum, each) => sum + each.detected, 0) / kinds.length,
  daysToDetect: Object.fromEntries(kinds.map(({ kind, daysToDetect }) => [kind, daysToDetect])),
  falseAlarmsPerServerYear: falseAlarms.length / quiet,
  mostFalseAlarms: Math.max(...alarms.map((each) => each.length)),
  falseAlarms: byKind,
  kinds,
  serverYears: quiet,
};
if (options.json) console.log(roundedJsonLine(figures));
else {
  console.table(kinds);
  console.log(
    'false alarms a server and year',
    figures.falseAlarmsPerServerYear,
    byKind,
    'most of one',
    figures.mostFalseAlarms,
  );
}
