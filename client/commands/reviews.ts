import { edit, verdict } from '#core/units/review.ts';
import { unitOrigin } from '#core/units/unit.ts';
import type { ReviewDetail } from '#core/exploration/record.ts';
import type { Command } from '../command-line/command.ts';
import type { Output } from '../command-line/output.ts';
import {
  makeOneOfParser,
  optionalOption,
  requiredOption,
  parseNonEmptyText,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { percentText } from '../command-line/text.ts';
import { unitReviewLines, unitStageText } from '../display/review-lines.ts';

const exploration = { name: 'exploration', about: 'the id of an exploration, such as exp_...' };
const unit = { name: 'unit', about: 'the id of a unit in review, such as r0001-u00' };

const state = optionalOption(
  'state',
  'STATE',
  'open: units that wait for a decision; decided: those that have had one (open without it)',
  makeOneOfParser(['open', 'decided'] as const),
);
const origin = optionalOption(
  'origin',
  'ORIGIN',
  'explored: only units of rounds; evolved: only variants',
  makeOneOfParser(unitOrigin.options),
);
const tool = optionalOption('tool', 'SERVER/TOOL', 'only units whose chain holds this tool', parseNonEmptyText);

const list: Command = {
  verb: 'reviews list',
  about: 'List the units of an exploration that wait for a decision',
  operands: [exploration],
  options: [state, origin, tool],
  run: (given, { client, output }) =>
    output.writeRowsAsJsonOrTable(
      client.reviews.list(given.firstOperandWordOrThrow(exploration), {
        state: given.parseOptionValue(state),
        origin: given.parseOptionValue(origin),
        tool: given.parseOptionValue(tool),
      }),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'status', cell: ({ status, stage }) => status ?? `at ${stage.kind}` },
        { title: 'origin', cell: ({ lineage }) => (lineage === null ? 'explored' : lineage.kind) },
        { title: 'score', cell: ({ score }) => score ?? '' },
        { title: 'chain', cell: ({ chain }) => chain.join(' > '), flexible: true },
        { title: 'source', cell: ({ source }) => source ?? '', flexible: true },
      ],
      'there are no such units',
    ),
};

const show: Command = {
  verb: 'reviews show',
  about: 'Show what there is to know before deciding on a unit',
  operands: [exploration, unit],
  options: [],
  async run(given, { client, output }) {
    const shown = await client.reviews.get(
      given.firstOperandWordOrThrow(exploration),
      given.firstOperandWordOrThrow(unit),
    );
    output.writeAsJsonOrLines(shown, () => unitReviewLines(shown));
  },
};

const isFinal = 'A decision is final, and kept with the key that decided. The same one may be sent again.';

const approve: Command = {
  verb: 'reviews approve',
  about: 'Approve a unit as it is: it is executed and counted',
  more: isFinal,
  operands: [exploration, unit],
  options: [],
  async run(given, { client, output }) {
    printStageOfDecidedUnit(
      await client.reviews.approve(given.firstOperandWordOrThrow(exploration), given.firstOperandWordOrThrow(unit)),
      output,
    );
  },
};

const [, , rejection] = verdict.options;
const reason = requiredOption(
  'reason',
  'TEXT',
  'why nobody should use the unit',
  makeSchemaTextParser(rejection.shape.reason),
);

const reject: Command = {
  verb: 'reviews reject',
  about: 'Reject a unit',
  more: isFinal,
  operands: [exploration, unit],
  options: [reason],
  async run(given, { client, output }) {
    printStageOfDecidedUnit(
      await client.reviews.reject(
        given.firstOperandWordOrThrow(exploration),
        given.firstOperandWordOrThrow(unit),
        given.parseOptionValue(reason),
      ),
      output,
    );
  },
};

const source = requiredOption('source', 'TEXT', 'the new source request', makeSchemaTextParser(edit.shape.source));
const followUp = requiredOption(
  'follow-up',
  'TEXT',
  'the new follow-up request',
  makeSchemaTextParser(edit.shape.followUp),
);

const editUnit: Command = {
  verb: 'reviews edit',
  about: 'Put a unit into other words, which are audited again',
  more: `The chain and the sources of its arguments stay. The new wording needs the passing score; below it, the unit comes back.\n${isFinal}`,
  operands: [exploration, unit],
  options: [source, followUp],
  async run(given, { client, output }) {
    const wording = { source: given.parseOptionValue(source), followUp: given.parseOptionValue(followUp) };
    printStageOfDecidedUnit(
      await client.reviews.edit(
        given.firstOperandWordOrThrow(exploration),
        given.firstOperandWordOrThrow(unit),
        wording,
      ),
      output,
    );
  },
};

const printStageOfDecidedUnit = (review: ReviewDetail, output: Output): void =>
  output.writeAsJsonOrLines(review, () => [`${review.unit.id}: ${unitStageText(review.unit.stage)}`]);

const agreement: Command = {
  verb: 'reviews agreement',
  about: 'Show how far reviewers and the critic agree',
  more: 'Over the first decision on each unit. The critic leans towards a unit whose score lies in the upper half of the middle tier.',
  operands: [exploration],
  options: [],
  async run(given, { client, output }) {
    const found = await client.reviews.agreement(given.firstOperandWordOrThrow(exploration));
    const { open, decided, approved, edited, rejected, accuracy, kappa } = found;
    output.writeAsJsonOrLines(found, () => [
      `${decided} decided: ${approved} approved, ${edited} edited, ${rejected} rejected; ${open} open`,
      accuracy === null
        ? 'nobody has decided on a unit yet'
        : `reviewers and critic agree on ${percentText(accuracy)}, kappa ${kappa === null ? 'not known: chance alone would agree on all' : kappa.toFixed(3)}`,
    ]);
  },
};

/** Verbs on units in review. */
export const reviewCommands: readonly Command[] = [list, show, approve, reject, editUnit, agreement];
