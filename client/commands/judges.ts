import { modelName } from '#core/evaluation/config.ts';
import { plantedKind, type PlantedKind } from '#core/evaluation/judge-measure/planted-kinds.ts';
import type { JudgeMeasure } from '#core/evaluation/judge-measure/judge-measure.ts';
import type { Share } from '#core/evaluation/judge-measure/judge-figures.ts';
import { judgeMeasureSentences } from '#core/evaluation/judge-measure/measure-texts.ts';
import type { Command } from '../command-line/command.ts';
import { flagOption, makeSchemaTextParser, optionalOption } from '../command-line/options.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { makePrintableLine, percentText } from '../command-line/text.ts';
import { CommandError } from '../../engine/usage-error.ts';
import { dryRun, printCostEstimate } from './dry-run.ts';
import { watchEvaluationOrThrow } from './watch.ts';

const model = optionalOption(
  'model',
  'MODEL',
  "the judge, at the deployment's endpoint for judges; the deployment's without it",
  makeSchemaTextParser(modelName),
);
const again = flagOption('again', 'ask it again although it was measured in its present version');

const kindTexts: Readonly<Record<PlantedKind, string>> = {
  right: 'right',
  'another-way': 'right, by another way',
  'wrong-value': 'a wrong value',
  'nothing-done': 'nothing done',
  claimed: 'claimed, not done',
  partly: 'done in part',
};

const shareText = ({ count, n, value, low, high }: Share): string =>
  value === null ? 'none' : `${percentText(value)} (${percentText(low)} to ${percentText(high)}), ${count} of ${n}`;

function measureLines(measure: JudgeMeasure, width: number): string[] {
  const { model, baseUrl, outcome } = measure;
  const sentences = judgeMeasureSentences([{ model, baseUrl, measure }]).map(makePrintableLine);
  if (outcome.state !== 'measured') return sentences;
  const { figures } = outcome;
  const { kappa } = figures;
  const rows: [string, string][] = [
    ['right verdicts', shareText(figures.accuracy)],
    [
      'kappa',
      kappa.value === null
        ? 'none'
        : `${kappa.value.toFixed(2)}${kappa.interval === null ? '' : ` (${kappa.interval.low.toFixed(2)} to ${kappa.interval.high.toFixed(2)})`}`,
    ],
    ...plantedKind.options.map((kind): [string, string] => [`  ${kindTexts[kind]}`, shareText(figures.kinds[kind])]),
    ['turned by an order in the answer', shareText(figures.turnedByAnswer)],
    ['turned by an order in a result', shareText(figures.turnedByResult)],
    ['changed when asked again', shareText(figures.changedAgain)],
    ['changed by the order of the answer', shareText(figures.changedByOrder)],
    ['without a verdict', String(figures.unreadable)],
  ];
  return [
    ...sentences,
    '',
    ...tableLines(
      [
        { title: 'verdicts', cell: ([name]) => name },
        { title: 'share, 95% interval', cell: ([, text]) => text },
      ],
      rows,
      width,
    ),
  ];
}

const measureJudge: Command = {
  verb: 'judges measure',
  about: 'Measure how well a judge reads attempts whose verdict is known',
  more: [
    'The right verdict is planted in each attempt: right, a wrong value, nothing done, claimed but not done, right by another way, done in part.',
    'Each is also shown with an order to the judge hidden in the answer and in a result. Reports then say how far the judge can be believed.',
    'A judge that was measured in its present version is not asked again.',
  ].join('\n'),
  operands: [],
  options: [model, again, dryRun],
  async run(given, context) {
    const { client, output } = context;
    const named = given.parseOptionValue(model);
    const asked = {
      ...(named === undefined ? {} : { judge: { model: named } }),
      again: given.parseOptionValue(again),
    };
    if (given.parseOptionValue(dryRun)) {
      printCostEstimate(await client.judges.estimate(asked), context);
      return;
    }
    const begun = await client.judges.measure(asked);
    if (begun.outcome.state === 'running')
      await watchEvaluationOrThrow(await client.evaluations.get(begun.evaluation), context);
    const ended = (await client.judges.list()).find(({ evaluation }) => evaluation === begun.evaluation);
    if (ended === undefined) throw new CommandError('the judge is being measured by somebody else; try again');
    output.writeAsJsonOrLines(ended, () => measureLines(ended, output.lineWidth));
  },
};

const columns: readonly Column<JudgeMeasure>[] = [
  { title: 'model', cell: ({ model }) => model, flexible: true },
  { title: 'endpoint', cell: ({ baseUrl }) => baseUrl, flexible: true },
  { title: 'state', cell: ({ outcome }) => outcome.state },
  { title: 'right', cell: ({ outcome }) => figureText(outcome, 'accuracy') },
  { title: 'of successes', cell: ({ outcome }) => figureText(outcome, 'sensitivity') },
  { title: 'of failures', cell: ({ outcome }) => figureText(outcome, 'specificity') },
  { title: 'turned by answers', cell: ({ outcome }) => figureText(outcome, 'turnedByAnswer') },
  { title: 'by results', cell: ({ outcome }) => figureText(outcome, 'turnedByResult') },
  { title: 'evaluation', cell: ({ evaluation }) => evaluation },
];

type Figure = 'accuracy' | 'sensitivity' | 'specificity' | 'turnedByAnswer' | 'turnedByResult';

function figureText(outcome: JudgeMeasure['outcome'], figure: Figure): string {
  const value = outcome.state === 'measured' ? outcome.figures[figure].value : null;
  return value === null ? '-' : percentText(value);
}

const listMeasures: Command = {
  verb: 'judges list',
  about: 'List the judges that were measured here',
  operands: [],
  options: [],
  async run(_, { client, output }) {
    await output.writeRowsAsJsonOrTable(
      await client.judges.list(),
      columns,
      'no judge was measured; measure one with: judges measure',
    );
  },
};

/** Verbs on judges. */
export const judgeCommands: readonly Command[] = [measureJudge, listMeasures];
