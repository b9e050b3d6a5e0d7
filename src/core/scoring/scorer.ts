import type { z } from 'zod';
import type { TaskUnit } from '#core/units/task-unit.ts';
import type { DisturbanceRecord } from '#core/traces/disturbances/record.ts';
import type { ScoringParameters } from './parameters.ts';
import type { Step, Trace } from '#core/traces/trace.ts';
import type { ArgumentOrigin } from '#core/units/answers.ts';
import type { Judged, Parts, Score } from './score.ts';

/**
 * What a scorer requires: the unit's chain, the values that it passes from call to call, its right answer or checks, the words of the
 * request, the categories of tools, how calls relate to the mounted tools, which only who mounts them sees, a judge model.
 */
export type Need = 'chain' | 'dependencies' | 'truth' | 'request' | 'categories' | 'call-forms' | 'judge';

/** A figure behind a score: results have its mean. A list counts as its mean, yes and no as 1 and 0. */
export interface ScorePart<Key extends string = string> {
  /** Its name in the `parts` of scores. */
  readonly key: Key;
  /** Its name in tables. */
  readonly title: string;
  /** Its meaning. */
  readonly name: string;
}

/** A scorer's description, from which results, tables, files and documents are built. */
export interface ScorerFacts<Key extends string = string, Part extends string = string> {
  /** Its name in JSON, in columns and in storage: lower case, never changed. */
  readonly key: Key;
  /** Its name in tables. */
  readonly title: string;
  /** The full title. */
  readonly name: string;
  /** The question that it answers. */
  readonly question: string;
  /** How it is computed, in one sentence. */
  readonly formula: string;
  /** What it must not be taken for, and why. */
  readonly caveat: string;
  readonly range: readonly [low: number, high: number];
  /** Which values are better. `zero`: those near 0; then the mean of absolute values is given too. */
  readonly direction: 'higher' | 'lower' | 'zero';
  /** The paper and the equation. */
  readonly source: string;
  readonly needs: readonly Need[];
  /** Those of its parts that are figures, in display order. */
  readonly parts: readonly ScorePart<Part>[];
  /** True if tables with room for only a few scorers show it. */
  readonly brief: boolean;
  /** True if its only values are 0 and 1; a case has 1 if all of its attempts have. */
  readonly binary: boolean;
}

/** Returns the score of another scorer for the same attempt or case. */
export type ScoreOf = (scorer: { readonly key: string }) => Score;

/** What a unit states as right: an answer, checks, or nothing. */
export type UnitTruth = Pick<TaskUnit, 'truth' | 'checks'>;

/** The facts that score an attempt, and the parameters of the metrics. */
export interface AttemptEvidence {
  readonly scoring: ScoringParameters;
  /** Whether no tool fits the unit; absent if one does. */
  readonly isNegative?: boolean | undefined;
  readonly chain: readonly string[];
  /** Where the arguments of the chain's steps come from. */
  readonly origins: readonly ArgumentOrigin[];
  /** What the unit states as right; absent if it states nothing. */
  readonly truth?: UnitTruth | undefined;
  /** What the agent was asked; absent if nobody knows. */
  readonly request?: string | undefined;
  readonly trace: Pick<Trace, 'steps' | 'finalText' | 'checks' | 'overflowed' | 'fellBack' | 'disturbance'>;
  readonly scoreOf: ScoreOf;
}

/** The facts that score a case: all attempts of an agent at a unit in one trial. */
export interface CaseEvidence {
  readonly scoring: ScoringParameters;
  /** The tools that each attempt called, in order of issue. */
  readonly called: readonly (readonly string[])[];
  /** The functional class of each existing tool. */
  readonly categories: ReadonlyMap<string, string>;
  /** For an attempt's scorer, this is the case's score of it. */
  readonly scoreOf: ScoreOf;
}

/** A question to a judge as data: the model gets the JSON schema of `schema`. */
export interface JudgeQuestion<Answer = unknown> {
  /** The name of the answer's form: letters and hyphens. The seed of the question depends on it. */
  readonly form: string;
  /** How many tokens an answer may have, thoughts aside: about what its texts have at their longest, a token for every three characters. */
  readonly answerTokens: number;
  /** The name of the prompt: a folder of `prompts/`. */
  readonly prompt: string;
  readonly schema: z.ZodType<Answer>;
}

/** An attempt as judges see it. */
export interface JudgedAttempt {
  readonly scoring: ScoringParameters;
  /** Whether no tool fits the unit; absent if one does. */
  readonly isNegative?: boolean | undefined;
  readonly request: string;
  readonly response: string;
  readonly truth?: UnitTruth | undefined;
  readonly steps: readonly Step[];
  /** True if the agent may have seen more of a result than the trace keeps, because it is not our loop. */
  readonly sawWholeResults: boolean;
  /** What a judge may know of the unit besides; absent if nobody knows. */
  readonly background?: JudgedBackground;
  /** How it was disturbed, and its steps as the agent saw them; absent if it was not. `steps` has what servers themselves answered. */
  readonly seen?: SeenUnderDisturbance | undefined;
}

/** What an agent saw under a disturbance. */
interface SeenUnderDisturbance {
  readonly disturbance: DisturbanceRecord;
  readonly steps: readonly Step[];
  readonly sawWholeResults: boolean;
}

/** What a judge may know of a unit and its tools. */
export interface JudgedBackground {
  /** The wording that says what is wanted in full, where the agent was asked in another. */
  readonly concrete: string;
  /** What has to be known before what; empty if nobody says. */
  readonly dependencies: string;
  /** The mounted tools. */
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

/** The answer of a member of a panel. */
export interface MemberAnswer<Answer> {
  /** The name by which its votes are attributed. */
  readonly judge: string;
  readonly answer: Judged<Answer>;
}

/** The judges of one attempt. */
export interface Judges {
  /** Asks a question; `repetition` tells several of one form apart, so that each has its own seed. */
  ask<Answer>(
    question: JudgeQuestion<Answer>,
    variables: Readonly<Record<string, unknown>>,
    repetition?: number,
  ): Promise<Judged<Answer>>;
  /** The name of the judge if it decides alone; null if there is a panel. */
  readonly soleJudge: string | null;
  /** Asks each member of the panel the same; only the judge where there is no panel. */
  askPanel<Answer>(
    question: JudgeQuestion<Answer>,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<readonly MemberAnswer<Answer>[]>;
  /** Vectors from one embedder, in the order of the texts. */
  embed(texts: readonly string[]): Promise<Judged<readonly (readonly number[])[]>>;
  /** The sub-intents of the unit, planned once for all of its attempts. */
  getSubIntents(): Promise<Judged<readonly string[]>>;
}

/** Scores an attempt, with the answers of judges if they were asked. */
export type Grading = (evidence: AttemptEvidence) => Score;

export interface AttemptScorer<Key extends string = string> extends ScorerFacts<Key> {
  readonly unit: 'attempt';
  /** Everything that its judge may be asked; empty if it asks no judge itself. */
  readonly questions: readonly JudgeQuestion[];
  /** How it scores without asking; null if it asks judges. */
  readonly measure: Grading | null;
  /** How it scores an attempt that needs no judge: null for one that does. Absent if judges always decide, or never. */
  readonly rule?: ((evidence: AttemptEvidence) => Score | null) | undefined;
  /** Asks the judges; resolves to `measure` if it asks none. */
  readonly grade: (attempt: JudgedAttempt, judges: Judges) => Promise<Grading>;
}

export interface CaseScorer<Key extends string = string> extends ScorerFacts<Key> {
  readonly unit: 'case';
  readonly score: (evidence: CaseEvidence) => Score;
}

export type Scorer = AttemptScorer | CaseScorer;

type PartKey<P extends Parts> = Extract<keyof P, string>;

/** Makes a scorer that needs only the attempt, and other scores of it. */
export const makeTraceScorer = <Key extends string, P extends Parts>({
  score,
  ...facts
}: ScorerFacts<Key, PartKey<P>> & { readonly score: (evidence: AttemptEvidence) => Score<P> }): AttemptScorer<Key> => ({
  ...facts,
  unit: 'attempt',
  questions: [],
  measure: score,
  grade: async () => score,
});

/** Makes a scorer that asks judges: `answers` collects their answers, and `score` is a pure function of them. */
export const makeJudgedScorer = <Key extends string, Answers, P extends Parts>({
  answers,
  score,
  ...facts
}: ScorerFacts<Key, PartKey<P>> & {
  readonly questions: readonly JudgeQuestion[];
  readonly rule?: (evidence: AttemptEvidence) => Score<P> | null;
  readonly answers: (attempt: JudgedAttempt, judges: Judges) => Promise<Answers>;
  readonly score: (evidence: AttemptEvidence, answers: Answers) => Score<P>;
}): AttemptScorer<Key> => ({
  ...facts,
  unit: 'attempt',
  measure: null,
  grade: async (attempt, judges) => {
    const given = await answers(attempt, judges);
    return (evidence) => score(evidence, given);
  },
});

/** Makes a scorer of whole cases. */
export const makeCaseScorer = <Key extends string, P extends Parts>(
  scorer: ScorerFacts<Key, PartKey<P>> & { readonly score: (evidence: CaseEvidence) => Score<P> },
): CaseScorer<Key> => ({ ...scorer, unit: 'case' });
