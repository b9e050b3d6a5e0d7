import { makeRandom, sample } from '#core/values/random.ts';
import { newCase, type EvaluationCase } from './case.ts';
import { type RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import type { EvaluationConfig } from './config.ts';

/** Returns the units of an evaluation among those of its split: all of them, or a seeded sample, by id. */
export function chooseUnitIds(offered: readonly string[], wanted: EvaluationConfig['sample']): string[] {
  const ids = offered.toSorted();
  if (wanted === undefined || wanted.units >= ids.length) return ids;
  return sample(makeRandom(wanted.seed, 'sample'), ids, wanted.units).toSorted();
}

/** Returns the id of a case; ids sort by unit, agent and trial. */
export const makeCaseId = ({ unit, agent, trial }: Pick<EvaluationCase, 'unit' | 'agent' | 'trial'>): string =>
  `${unit}.${agent}.${trialNumberText(trial)}`;

/** Returns the cases of one unit: every agent, every trial. */
export const makeCasesOfUnit = (
  unit: string,
  agents: readonly string[],
  trials: number,
  requests: readonly RequestName[],
): EvaluationCase[] =>
  agents.flatMap((agent) =>
    Array.from({ length: trials }, (_, place) =>
      newCase({
        id: makeCaseId({ unit, agent, trial: place + 1 }),
        unit,
        agent,
        trial: place + 1,
        requests,
      }),
    ),
  );

/** Returns the name of an attempt in a recording, which is the same for the same agent in every evaluation. */
export const recordedAttemptName = (
  { agent, trial }: Pick<EvaluationCase, 'agent' | 'trial'>,
  side: RequestName,
): string => `${agent}.${trialNumberText(trial)}.${side}`;

/** Formats a trial's number with a fixed width. */
const trialNumberText = (trial: number): string => String(trial).padStart(2, '0');
