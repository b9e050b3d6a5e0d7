import { getScorerOrThrow, scorerKeys } from './scorers.ts';
import { fixedDigitsText } from './figure-texts.ts';
import { scorersWithNoticeableFloor, type BenchmarkFloor } from './floor.ts';

/** Returns sentences that say what agents that know nothing score, and which figures that makes doubtful. */
export function floorSentences(floor: BenchmarkFloor | null): string[] {
  if (floor === null) return ['Nobody has measured what agents that know nothing score here.'];
  if (floor.state === 'running')
    return [`What agents that know nothing score here is being measured by ${floor.evaluation}.`];
  if (floor.state === 'unavailable')
    return [`What agents that know nothing score here could not be measured: ${floor.reason}.`];
  const { scores, units } = floor;
  const best = scorerKeys.flatMap((key) => {
    const found = scores[key];
    return found === undefined || getScorerOrThrow(key).direction !== 'higher'
      ? []
      : [`${getScorerOrThrow(key).title} ${fixedDigitsText(found.value)} (${found.agent})`];
  });
  const doubtful = scorersWithNoticeableFloor(scores).map((key) => getScorerOrThrow(key).title);
  return [
    `Floor, the best that an agent that knows nothing scores on ${units} units: ${best.join(', ')}.`,
    ...(doubtful.length === 0
      ? []
      : [`A floor above 0.2 means that a good figure need not be earned here: ${doubtful.join(', ')}.`]),
  ];
}
