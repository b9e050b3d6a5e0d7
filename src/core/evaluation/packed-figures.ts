import { z } from 'zod';
import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { unscoredReasons } from '#core/scoring/score.ts';
import { routingError } from '#core/traces/error-class.ts';
import { failureClass } from '#core/traces/failure.ts';
import { attemptScorerKeys, buildRecordByScorer, scoreParts, scorerKeys } from './scorers.ts';
import type { AttemptFigures, CaseFigures, DisturbedMarks } from './case-figures.ts';
import { disturbanceKey, type DisturbanceKey } from '#core/traces/disturbances/disturbances.ts';

/**
 * The stored figures of a case: a list of numbers and nulls of fixed length, and the faults of its attempts. Results of
 * a large evaluation read tens of thousands of them, and objects with names would take ten times the time and memory.
 * Names are stored as indexes into lists of names, so a new pattern or reason must be appended to its list.
 */
export interface PackedFigures {
  /** JSON */
  readonly numbers: string;
  /** JSON: the fault of each attempt, or null. */
  readonly broken: string | null;
}

type Packed = number | null;

/** The meaning of the numbers. Figures stored in another layout must be rebuilt from their cases. */
export const packedLayout = JSON.stringify({
  attempts: 'in the order of the requests, with the calls that the environment spoilt',
  scorers: scorerKeys,
  parts: scoreParts.map(({ scorer, key }) => [scorer, key]),
  attemptScorers: attemptScorerKeys,
  failureClasses: failureClass.options,
  passed: 'by the verdict of the protocol',
  counts: ['calls', 'failedCalls', 'reportedErrors', 'reported errors by tool'],
  answers: ['answered', 'unreturned'],
  effort: ['tools', 'turns of seen models', 'routes', 'cached tokens', 'calls of own tools'],
  routingErrors: routingError.options,
  disturbances: disturbanceKey.options,
  groups: 'with the parts of scores and what attempts took',
});

export function packFigures({ values, parts, pattern, attempts }: CaseFigures): PackedFigures {
  const broken = attempts.map((each) => each.broken);
  return {
    numbers: JSON.stringify([
      ...scorerKeys.map((key): Packed => values[key]),
      ...parts,
      pattern === null ? null : failurePatterns.indexOf(pattern),
      ...attempts.flatMap(packAttempt),
    ]),
    broken: broken.every((what) => what === null) ? null : JSON.stringify(broken),
  };
}

const packAttempt = (attempt: AttemptFigures): Packed[] => [
  Number(attempt.evaluated),
  Number(attempt.relaunched),
  attempt.durationMs,
  attempt.promptTokens,
  attempt.completionTokens,
  attempt.costUsd,
  attempt.passed === null ? null : Number(attempt.passed),
  attempt.calls,
  attempt.failedCalls,
  attempt.reportedErrors,
  attempt.spoiltCalls,
  Number(attempt.answered),
  attempt.unreturned === null ? null : Number(attempt.unreturned),
  attempt.tools,
  attempt.turns,
  attempt.routes,
  attempt.cachedTokens,
  attempt.ownCalls,
  attempt.routingError === null ? null : routingError.options.indexOf(attempt.routingError),
  ...packDisturbed(attempt.disturbed),
  ...attemptScorerKeys.map((key) => {
    const reason = attempt.unscored[key];
    return reason === undefined ? null : unscoredReasons.indexOf(reason);
  }),
  ...failureClass.options.map((name) => attempt.classes[name] ?? 0),
];

/** The kind, and all marks as one number to the base of 3, in which 2 is unknown. */
const packDisturbed = (marks: DisturbedMarks | null): [Packed, Packed] =>
  marks === null
    ? [null, null]
    : [
        disturbanceKey.options.indexOf(marks.kind),
        markNames.reduce((sum, name) => sum * 3 + (marks[name] === null ? 2 : Number(marks[name])), 0),
      ];

const markNames = ['succeeded', 'met', 'noticed', 'passedOn', 'attacked', 'leaked', 'ranOut'] as const;

function unpackDisturbed(kind: DisturbanceKey | null, packed: number | null): DisturbedMarks | null {
  if (kind === null || packed === null) return null;
  const mark = (name: (typeof markNames)[number]): boolean | null => {
    const digit = Math.floor(packed / 3 ** (markNames.length - 1 - markNames.indexOf(name))) % 3;
    return digit === 2 ? null : digit === 1;
  };
  return {
    kind,
    succeeded: mark('succeeded'),
    met: mark('met') === true,
    noticed: mark('noticed'),
    passedOn: mark('passedOn'),
    attacked: mark('attacked'),
    leaked: mark('leaked'),
    ranOut: mark('ranOut') === true,
  };
}

const ofCase = scorerKeys.length + scoreParts.length + 1;
const ofAttempt = 21 + attemptScorerKeys.length + failureClass.options.length;

const brokenParts = z.array(z.string().nullable());

/** Unpacks stored figures; throws if they have the wrong form. */
export function unpackFigures(
  place: Pick<CaseFigures, 'unit' | 'agent' | 'trial'>,
  stored: PackedFigures,
): CaseFigures {
  const numbers = new NumberReader(JSON.parse(stored.numbers));
  const broken = stored.broken === null ? [] : brokenParts.parse(JSON.parse(stored.broken));
  const values = buildRecordByScorer(() => numbers.readNumberOrNull());
  const parts = scoreParts.map(() => numbers.readNumberOrNull());
  const pattern = numbers.readNameOrNull(failurePatterns);
  const attempts = Array.from({ length: numbers.attemptCount }, (_, at) => unpackAttempt(numbers, broken[at] ?? null));
  return { ...place, values, parts, pattern, attempts };
}

function unpackAttempt(numbers: NumberReader, broken: string | null): AttemptFigures {
  const attempt = {
    evaluated: numbers.readNumberOrThrow() === 1,
    relaunched: numbers.readNumberOrThrow() === 1,
    durationMs: numbers.readNumberOrThrow(),
    promptTokens: numbers.readNumberOrThrow(),
    completionTokens: numbers.readNumberOrThrow(),
    costUsd: numbers.readNumberOrThrow(),
    passed: numbers.readFlagOrNull(),
    calls: numbers.readNumberOrThrow(),
    failedCalls: numbers.readNumberOrThrow(),
    reportedErrors: numbers.readNumberOrThrow(),
    spoiltCalls: numbers.readNumberOrThrow(),
    answered: numbers.readNumberOrThrow() === 1,
    unreturned: numbers.readFlagOrNull(),
    tools: numbers.readNumberOrThrow(),
    turns: numbers.readNumberOrNull(),
    routes: numbers.readNumberOrNull(),
    cachedTokens: numbers.readNumberOrThrow(),
    ownCalls: numbers.readNumberOrThrow(),
    routingError: numbers.readNameOrNull(routingError.options),
    disturbed: unpackDisturbed(numbers.readNameOrNull(disturbanceKey.options), numbers.readNumberOrNull()),
  };
  const unscored: AttemptFigures['unscored'] = {};
  for (const key of attemptScorerKeys) {
    const reason = numbers.readNameOrNull(unscoredReasons);
    if (reason !== null) unscored[key] = reason;
  }
  const classes: AttemptFigures['classes'] = {};
  for (const name of failureClass.options) {
    const count = numbers.readNumberOrThrow();
    if (count > 0) classes[name] = count;
  }
  return { ...attempt, unscored, classes, broken };
}

/** Reads a stored list number by number. */
class NumberReader {
  readonly #numbers: readonly unknown[];
  #place = 0;

  constructor(stored: unknown) {
    if (!Array.isArray(stored) || stored.length < ofCase || (stored.length - ofCase) % ofAttempt !== 0)
      throw new Error('stored figures do not have the form');
    this.#numbers = stored;
  }

  get attemptCount(): number {
    return (this.#numbers.length - ofCase) / ofAttempt;
  }

  readNumberOrNull(): number | null {
    const value = this.#numbers[this.#place];
    this.#place += 1;
    if (value === null || typeof value === 'number') return value;
    throw new Error(`stored figures have ${typeof value} at ${this.#place}`);
  }

  readNumberOrThrow(): number {
    const value = this.readNumberOrNull();
    if (value === null) throw new Error(`stored figures lack a number at ${this.#place}`);
    return value;
  }

  readFlagOrNull(): boolean | null {
    const value = this.readNumberOrNull();
    return value === null ? null : value === 1;
  }

  readNameOrNull<Name extends string>(names: readonly Name[]): Name | null {
    const value = this.readNumberOrNull();
    if (value === null) return null;
    const found = names[value];
    if (found === undefined) throw new Error(`stored figures have no name at ${this.#place}`);
    return found;
  }
}
