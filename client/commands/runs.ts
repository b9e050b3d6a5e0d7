import { z } from 'zod';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { EvolutionRecord } from '#core/exploration/evolution/record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { Usage } from '#core/models/usage.ts';
import type { Command } from '../command-line/command.ts';
import { fieldLines } from '../command-line/field-lines.ts';
import { makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';
import { wholeNumberText, countWithNoun, makePrintableLine, percentText } from '../command-line/text.ts';
import { readRecordOfEachItem } from '../http/read-each.ts';

const exploration = { name: 'exploration', about: 'the id of an exploration, such as exp_...' };
const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };

const defaultLimit = 20;
const limit = optionalOption(
  'limit',
  'N',
  `how many of the latest (${defaultLimit} without it)`,
  makeSchemaNumberParser(z.int().min(1).max(100)),
);

const statusText = ({ status, reason }: { readonly status: string; readonly reason: string | null }): string =>
  reason === null ? status : `${status} (${reason})`;
const costText = ({ costUsd }: Pick<Usage, 'costUsd'>): string => `$${costUsd.toFixed(2)}`;
const unitsText = ({ units, unitsDone }: EvaluationRecord['progress']): string =>
  `${wholeNumberText(unitsDone)} of ${wholeNumberText(units)}`;
const offlineOrEmptyText = ({ offline }: { readonly offline: boolean }): string => (offline ? 'offline' : '');

const listExplorations: Command = {
  verb: 'explorations list',
  about: 'List the latest explorations, the newest first',
  operands: [],
  options: [limit],
  async run(given, { client, output }) {
    const latest = await client.explorations.latest(given.parseOptionValue(limit) ?? defaultLimit);
    await output.writeRowsAsJsonOrTable(
      readRecordOfEachItem(latest, ({ id }) => client.explorations.get(id)),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'name', cell: ({ name }) => name, flexible: true },
        { title: 'state', cell: ({ status }) => status },
        { title: 'rounds', cell: ({ rounds }) => rounds },
        { title: 'accepted', cell: ({ units }) => units.accepted },
        { title: 'review', cell: ({ units }) => units.review },
        { title: 'transitions', cell: ({ transitions }) => transitions },
        { title: 'strategy', cell: ({ config }) => config.strategy },
        { title: 'cost', cell: ({ usage }) => costText(usage) },
        { title: 'models', cell: offlineOrEmptyText },
        { title: 'created', cell: ({ createdAt }) => createdAt },
      ],
      'there are no explorations; start one with: explore --catalog cat_...',
    );
  },
};

const showExploration: Command = {
  verb: 'explorations show',
  about: 'Show an exploration: state, counts, what is still unseen, cost',
  more: 'What it holds: units, transitions, richness, domains, tools, writes, evolutions list.',
  operands: [exploration],
  options: [],
  async run(given, { client, output }) {
    const run = await client.explorations.get(given.firstOperandWordOrThrow(exploration));
    output.writeAsJsonOrLines(run, () => explorationLines(run));
  },
};

function explorationLines(run: ExplorationRecord): string[] {
  const { units, config, reading, usage } = run;
  const probes = reading?.probeCoverage ?? null;
  const nodes = reading?.nodeCoverage;
  return fieldLines([
    ['exploration', run.id],
    ['name', run.name === '' ? null : run.name],
    ['state', statusText(run)],
    ['models', run.offline ? 'offline: rules, no evidence about models' : null],
    ['catalog', config.catalog],
    ['strategy', `${config.strategy}, seed ${config.seed}`],
    ['rounds', wholeNumberText(run.rounds)],
    [
      'units',
      `${units.accepted} accepted, ${units.review} review, ${units.rejected} rejected, ${units.lost} lost, ${units.dropped} dropped, ${countWithNoun(units.probes, 'probe')}`,
    ],
    [
      'transitions',
      `${wholeNumberText(run.transitions)}, of them ${wholeNumberText(run.valuesPassed)} passing a value`,
    ],
    [
      'probe coverage',
      probes === null
        ? 'no probe has made a transition yet'
        : `${percentText(probes.value)} (95%: ${percentText(probes.low)} to ${percentText(probes.high)})`,
    ],
    ['tools', nodes === undefined ? null : `${nodes.covered} of ${nodes.of + nodes.setAside} executed`],
    ['set aside', run.setAside.length === 0 ? null : run.setAside.join(', ')],
    ['servers down', run.serversDown.length === 0 ? null : run.serversDown.join(', ')],
    ['cost', `${costText(usage)}, ${wholeNumberText(usage.promptTokens + usage.completionTokens)} tokens`],
    ['created', run.createdAt],
    ['ended', run.endedAt],
  ]);
}

const listEvolutions: Command = {
  verb: 'evolutions list',
  about: 'List the evolutions of an exploration',
  operands: [exploration],
  options: [],
  async run(given, { client, output }) {
    await output.writeRowsAsJsonOrTable<EvolutionRecord>(
      await client.evolutions.list(given.firstOperandWordOrThrow(exploration)),
      [
        { title: 'run', cell: ({ exploration: of, number }) => `${of}/evolutions/${number}` },
        { title: 'state', cell: ({ status }) => status },
        { title: 'accepted', cell: ({ variants }) => variants.accepted },
        { title: 'target', cell: ({ target }) => target },
        { title: 'duplicates', cell: ({ duplicatesFound }) => duplicatesFound },
        { title: 'cost', cell: ({ usage }) => costText(usage) },
        { title: 'created', cell: ({ createdAt }) => createdAt },
      ],
      'there are no evolutions; start one with: evolve exp_...',
    );
  },
};

const listEvaluations: Command = {
  verb: 'evaluations list',
  about: 'List the latest evaluations, the newest first',
  operands: [],
  options: [limit],
  async run(given, { client, output }) {
    const latest = await client.evaluations.latest(given.parseOptionValue(limit) ?? defaultLimit);
    await output.writeRowsAsJsonOrTable(
      readRecordOfEachItem(latest, ({ id }) => client.evaluations.get(id)),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'name', cell: ({ config }) => config.name, flexible: true },
        { title: 'state', cell: ({ status }) => status },
        { title: 'units done', cell: ({ progress }) => unitsText(progress) },
        { title: 'agents', cell: ({ agents }) => agents.map(({ name }) => name).join(', '), flexible: true },
        { title: 'not evaluated', cell: ({ progress }) => progress.notEvaluated },
        { title: 'benchmark', cell: ({ config }) => config.benchmark },
        { title: 'cost', cell: (run) => costText({ costUsd: run.usage.costUsd + run.judgeUsage.costUsd }) },
        { title: 'models', cell: offlineOrEmptyText },
        { title: 'created', cell: ({ createdAt }) => createdAt },
      ],
      'there are no evaluations; start one with: evaluate --benchmark bm_... --agent NAME=MODEL',
    );
  },
};

const showEvaluation: Command = {
  verb: 'evaluations show',
  about: 'Show an evaluation: state, agents, progress, cost',
  more: 'What it holds: results, cases, case, compare, traces, tools, writes, report, export-results.',
  operands: [evaluation],
  options: [],
  async run(given, { client, output }) {
    const run = await client.evaluations.get(given.firstOperandWordOrThrow(evaluation));
    output.writeAsJsonOrLines(run, () => evaluationLines(run));
  },
};

function evaluationLines(run: EvaluationRecord): string[] {
  const { progress, config, agents } = run;
  return [
    ...fieldLines([
      ['evaluation', run.id],
      ['name', config.name === '' ? null : config.name],
      ['state', statusText(run)],
      ['models', run.offline ? 'offline: rules, no evidence about models' : null],
      ['protocol', run.protocol],
      ['benchmark', config.benchmark],
      ['units', `${unitsText(progress)} done`],
      [
        'attempts',
        `${wholeNumberText(progress.made)} of ${wholeNumberText(progress.attempts)} made, ${wholeNumberText(progress.notEvaluated)} not evaluated, ${wholeNumberText(progress.relaunched)} relaunched`,
      ],
      ['trials', wholeNumberText(config.trials)],
      ['seed', String(config.seed)],
      ['cost', `agents ${costText(run.usage)}, judges ${costText(run.judgeUsage)}`],
      ['created', run.createdAt],
      ['ended', run.endedAt],
    ]),
    '',
    ...agents.map((agent) => {
      const model = 'model' in agent ? `, ${makePrintableLine(agent.model)}` : '';
      return `agent ${makePrintableLine(agent.name)}: ${agent.loop}${model}`;
    }),
  ];
}

/** Verbs that find runs and show their state. */
export const runCommands: readonly Command[] = [
  listExplorations,
  showExploration,
  listEvolutions,
  listEvaluations,
  showEvaluation,
];
