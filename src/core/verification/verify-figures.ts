import type { ReadBenchmark } from '#core/verification/benchmark-reading.ts';
import { basisOfCases } from '#core/evaluation/basis.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { graded, recomputable, titlesOf } from '#core/scoring/scorers.ts';
import { isNear } from '#core/statistics/near.ts';
import type { Summary } from '#core/statistics/summary.ts';
import type { TraceHeader, TraceLine } from '#core/submissions/trace-file.ts';
import { scoredFigures, type EntryFigures } from '#core/leaderboards/figures.ts';
import { RetracedCases } from './recomputation.ts';
import type { Entry, RecordContent } from '#core/leaderboards/record.ts';
import { broken, holds, same, unchecked, type Check } from './verification.ts';

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
    this.#benchmark = { ...benchmark, units: benchmark.units.filter(({ split }) => split === 'public') };
    this.#cases = new RetracedCases(this.#benchmark.units);
  }

  add(attempt: TraceLine, line: number, { configuration }: TraceHeader): void {
    const problem = this.#cases.add(attempt, configuration);
    if (problem !== null) this.#wrong ??= broken('attempts', `line ${line} of the traces: ${problem}`);
  }

  /** Compares the figures of a record with those of the traces. */
  against({ entry, provenance }: RecordContent, header: TraceHeader): Check[] {
    const { header: about, id } = this.#benchmark;
    const belongs = [
      same('catalog', ['the record', provenance.catalog], ['the benchmark', about.catalog]),
      id === null
        ? unchecked(
            'benchmark',
            `without its private units it has no id of its own; that it is ${entry.benchmark} is taken from the ids of its units`,
          )
        : same('benchmark', ['the record', entry.benchmark], ['the benchmark', id]),
    ];
    if (this.#wrong !== null) return [...belongs, this.#wrong];
    const cases = this.#cases.done();
    const figures = this.#figures(cases, header);
    return [
      ...belongs,
      this.#coverage(cases, entry.trials),
      ...(['units', 'attempts', 'notEvaluated', 'relaunched'] as const).map((count) =>
        entry[count] === undefined
          ? unchecked(counts[count], 'records of earlier versions do not say')
          : same(counts[count], ['the record', entry[count]], ['the traces', figures[count] ?? null]),
      ),
      ...recomputable.map(({ key, title }) => compared(title, entry.scores[key], figures.scores[key])),
      domainCheck(entry.domains, figures.domains),
      durationCheck(entry.durationMs, figures.durationMs),
      costCheck(entry, figures),
      unchecked('grades', `${titlesOf(graded)} rest on the grades of a model, which are not in the traces`),
      ...(entry.private === null
        ? []
        : [unchecked('private units', 'nobody but the service sees them; the record has the seal of their traces')]),
    ];
  }

  /** What can be computed from the traces without a record. */
  alone(header: TraceHeader): Check[] {
    const { catalog, trials } = header;
    const belongs = same('catalog', ['the traces', catalog], ['the benchmark', this.#benchmark.header.catalog]);
    if (this.#wrong !== null) return [belongs, this.#wrong];
    const cases = this.#cases.done();
    const { scores } = this.#figures(cases, header);
    return [
      belongs,
      this.#coverage(cases, trials),
      ...recomputable.map(({ key, title }) => holds(title, `${shown(scores[key])}, computed from the traces`)),
    ];
  }

  /** The seed and the agent's name determine the resampling of intervals. */
  #figures(cases: readonly EvaluationCase[], { agent, trials, seed }: TraceHeader): EntryFigures {
    const { units, tools } = this.#benchmark;
    return scoredFigures(agent, basisOfCases(cases, { units, tools, trials, seed }), null).figures;
  }

  #coverage(cases: readonly EvaluationCase[], trials: number): Check {
    const units = this.#benchmark.units.length;
    const missing = units * trials - cases.length;
    return missing === 0
      ? holds(
          'coverage',
          `all ${units * trials} trials of the ${units} public units of the benchmark are in the traces`,
        )
      : broken(
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

function compared(about: string, stated: Summary | undefined, computed: Summary | undefined): Check {
  if (stated === undefined || computed === undefined)
    return unchecked(about, 'the record is of an earlier release, which did not have it');
  const { mean, low, high, n, unscored } = computed;
  const alike =
    isNear(stated.mean, mean) &&
    isNear(stated.low, low) &&
    isNear(stated.high, high) &&
    stated.n === n &&
    stated.unscored === unscored;
  return alike
    ? holds(about, `${shown(computed)}, computed anew from the traces`)
    : broken(about, `the record has ${shown(stated)}, the traces give ${shown(computed)}`);
}

function shown(summary: Summary | undefined): string {
  if (summary === undefined || summary.mean === null) return 'none';
  const { mean, low, high, n } = summary;
  const interval = low === null || high === null ? '' : ` [${low.toFixed(6)}, ${high.toFixed(6)}]`;
  return `${mean.toFixed(6)}${interval} over ${n} units`;
}

function domainCheck(stated: Entry['domains'], computed: Entry['domains']): Check {
  const names = (domains: Entry['domains']): string =>
    domains.map(({ name, units }) => `${name} (${units})`).join(', ');
  if (names(stated) !== names(computed))
    return broken('domains', `the record has ${names(stated)}, the traces are of ${names(computed)}`);
  // Records of earlier releases have fewer scorers by domain.
  const checked = recomputable.filter(({ key }) => stated.every((domain) => domain[key] !== undefined));
  for (const [place, domain] of computed.entries()) {
    for (const { key, title } of checked) {
      const check = compared(`${title} in ${domain.name}`, stated[place]?.[key], domain[key]);
      if (check.outcome === 'broken') return check;
    }
  }
  return holds('domains', `${titlesOf(checked)} in ${computed.length} domains, computed anew from the traces`);
}

function durationCheck(stated: Entry['durationMs'], computed: Entry['durationMs']): Check {
  const alike =
    isNear(stated?.median ?? null, computed?.median ?? null) && isNear(stated?.p95 ?? null, computed?.p95 ?? null);
  const text = (durations: Entry['durationMs']): string =>
    durations === null ? 'none' : `${Math.round(durations.median)} ms (p95: ${Math.round(durations.p95)} ms)`;
  return alike
    ? holds('durations', `${text(computed)}, computed anew from the traces`)
    : broken('durations', `the record has ${text(stated)}, the traces give ${text(computed)}`);
}

type Spent = Pick<Entry, 'costUsd' | 'tokens'>;

function costCheck(stated: Spent, computed: Spent): Check {
  const text = ({ costUsd, tokens }: Spent): string =>
    `${costUsd === null ? 'no cost' : `$${costUsd.toFixed(6)}`} and ${tokens === null ? 'no' : Math.round(tokens)} tokens an attempt`;
  return isNear(stated.costUsd, computed.costUsd) && isNear(stated.tokens, computed.tokens)
    ? holds(
        'cost and tokens',
        `${text(computed)}, computed anew from the traces${computed.costUsd === null ? '' : ' by the prices that the submitter named'}`,
      )
    : broken('cost and tokens', `the record has ${text(stated)}, the traces give ${text(computed)}`);
}
