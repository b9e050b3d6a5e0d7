import { addUsage, noUsage } from '#core/models/usage.ts';
import { count, counted, duration, padEnd, plain } from '../command-line/text.ts';
import {
  chao1Caveat,
  chao1Text,
  probeCoverageMeaning,
  probeCoverageText,
  toolsText,
  transitionsText,
} from '../display/wording.ts';
import { unitsText } from '../progress/drawing.ts';
import { variantsText } from '../progress/evolution-drawing.ts';
import type { Chart } from './chart.ts';
import type { LoadedKnowledge } from './knowledge.ts';
import { agentsOf, boardOf, evaluationMs, type Boarded } from './submit.ts';

/** The demo's result, for programs. */
export function resultOf(chart: Chart, boarded: Boarded, knowledge: LoadedKnowledge | null) {
  const { catalog, run, evolution, reviews, benchmark, grounded, file } = chart;
  const { reading, units } = run;
  const usage = addUsage(run.usage, evolution?.usage ?? noUsage);
  const { accepted, review, rejected, lost, dropped, probes } = units;
  return {
    servers: catalog.servers.length,
    tools: catalog.tools,
    domains: domainsOf(catalog).length,
    rounds: run.rounds,
    units: { accepted, review, rejected, lost, dropped, probes },
    grounded,
    evolved: evolution?.variants.accepted ?? 0,
    duplicatesDropped: duplicatesOf(evolution),
    reviews,
    nodeCoverage: reading?.nodeCoverage.value ?? null,
    toolsExecuted: run.toolsExecuted,
    transitions: run.transitions,
    valuesPassed: run.valuesPassed,
    chao1:
      reading === null ? null : { estimate: reading.chao1.estimate, low: reading.chao1.low, high: reading.chao1.high },
    probeCoverage: probeCoverageOf(reading),
    tokens: usage.promptTokens + usage.completionTokens,
    benchmark: benchmark.id,
    file,
    leaderboard: boardOf(boarded),
    agents: agentsOf(boarded),
    seconds: {
      loading: (knowledge?.ms ?? 0) / 1000,
      charting: runMs(run) / 1000,
      evolution: runMs(evolution) / 1000,
      evaluation: evaluationMs(boarded) / 1000,
    },
  };
}

/** Returns the domains of a catalog's servers, each once, in order. */
export const domainsOf = (catalog: Chart['catalog']): string[] =>
  [...new Set(catalog.servers.map(({ domain }) => domain))].toSorted();

function probeCoverageOf(reading: Chart['run']['reading']) {
  if (reading === null || reading.probeCoverage === null) return null;
  const { value, low, high, anytimeLow } = reading.probeCoverage;
  return { value, low, high, anytimeLow };
}

/** Returns how long a run took; 0 if there was none. */
const runMs = (run: Chart['run'] | Chart['evolution']): number =>
  run === null || run.endedAt === null ? 0 : Date.parse(run.endedAt) - Date.parse(run.createdAt);

/** Counts the near-duplicates that the benchmark leaves out: among the explored units and among the variants. */
const duplicatesOf = (evolution: Chart['evolution']): number =>
  evolution === null ? 0 : evolution.duplicatesFound + evolution.variants.duplicate;

const labelWidth = 16;

/** The demo's result, for people. */
export function summaryLines(chart: Chart, knowledge: LoadedKnowledge | null): string[] {
  const { catalog, run, evolution, reviews, benchmark, grounded, file } = chart;
  const { reading } = run;
  const usage = addUsage(run.usage, evolution?.usage ?? noUsage);
  const domains = domainsOf(catalog);
  const rows: (readonly [string, string])[] = [
    [
      'catalog',
      `${counted(catalog.servers.length, 'server')}, ${counted(catalog.tools, 'tool')}, ${counted(domains.length, 'domain')}`,
    ],
    [
      'run',
      `${counted(run.rounds, 'round')}, ${run.config.strategy}, seed ${run.config.seed}: ${plain(run.reason ?? '')}`,
    ],
    ['units', unitsText(run.units)],
    ...(evolution === null ? [] : evolutionRows(evolution)),
    ['reviews', `${counted(reviews, 'unit')} in the queue`],
    [
      'grounding',
      knowledge === null
        ? 'no index of facts'
        : `${count(grounded)} of the benchmark's ${counted(benchmark.units, 'unit')} need one of ${count(knowledge.passages)} passages`,
    ],
    ...(reading === null
      ? []
      : ([
          ['probe coverage', probeCoverageText(reading)],
          ['', `the ${probeCoverageMeaning}; common transitions weigh more in it`],
          [
            'Chao1',
            `${chao1Text(reading)} transitions: ${chao1Caveat(run.config.strategy)}${beyondAllPairs(reading.chao1.estimate, catalog.tools)}`,
          ],
          ['transitions', transitionsText(reading)],
          ['tools', toolsText(reading)],
        ] as const)),
    [
      'spent',
      `${counted(usage.promptTokens + usage.completionTokens, 'token')}, $${usage.costUsd.toFixed(2)}, ${timesText(run, evolution, knowledge)}`,
    ],
    [
      'benchmark',
      `${benchmark.id}: ${count(benchmark.publicUnits)} public and ${count(benchmark.privateUnits)} private units`,
    ],
    ['file', file],
  ];
  return [...rows.map(([label, text]) => `${padEnd(label, labelWidth)}${text}`), '', ...notes(run)];
}

function evolutionRows(evolution: NonNullable<Chart['evolution']>): (readonly [string, string])[] {
  const { variants, kept, target, duplicatesFound, surveyed, reason } = evolution;
  return [
    ['variants', `${variantsText(variants)}: ${plain(reason ?? '')}`],
    [
      'kept',
      `${count(kept)} of the ${counted(target, 'unit')} wanted; of ${count(surveyed)} explored ones ${counted(duplicatesFound, 'near-duplicate')} left out`,
    ],
  ];
}

function timesText(run: Chart['run'], evolution: Chart['evolution'], knowledge: LoadedKnowledge | null): string {
  const parts = [
    ...(knowledge === null ? [] : [`${duration(knowledge.ms)} of loading passages`]),
    `${duration(runMs(run))} of charting`,
    ...(evolution === null ? [] : [`${duration(runMs(evolution))} of evolving`]),
  ];
  return parts.join(', ');
}

/** A transition is an ordered pair of different tools, so an estimate above their number is clearly too high. */
function beyondAllPairs(estimate: number, tools: number): string {
  const pairs = tools * (tools - 1);
  return estimate > pairs ? ` (plainly: ${count(tools)} tools make ${count(pairs)} pairs)` : '';
}

/** Notes that keep a reader from overinterpreting the figures. */
function notes(run: Chart['run']): string[] {
  const { setAside, units, serversDown, offline } = run;
  return [
    ...(setAside.length === 0
      ? []
      : [
          `Set aside, since drawn 10 times without a successful call: ${counted(setAside.length, 'tool')} (${setAside.map(plain).join(', ')}).`,
        ]),
    ...(units.lost === 0 ? [] : [`Lost, since no drawn tools belonged together: ${counted(units.lost, 'unit')}.`]),
    ...(units.dropped === 0
      ? []
      : [`Dropped, since the way to a server or model broke: ${counted(units.dropped, 'unit')}.`]),
    ...(serversDown.length === 0 ? [] : [`Out of reach at the end: ${serversDown.map(plain).join(', ')}.`]),
    ...(offline
      ? ['The offline models are rules. This shows that the machine works; it is no evidence about models.']
      : []),
  ];
}
