import type { Check } from '#core/leaderboards/verification/check.ts';
import { hasNoFailedCheck } from '#core/leaderboards/verification/check.ts';
import type { Command, Given } from '../command-line/command.ts';
import { optionalOption, parseNonEmptyText, type Option } from '../command-line/options.ts';
import { makePrintableLine } from '../command-line/text.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import { openFileAsBlobOrThrow } from '../files/readable-file.ts';
import { verifyFile, type Verification } from '../verification/verify-file.ts';

const file = { name: 'file', about: 'a signed record, a file of traces, or a log, as a leaderboard gives them' };

const key = optionalOption(
  'key',
  'BASE64',
  "the service's public key, or several with commas, as you got them elsewhere; of a record",
  parseBase64PublicKeys,
);
const traces = optionalOption(
  'traces',
  'FILE',
  "the record's traces: their seal has to be the record's",
  parseNonEmptyText,
);
const log = optionalOption(
  'log',
  'FILE',
  "the leaderboard's log: it has to be unbroken, and to publish the record",
  parseNonEmptyText,
);
const benchmark = optionalOption(
  'benchmark',
  'FILE',
  "the benchmark's public export: the figures are computed from the traces",
  parseNonEmptyText,
);

function parseBase64PublicKeys(given: string): readonly string[] {
  const keys = given.split(',');
  if (!keys.every((each) => /^[A-Za-z0-9+/]{43}=$/.test(each)))
    throw new UsageError('give the 32 bytes of an Ed25519 key in base64, several with commas between them');
  return keys;
}

const verify: Command = {
  verb: 'verify',
  about: 'Check a signed record, a file of traces or a log of a leaderboard, without any service',
  more: [
    'Says line by line what was checked and what was not. Nothing is asked of a service, and no figure is taken on trust where',
    'record, traces and benchmark are given: all scores of the protocol that need no judge are computed again.',
    'Of a file of traces alone, --benchmark shows what figures they give and whether they are complete; whether they',
    'keep the rules of a submission is not checked.',
    '',
    'The public key comes from "leaderboard key": note it down while you trust the service, where others cannot change it.',
    'A service that has changed its key shows the earlier ones too: records from before were signed with those.',
    'With --json: one value with all checks. Exit code 1 where anything does not hold.',
  ].join('\n'),
  operands: [file],
  options: [key, traces, log, benchmark],
  open: true,
  async run(given, { output }) {
    const name = given.firstOperandWordOrThrow(file);
    const found = await verifyFile({
      name,
      file: await openFileAsBlobOrThrow(name),
      publicKeys: given.parseOptionValue(key) ?? null,
      traces: await openOptionalFile(given, traces),
      log: await openOptionalFile(given, log),
      benchmark: await openOptionalFile(given, benchmark),
    });
    const { kind, checks } = found;
    output.writeAsJsonOrLines({ file: name, kind, holds: hasNoFailedCheck(checks), checks }, () => [
      ...fileHeadingLines(name, found),
      ...checks.map(verificationCheckLine),
    ]);
    const wrong = checks.find(({ outcome }) => outcome === 'broken');
    if (wrong !== undefined)
      throw new CommandError(
        `${name} does not hold: ${makePrintableLine(wrong.about)}: ${makePrintableLine(wrong.detail)}`,
      );
  },
};

async function openOptionalFile(given: Given, from: Option<string | undefined>): Promise<Blob | null> {
  const name = given.parseOptionValue(from);
  return name === undefined ? null : openFileAsBlobOrThrow(name);
}

const kinds = { record: 'a signed record', traces: 'a file of traces', log: "a leaderboard's log" } as const;
const outcomes = { holds: 'ok', broken: 'BROKEN', unchecked: 'not checked' } as const;

function fileHeadingLines(name: string, { kind, record }: Verification): string[] {
  if (record === null) return [`${name}: ${kinds[kind]}`];
  const { id, leaderboard, name: called, tier } = record.entry;
  return [
    `${name}: ${kinds[kind]} of ${makePrintableLine(called)} (${tier}), entry ${makePrintableLine(id)} of ${makePrintableLine(leaderboard)}`,
  ];
}

const verificationCheckLine = ({ outcome, about, detail }: Check): string =>
  `  ${outcomes[outcome].padEnd(11)}  ${makePrintableLine(about).padEnd(18)}  ${makePrintableLine(detail)}`;

/** The verb that verifies downloaded files. */
export const verifyCommands: readonly Command[] = [verify];
