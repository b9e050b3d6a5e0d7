import type { ReadBenchmark } from './read-benchmark.ts';
import { makeBasisFromCases } from '#core/evaluation/results-basis.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { listJudgedScorers, listRecomputableScorers } from '../scorers.ts';
import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { joinScorerTitles } from '#core/evaluation/scorers.ts';
import { isEqualUpToRounding } from '#core/statistics/is-near.ts';
import type { Summary } from '#core/statistics/summary.ts';
import type { TraceHeader, TraceLine } from '../submissions/trace-file.ts';
import { computeEntryFiguresAndUnitValues, type EntryFigures } from '../entry-figures.ts';
import { RetracedCases } from './retraced-cases.ts';
import type { Entry, RecordContent } from '../record.ts';
import { failedCheck, passedCheck, equalityCheck, skippedCheck, type Check } from './check.ts';

/**
 * Recomputes an entry's figures from its traces and its benchmark, with the service's own functions. Add attempts in
 * the order of their file.
 */
export class FiguresCheck {
  readonly #benchmark: ReadBenchmark;
  readonly #cases: RetracedCases;
  /** The first attempt that does not match the benchmark. */
  #wrong: Check | null = null;

  constructor(benchmark: ReadBenchmark) {
    // Private units are in no trace file; a whole export of a benchmark has them.
    const units = benchmark.units.filter(({ split }) => split === 'public');
    this.#benchmark = { ...benchmark, units };
    this.#cases = new RetracedCases(this.#benchmark.units);
  }

  addAttemptAndKeepFirstProblem(attempt: TraceLine, line: number, header: TraceHeader): void {
    const problem = this.#cases.addAttemptAndReturnProblem(attempt, header);
    if (problem !== null) this.#wrong ??= failedCheck('attempts', `line ${line} of the traces: ${problem}`);
  }

  /** Compares the figures of a record with those of the traces. */
  checksAgainstRecord({ entry, provenance }: RecordContent, header: TraceHeader): Check[] {
    const { header: about, id } = this.#benchmark;
    const belongs = [
      equalityCheck('catalog', ['the record', provenance.catalog], ['the benchmark', about.catalog]),
      id === null
        ? skippedCheck(
            'benchmark',
            `without its private units it has no id of its own; that it is ${entry.benchmark} is taken from the ids of its units`,
          )
        : equalityCheck('benchmark', ['the record', entry.benchmark], ['the benchmark', id]),
    ];
    const { protocol } = header;
    if (protocol !== provenance.protocol)
      return [...belongs, failedCheck('protocol', `the record has ${provenance.protocol}, the traces ${protocol}`)];
    if (this.#wrong !== null) return [...belongs, this.#wrong];
    const cases = this.#cases.listFinishedCases();
    const figures = this.#computeFigures(cases, header);
    return [
      ...belongs,
      this.#checkCompleteness(cases, entry.trials),
      ...(['units', 'attempts', 'notEvaluated', 'relaunched'] as const).map((count) =>
        entry[count] === undefined
          ? skippedCheck(counts[count], 'records of earlier versions do not say')
          : equalityCheck(counts[count], ['the record', entry[count]], ['the traces', figures[count] ?? null]),
      ),
      ...listRecomputableScorers(protocol).map(({ key, title }) =>
        compareSummaries(title, entry.scores[key], figures.scores[key]),
      ),
      checkDomainFigures(entry.domains, figures.domains, protocol),
      checkDuration(entry.durationMs, figures.durationMs),
      checkCostAndTokens(entry, figures),
      skippedCheck(
        'grades',
        `${joinScorerTitles(listJudgedScorers(protocol))} rest on the grades of a model, which are not in the traces`,
      ),
      ...(entry.private === null
        ? []
        : [skippedCheck('private units', 'nobody but the service sees them; the record has the seal of their traces')]),
    ];
  }

  /** Checks and computes what needs only the traces, without a record. */
  checksWithoutRecord(header: TraceHeader): Check[] {
    const { catalog, trials, protocol } = header;
    const belongs = equalityCheck(
      'catalog',
      ['the traces', catalog],
      ['the benchmark', this.#benchmark.header.catalog],
    );
    if (this.#wrong !== null) return [belongs, this.#wrong];
    const cases = this.#cases.listFinishedCases();
    const { scores } = this.#computeFigures(cases, header);
    return [
      belongs,
      this.#checkCompleteness(cases, trials),
      ...listRecomputableScorers(protocol).map(({ key, title }) =>
        passedCheck(title, `${summaryText(scores[key])}, computed from the traces`),
      ),
    ];
  }

  /** Computes the figures. The seed and the agent's name determine the resampling of intervals. */
  #computeFigures(
    cases: readonly EvaluationCase[],
    { agent, protocol, trials, seed, scoring }: TraceHeader,
  ): EntryFigures {
    const { units, tools } = this.#benchmark;
    return computeEntryFiguresAndUnitValues(
      agent,
      makeBasisFromCases(cases, { protocol, units, tools, trials, seed }, scoring),
      null,
    ).figures;
  }

  #checkCompleteness(cases: readonly EvaluationCase[], trials: number): Check {
    const units = this.#benchmark.units.length;
    const missing = units * trials - cases.length;
    return missing === 0
      ? passedCheck(
          'coverage',
          `all ${units * trials} trials of the ${units} public units of the benchmark are in the traces`,
        )
      : failedCheck(
          'coverage',
          `${missing} of ${units * trials} trials of the benchmark's public units are not in the traces`,
        );
  }
}

const counts = {
  units: 'units',
  attempts: 'attempts',
  notEvaluated: 'not evaluated',
  relaunched: 'relaunched',
} as const;

function compareSummaries(about: string, stated: Summary | undefined, computed: Summary | undefined): Check {
  if (stated === undefined || computed === undefined)
    return skippedCheck(about, 'the record is of an earlier release, which did not have it');
  const { mean, low, high, n, unscored } = computed;
  const alike =
    isEqualUpToRounding(stated.mean, mean) &&
    isEqualUpToRounding(stated.low, low) &&
    isEqualUpToRounding(stated.high, high) &&
    stated.n === n &&
    stated.unscored === unscored;
  return alike
    ? passedCheck(about, `${summaryText(computed)}, computed from the traces`)
    : failedCheck(about, `the record has ${summaryText(stated)}, the traces give ${summaryText(computed)}`);
}

function summaryText(summary: Summary | undefined): string {
  if (summary === undefined || summary.mean === null) return 'none';
  const { mean, low, high, n } = summary;
  const interval = low === null || high === null ? '' : ` [${low.toFixed(6)}, ${high.toFixed(6)}]`;
  return `${mean.toFixed(6)}${interval} over ${n} units`;
}

function checkDomainFigures(stated: Entry['domains'], computed: Entry['domains'], protocol: ProtocolKey): Check {
  const domainNamesText = (domains: Entry['domains']): string =>
    domains.map(({ name, units }) => `${name} (${units})`).join(', ');
  if (domainNamesText(stated) !== domainNamesText(computed))
    return failedCheck(
      'domains',
      `the record has ${domainNamesText(stated)}, the traces are of ${domainNamesText(computed)}`,
    );
  // Records of earlier releases have fewer scorers by domain.
  const checked = listRecomputableScorers(protocol).filter(({ key }) =>
    stated.every((domain) => domain[key] !== undefined),
  );
  for (const [index, domain] of computed.entries()) {
    for (const { key, title } of checked) {
      const check = compareSummaries(`${title} in ${domain.name}`, stated[index]?.[key], domain[key]);
      if (check.outcome === 'broken') return check;
    }
  }
  return passedCheck('domains', `${joinScorerTitles(checked)} in ${computed.length} domains, computed from the traces`);
}

function checkDuration(stated: Entry['durationMs'], computed: Entry['durationMs']): Check {
  const alike =
    isEqualUpToRounding(stated?.median ?? null, computed?.median ?? null) &&
    isEqualUpToRounding(stated?.p95 ?? null, computed?.p95 ?? null);
  const durationsText = (durations: Entry['durationMs']): string =>
    durations === null ? 'none' : `${Math.round(durations.median)} ms (p95: ${Math.round(durations.p95)} ms)`;
  return alike
    ? passedCheck('durations', `${durationsText(computed)}, computed from the traces`)
    : failedCheck('durations', `the record has ${durationsText(stated)}, the traces give ${durationsText(computed)}`);
}

type Spent = Pick<Entry, 'costUsd' | 'tokens'>;

function checkCostAndTokens(stated: Spent, computed: Spent): Check {
  const spentText = ({ costUsd, tokens }: Spent): string =>
    `${costUsd === null ? 'no cost' : `$${costUsd.toFixed(6)}`} and ${tokens === null ? 'no' : Math.round(tokens)} tokens an attempt`;
  return isEqualUpToRounding(stated.costUsd, computed.costUsd) && isEqualUpToRounding(stated.tokens, computed.tokens)
    ? passedCheck(
        'cost and tokens',
        `${spentText(computed)}, computed from the traces${computed.costUsd === null ? '' : ' by the prices in its configuration'}`,
      )
    : failedCheck('cost and tokens', `the record has ${spentText(stated)}, the traces give ${spentText(computed)}`);
}
