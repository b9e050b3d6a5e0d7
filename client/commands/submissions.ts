import { moderation } from '#core/leaderboards/submissions/record.ts';
import type { Command } from '../command-line/command.ts';
import {
  makeOneOfParser,
  optionalOption,
  requiredOption,
  parseNonEmptyText,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { makePrintableLine } from '../command-line/text.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { readRecordOfEachItem } from '../http/read-each.ts';
import { submissionLines } from '../display/submission-lines.ts';
import { watchSubmissionOrThrow } from './watch.ts';

const submission = { name: 'submission', about: 'the id of a submission, such as sub_...' };
const actions = moderation.shape.action.options;
const action = { name: 'action', about: `one of ${actions.join(', ')}` };

const wording = optionalOption('reason', 'TEXT', "why; stands in the leaderboard's log", parseNonEmptyText);
const reason = requiredOption(
  'reason',
  'TEXT',
  'why; the submitter reads it',
  makeSchemaTextParser(moderation.shape.reason),
);

const list: Command = {
  verb: 'submissions list',
  about: 'List the submissions of the workspace',
  operands: [],
  options: [],
  run: (_, { client, output }) =>
    output.writeRowsAsJsonOrTable(
      readRecordOfEachItem(client.submissions.list(), ({ id }) => client.submissions.get(id)),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'name', cell: ({ name }) => name, flexible: true },
        { title: 'state', cell: ({ state }) => state },
        { title: 'tier', cell: ({ tier }) => tier },
        {
          title: 'attempts',
          cell: ({ progress }) => (progress === null ? '' : `${progress.made} of ${progress.attempts}`),
        },
        { title: 'leaderboard', cell: ({ leaderboard }) => leaderboard },
        { title: 'created', cell: ({ createdAt }) => createdAt },
      ],
      'there are no submissions; make one with: submit service, submit gateway or submit traces',
    ),
};

const show: Command = {
  verb: 'submissions show',
  about: 'Show how a submission stands, how it came there, and what was found about it',
  operands: [submission],
  options: [],
  async run(given, { client, output }) {
    const found = await client.submissions.get(given.firstOperandWordOrThrow(submission));
    output.writeAsJsonOrLines(found, () => submissionLines(found));
  },
};

const watch: Command = {
  verb: 'submissions watch',
  about: 'Show how a submission goes on, until it is published, cannot be, or a moderator has to decide',
  more: [
    'Ctrl-C ends the watching, not the submission. Exit code 0 only where it was published; 3 where a moderator has to decide, which may',
    'take days: look again with "submissions show".',
  ].join('\n'),
  operands: [submission],
  options: [],
  async run(given, context) {
    await watchSubmissionOrThrow(
      await context.client.submissions.get(given.firstOperandWordOrThrow(submission)),
      context,
    );
  },
};

const withdraw: Command = {
  verb: 'submissions withdraw',
  about: 'Take a submission back for good; the log keeps an entry that was published',
  operands: [submission],
  options: [wording],
  async run(given, { client, output }) {
    const found = await client.submissions.withdraw(
      given.firstOperandWordOrThrow(submission),
      given.parseOptionValue(wording),
    );
    output.writeAsJsonOrLines(found, () => [`${found.id} is ${found.state}`]);
  },
};

const moderate: Command = {
  verb: 'submissions moderate',
  about: 'Decide on a submission to a leaderboard of yours',
  more: 'publish and reject end a moderation; hide takes a published entry off, show puts it back.',
  operands: [submission, action],
  options: [reason],
  async run(given, { client, output }) {
    const found = await client.submissions.moderate(given.firstOperandWordOrThrow(submission), {
      action: parseModerationAction(given.firstOperandWordOrThrow(action)),
      reason: given.parseOptionValue(reason),
    });
    const { id, state, reason: why } = found;
    // The submission's driver carries out the publication.
    const pending = state === 'moderation' ? '; the decision is being carried out' : '';
    output.writeAsJsonOrLines(found, () => [`${id} is ${state}: ${makePrintableLine(why)}${pending}`]);
  },
};

function parseModerationAction(given: string) {
  try {
    return makeOneOfParser(actions)(given);
  } catch (cause) {
    throw new UsageError(`"${given}" is no decision; give one of ${actions.join(', ')}`, { cause });
  }
}

/** Verbs on submissions. */
export const submissionCommands: readonly Command[] = [list, show, watch, withdraw, moderate];
