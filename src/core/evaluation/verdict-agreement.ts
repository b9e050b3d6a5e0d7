import { z } from 'zod';
import { makeRandom } from '#core/values/random.ts';
import { majorityVerdict, type Verdict } from '#core/scoring/votes.ts';
import { agreementFigure, confusionCounts, VerdictCounts, type JudgeAgreement } from './judge-agreement.ts';
import { evaluationError, isSuccessByLabelOrNull, type Label } from './labels.ts';

/** How far the verdicts of a judge agree with others on the same attempts. */
const agreementFigures = z.object({
  /** Attempts on which both have a verdict; the figures are about them. */
  n: z.int(),
  /** Attempts on which only the others have one: the judge's answer cannot be read, or judges are undecided. */
  unparsed: z.int(),
  accuracy: agreementFigure,
  /** Cohen's kappa; null if chance alone agrees on everything. */
  kappa: agreementFigure,
  /** The share of successes among the judge's verdicts. */
  successRate: z.number().nullable(),
  counts: confusionCounts,
  /** The F1 of the judge's successes against the others', 0..1; null where neither found one. */
  f1: z.number().nullable(),
});

const memberAgreement = z.object({ judge: z.string(), ...agreementFigures.shape });

/** What labels of people and votes of judges say of each other. */
export const verdictAgreement = z.object({
  labels: z.object({
    /** Attempts with a label, and those on which most labellers agree, which judges are compared with. */
    attempts: z.int(),
    decided: z.int(),
    /** Labels `cannot-tell`. */
    cannotTell: z.int(),
    labellers: z.array(z.object({ labeller: z.string(), labels: z.int() })),
    /** How many labels name each evaluation error. */
    errors: z.record(evaluationError, z.int()),
  }),
  /** Each judge with the labels, and the verdict that counts: the majority where several judges voted. */
  withLabels: z.object({
    judges: z.array(memberAgreement),
    majority: agreementFigures.nullable(),
    /**
     * The share of attempts on which at least one judge says what the label says: no way to combine these judges can agree more. `n`
     * has those with two usable votes or more; null without any.
     */
    anyJudge: z.object({ n: z.int(), share: z.number() }).nullable(),
  }),
  /** Each judge with the majority of all; null unless several judges voted. */
  panel: z
    .object({
      /** Attempts on which several judges were asked, and the share of them without a majority. */
      attempts: z.int(),
      undecided: z.number().nullable(),
      judges: z.array(memberAgreement),
    })
    .nullable(),
  /** The verdict that counts with the one of the evaluation whose attempts are judged again; null if it made its own. */
  before: agreementFigures.nullable(),
});
export type VerdictAgreement = z.infer<typeof verdictAgreement>;

/** The verdicts on one attempt. */
export interface AttemptVerdicts {
  /** What judges said, by name. */
  readonly votes: readonly { readonly judge: string; readonly verdict: Verdict }[];
  /** The verdict that counts; undefined if the evaluation has none of its own. */
  readonly counted?: Verdict | undefined;
  /** The verdict that counted in the evaluation whose attempts are judged again; undefined without one. */
  readonly before?: Verdict | undefined;
  /** What people said of it. */
  readonly labels: readonly Pick<Label, 'labeller' | 'verdict' | 'error'>[];
}

/** Returns the verdict that counts for an attempt: the evaluation's own, or else the majority of the votes. */
const verdictThatCounts = ({ counted, votes }: AttemptVerdicts): Verdict =>
  counted === undefined ? majorityVerdict(votes.map(({ verdict }) => verdict)) : counted;

/** The verdicts of judges beside a reference, by judge. */
class CountsByJudge {
  readonly #counts = new Map<string, VerdictCounts>();

  countVerdictOfJudge(judge: string, label: boolean, verdict: Verdict): void {
    const own = this.#counts.get(judge) ?? new VerdictCounts();
    this.#counts.set(judge, own);
    own.countLabelAndVerdict(label, verdict);
  }

  computeAgreements(seed: number, reference: string): ({ judge: string } & JudgeAgreement)[] {
    return [...this.#counts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([judge, counts]) => ({ judge, ...counts.computeAgreement(makeRandom(seed, reference, judge)) }));
  }
}

const listLabellersByName = (labels: ReadonlyMap<string, number>): { labeller: string; labels: number }[] =>
  Array.from(labels, ([labeller, count]) => ({ labeller, labels: count })).toSorted((a, b) =>
    a.labeller < b.labeller ? -1 : 1,
  );

/** On how many attempts any of several judges says what people say. */
class AnyJudgeCounts {
  #n = 0;
  #right = 0;

  countVotesOnLabel(votes: AttemptVerdicts['votes'], label: boolean): void {
    if (votes.filter(({ verdict }) => verdict !== null).length < 2) return;
    this.#n += 1;
    if (votes.some(({ verdict }) => verdict === label)) this.#right += 1;
  }

  computeShareOrNull(): { n: number; share: number } | null {
    return this.#n === 0 ? null : { n: this.#n, share: this.#right / this.#n };
  }
}

/**
 * Returns how far judges agree with people, and with the majority of judges. What people say of an attempt is the majority of
 * their labels; `cannot-tell` and ties are left out. Reads the attempts once.
 */
export function makeVerdictAgreement(attempts: Iterable<AttemptVerdicts>, seed: number): VerdictAgreement {
  const withLabels = new CountsByJudge();
  const withMajority = new CountsByJudge();
  const [counted, before] = [new VerdictCounts(), new VerdictCounts()];
  const labellers = new Map<string, number>();
  const errors = Object.fromEntries(evaluationError.options.map((name) => [name, 0]));
  const totals = { attempts: 0, decided: 0, cannotTell: 0, polled: 0, undecided: 0, judged: 0, before: 0 };
  const anyJudge = new AnyJudgeCounts();
  for (const attempt of attempts) {
    const { votes, labels } = attempt;
    const verdict = verdictThatCounts(attempt);
    const majority = majorityVerdict(votes.map((vote) => vote.verdict));
    if (votes.length > 1) {
      totals.polled += 1;
      if (majority === null) totals.undecided += 1;
      else for (const vote of votes) withMajority.countVerdictOfJudge(vote.judge, majority, vote.verdict);
    }
    if (typeof attempt.before === 'boolean') {
      totals.before += 1;
      before.countLabelAndVerdict(attempt.before, verdict);
    }
    if (labels.length === 0) continue;
    totals.attempts += 1;
    for (const { labeller, verdict: said, error } of labels) {
      labellers.set(labeller, (labellers.get(labeller) ?? 0) + 1);
      if (said === 'cannot-tell') totals.cannotTell += 1;
      if (error !== undefined) errors[error] = (errors[error] ?? 0) + 1;
    }
    const label = majorityVerdict(labels.map(isSuccessByLabelOrNull));
    if (label === null) continue;
    totals.decided += 1;
    counted.countLabelAndVerdict(label, verdict);
    if (attempt.counted !== undefined || votes.length > 0) totals.judged += 1;
    for (const vote of votes) withLabels.countVerdictOfJudge(vote.judge, label, vote.verdict);
    anyJudge.countVotesOnLabel(votes, label);
  }
  return {
    labels: {
      attempts: totals.attempts,
      decided: totals.decided,
      cannotTell: totals.cannotTell,
      labellers: listLabellersByName(labellers),
      errors: z.record(evaluationError, z.int()).parse(errors),
    },
    withLabels: {
      judges: withLabels.computeAgreements(seed, 'labels'),
      majority: totals.judged === 0 ? null : counted.computeAgreement(makeRandom(seed, 'labels', 'majority')),
      anyJudge: anyJudge.computeShareOrNull(),
    },
    panel:
      totals.polled === 0
        ? null
        : {
            attempts: totals.polled,
            undecided: totals.undecided / totals.polled,
            judges: withMajority.computeAgreements(seed, 'majority'),
          },
    before: totals.before === 0 ? null : before.computeAgreement(makeRandom(seed, 'before')),
  };
}
