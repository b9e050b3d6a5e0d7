import { unwritableToolLines } from '../display/unwritable-lines.ts';
import { addUsage, noUsage } from '#core/models/usage.ts';
import {
  wholeNumberText,
  countWithNoun,
  durationText,
  padEndToWidth,
  makePrintableLine,
} from '../command-line/text.ts';
import {
  allTransitionsTexts,
  probeCoverageMeaning,
  probeCoverageText,
  executedToolsText,
  executedTransitionsText,
} from '../display/wording.ts';
import { wrappedLines } from '../command-line/help.ts';
import { unitCountsText } from '../progress/exploration-drawing.ts';
import { variantsText } from '../progress/evolution-drawing.ts';
import { protocolComparisonJson, computeTauBMatrixOfRankings, type ProtocolComparison } from './compare-protocols.ts';
import type { Chart } from './chart-servers.ts';
import type { LoadedKnowledge } from './knowledge.ts';
import { agentResultsJson, leaderboardLinksJson, durationOfSubmissionsMs, type LeaderboardOutcome } from './submit.ts';

/** The demo's result, for programs. */
export function demoResultJson(
  chart: Chart,
  outcome: LeaderboardOutcome,
  comparison: ProtocolComparison | null,
  knowledge: LoadedKnowledge | null,
) {
  const { catalog, run, evolution, reviews, benchmark, grounded, file } = chart;
  const { reading, units } = run;
  const usage = addUsage(run.usage, evolution?.usage ?? noUsage);
  const { accepted, review, rejected, lost, dropped, probes } = units;
  return {
    servers: catalog.servers.length,
    tools: catalog.tools,
    domains: listDomainsOfCatalog(catalog).length,
    rounds: run.rounds,
    units: { accepted, review, rejected, lost, dropped, probes },
    grounded,
    evolved: evolution?.variants.accepted ?? 0,
    duplicatesDropped: countDuplicates(evolution),
    reviews,
    nodeCoverage: reading?.nodeCoverage.value ?? null,
    toolsExecuted: run.toolsExecuted,
    transitions: run.transitions,
    valuesPassed: run.valuesPassed,
    allTransitions: reading?.allTransitions ?? null,
    probeCoverage: probeCoverageJson(reading),
    tokens: usage.promptTokens + usage.completionTokens,
    benchmark: benchmark.id,
    file,
    leaderboard: leaderboardLinksJson(outcome),
    agents: agentResultsJson(outcome),
    protocols: protocolComparisonJson(comparison),
    rankingTauB: computeTauBMatrixOfRankings(comparison?.rows ?? []),
    seconds: {
      loading: (knowledge?.ms ?? 0) / 1000,
      charting: runDurationMs(run) / 1000,
      evolution: runDurationMs(evolution) / 1000,
      evaluation: durationOfSubmissionsMs(outcome) / 1000,
      protocols: (comparison?.ms ?? 0) / 1000,
    },
  };
}

/** Returns the domains of a catalog's servers, each once, in order. */
export const listDomainsOfCatalog = (catalog: Chart['catalog']): string[] =>
  [...new Set(catalog.servers.map(({ domain }) => domain))].toSorted();

function probeCoverageJson(reading: Chart['run']['reading']) {
  if (reading === null || reading.probeCoverage === null) return null;
  const { value, low, high, anytimeLow } = reading.probeCoverage;
  return { value, low, high, anytimeLow };
}

/** Returns how long a run took; 0 if there was none. */
const runDurationMs = (run: Chart['run'] | Chart['evolution']): number =>
  run === null || run.endedAt === null ? 0 : Date.parse(run.endedAt) - Date.parse(run.createdAt);

/** Counts the near-duplicates that the benchmark leaves out: among the explored units and among the variants. */
const countDuplicates = (evolution: Chart['evolution']): number =>
  evolution === null ? 0 : evolution.duplicatesFound + evolution.variants.duplicate;

const labelWidth = 16;

/** The demo's result, for people, in lines of so many columns. */
export function demoSummaryLines(
  chart: Chart,
  knowledge: LoadedKnowledge | null,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const { catalog, run, evolution, reviews, benchmark, grounded, file } = chart;
  const { reading } = run;
  const usage = addUsage(run.usage, evolution?.usage ?? noUsage);
  const domains = listDomainsOfCatalog(catalog);
  const rows: (readonly [string, string])[] = [
    [
      'catalog',
      `${countWithNoun(catalog.servers.length, 'server')}, ${countWithNoun(catalog.tools, 'tool')}, ${countWithNoun(domains.length, 'domain')}`,
    ],
    [
      'run',
      `${countWithNoun(run.rounds, 'round')}, ${run.config.strategy}, seed ${run.config.seed}: ${makePrintableLine(run.reason ?? '')}`,
    ],
    ['units', unitCountsText(run.units)],
    ...(evolution === null ? [] : evolutionRows(evolution)),
    ['reviews', `${countWithNoun(reviews, 'unit')} in the queue`],
    [
      'grounding',
      knowledge === null
        ? 'no index of facts'
        : `${wholeNumberText(grounded)} of the benchmark's ${countWithNoun(benchmark.units, 'unit')} need one of ${wholeNumberText(knowledge.passages)} passages`,
    ],
    ...(reading === null
      ? []
      : ([
          ['probe coverage', probeCoverageText(reading)],
          ['', `the ${probeCoverageMeaning}; common transitions weigh more in it`],
          ['transitions', executedTransitionsText(reading)],
          ['', allTransitionsTexts(reading, run.config.strategy).join(': ')],
          ['tools', executedToolsText(reading)],
        ] as const)),
    [
      'spent',
      `${countWithNoun(usage.promptTokens + usage.completionTokens, 'token')}, $${usage.costUsd.toFixed(2)}, ${durationsText(run, evolution, knowledge)}`,
    ],
    [
      'benchmark',
      `${benchmark.id}: ${wholeNumberText(benchmark.publicUnits)} public and ${wholeNumberText(benchmark.privateUnits)} private units, ${wholeNumberText(benchmark.nearDuplicatesLeftOut ?? 0)} near-duplicates left out`,
    ],
    ['', 'the leaderboard has a sample of it, which is a benchmark of its own'],
    ['file', file],
  ];
  return [
    ...rows.flatMap(([label, text]) =>
      wrappedLines(text, width - labelWidth).map(
        (line, at) => `${padEndToWidth(at === 0 ? label : '', labelWidth)}${line}`,
      ),
    ),
    '',
    ...runCaveatLines(run).flatMap((line) => wrappedLines(line, width)),
  ];
}

function evolutionRows(evolution: NonNullable<Chart['evolution']>): (readonly [string, string])[] {
  const { variants, kept, target, duplicatesFound, compared, reason } = evolution;
  return [
    ['variants', `${variantsText(variants)}: ${makePrintableLine(reason ?? '')}`],
    [
      'kept',
      `${wholeNumberText(kept)} of the ${countWithNoun(target, 'unit')} wanted; of ${wholeNumberText(compared)} explored ones ${countWithNoun(duplicatesFound, 'near-duplicate')} left out`,
    ],
  ];
}

function durationsText(run: Chart['run'], evolution: Chart['evolution'], knowledge: LoadedKnowledge | null): string {
  const parts = [
    ...(knowledge === null ? [] : [`${durationText(knowledge.ms)} of loading passages`]),
    `${durationText(runDurationMs(run))} of charting`,
    ...(evolution === null ? [] : [`${durationText(runDurationMs(evolution))} of evolving`]),
  ];
  return parts.join(', ');
}

/** Notes that keep a reader from overinterpreting the figures. */
function runCaveatLines(run: Chart['run']): string[] {
  const { setAside, units, serversDown, offline } = run;
  return [
    ...(setAside.length === 0
      ? []
      : [
          `Set aside, since drawn 10 times without a successful call: ${countWithNoun(setAside.length, 'tool')} (${setAside.map(makePrintableLine).join(', ')}).`,
        ]),
    ...unwritableToolLines(run),
    ...(units.lost === 0
      ? []
      : [`Lost, since no drawn tools belonged together: ${countWithNoun(units.lost, 'unit')}.`]),
    ...(units.dropped === 0
      ? []
      : [`Dropped, since the way to a server or model broke: ${countWithNoun(units.dropped, 'unit')}.`]),
    ...(serversDown.length === 0 ? [] : [`Out of reach at the end: ${serversDown.map(makePrintableLine).join(', ')}.`]),
    ...(offline
      ? ['The offline models are rules. This shows that the machine works; it is no evidence about models.']
      : []),
  ];
}
