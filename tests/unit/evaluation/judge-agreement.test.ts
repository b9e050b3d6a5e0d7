import { describe, expect, it } from 'vitest';
import { VerdictCounts } from '#core/evaluation/judge-agreement.ts';
import { majorityVerdict, type Verdict } from '#core/scoring/votes.ts';
import { parseVerdictStrictly } from '#core/benchmarks/formats/live-mcp-bench/verdict.ts';
import { makeRandom } from '#core/values/random.ts';
import { yesNoKappa } from '#core/statistics/kappa.ts';
import { quantileOfSorted } from '#core/statistics/quantile.ts';

/** 67 successes of 95, as in LiveMCPBench's published annotation. */
const labels = Array.from({ length: 95 }, (_, at) => at < 67);
const agreementOf = (verdictAt: (label: boolean, at: number) => Verdict) => {
  const counts = new VerdictCounts();
  for (const [at, label] of labels.entries()) counts.countLabelAndVerdict(label, verdictAt(label, at));
  return counts.computeAgreement(makeRandom(1, 'test'));
};

describe('the agreement of a judge with people', () => {
  it('is complete for a judge that always agrees', () => {
    const { accuracy, kappa } = agreementOf((label) => label);
    expect([accuracy.value, kappa.value]).toEqual([1, 1]);
    expect(kappa.interval).toEqual({ low: 1, high: 1 });
  });

  it('is 0 beyond chance for judges that always say yes or no, whatever their accuracy', () => {
    const yes = agreementOf(() => true);
    const no = agreementOf(() => false);
    expect([yes.kappa.value, no.kappa.value]).toEqual([0, 0]);
    expect(yes.accuracy.value).toBeCloseTo(67 / 95);
    expect(no.accuracy.value).toBeCloseTo(28 / 95);
  });

  it('has 0 in the interval of kappa for a coin, in at least 90 of 100 coins', () => {
    const held = Array.from({ length: 100 }, (_, seed) => {
      const coin = makeRandom(seed, 'coin');
      const { interval } = agreementOf(() => coin.next() < 0.5).kappa;
      return interval !== null && interval.low <= 0 && interval.high >= 0;
    });
    expect(held.filter(Boolean).length).toBeGreaterThanOrEqual(90);
  });

  it('has the confusion matrix and F1, by hand: 60 found, 7 missed, 8 taken for successes', () => {
    const { counts, f1, accuracy } = agreementOf((label, at) => (label ? at >= 7 : at < 75));
    expect(counts).toEqual({ bothSuccess: 60, missed: 7, falseSuccess: 8, bothFailure: 20 });
    expect(f1).toBeCloseTo(120 / 135, 12);
    expect(accuracy.value).toBeCloseTo(80 / 95, 12);
  });

  it('is not changed by prose around the verdicts', () => {
    const wordy = agreementOf((label) => {
      const read = parseVerdictStrictly(
        label
          ? 'One call was a failure, the next one was not.\nStatus: "success"'
          : 'It successfully read the file.\nStatus: "failure"',
      );
      return read === 'unparsed' ? null : read === 'success';
    });
    expect(wordy).toMatchObject({ n: 95, unparsed: 0, accuracy: { value: 1 } });
  });

  it('leaves out verdicts that cannot be read, and counts them', () => {
    expect(agreementOf((label, at) => (at % 5 === 0 ? null : label))).toMatchObject({
      n: 76,
      unparsed: 19,
      accuracy: { value: 1 },
    });
  });

  it('has the interval that drawing the attempts themselves gives', () => {
    const verdicts = labels.map((label, at) => (at % 4 === 0 ? !label : label));
    const drawn = new Uint32Array(labels.length);
    const random = makeRandom(2, 'attempts');
    const kappas = Array.from({ length: 20_000 }, () => {
      random.fillBelow(labels.length, drawn);
      const ratings = { both: 0, first: 0, second: 0, neither: 0 };
      for (const at of drawn)
        ratings[
          labels[at] === true
            ? verdicts[at] === true
              ? 'both'
              : 'first'
            : verdicts[at] === true
              ? 'second'
              : 'neither'
        ] += 1;
      return yesNoKappa(ratings) ?? Number.NaN;
    }).toSorted((a, b) => a - b);
    const { interval } = agreementOf((label, at) => (at % 4 === 0 ? !label : label)).kappa;
    expect(Math.abs((interval?.low ?? Number.NaN) - quantileOfSorted(kappas, 0.025))).toBeLessThan(0.02);
    expect(Math.abs((interval?.high ?? Number.NaN) - quantileOfSorted(kappas, 0.975))).toBeLessThan(0.02);
  });

  it('is unknown without verdicts', () => {
    expect(agreementOf(() => null)).toEqual({
      n: 0,
      unparsed: 95,
      accuracy: { value: null, interval: null },
      kappa: { value: null, interval: null },
      successRate: null,
      counts: { bothSuccess: 0, missed: 0, falseSuccess: 0, bothFailure: 0 },
      f1: null,
    });
  });
});

describe('the majority of judges', () => {
  it.each([
    [[true, true, false], true],
    [[true, false, false], false],
    [[true, false], null],
    [[true, null, null], true],
    [[null, null], null],
    [[], null],
  ] as const)('of %j is %j', (verdicts, majority) => {
    expect(majorityVerdict(verdicts)).toBe(majority);
  });
});
