import { requestName } from '#core/benchmarks/protocols/case-requests.ts';
import { patternNames } from '#core/catalog/redaction/named-patterns.ts';
import { redactionRules, type RedactionRules } from '#core/catalog/redaction/rules.ts';
import type { Client } from '../client.ts';
import type { Command, Given } from '../command-line/command.ts';
import {
  flagOption,
  optionalOption,
  parseNonEmptyText,
  repeatableOption,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { countWithNoun } from '../command-line/text.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { findServerIdByNameElseKeepId } from './find-server.ts';

const server = { name: 'server', about: 'the name or the id of a server' };
const run = { name: 'run', about: 'the id of an evaluation or exploration, such as evl_...' };

const { fields: fieldsSchema, patterns: patternsSchema } = redactionRules.shape;

const fields = repeatableOption(
  'redact-field',
  'FIELD',
  'a property whose values are never kept: its name, or a path such as "$.customers[*].email"',
  makeSchemaTextParser(fieldsSchema.unwrap().element),
);
const patterns = repeatableOption(
  'redact-pattern',
  'PATTERN',
  `a regular expression for texts that are never kept, or one of: ${patternNames.join(', ')}`,
  makeSchemaTextParser(patternsSchema.unwrap().element),
);
const isPrivate = flagOption('private', 'nothing that agents do on it is ever public; boards show figures alone');

/** The options by which a server is registered with what is kept out of its results. */
export const privacyOptions = { fields, patterns, isPrivate } as const;

export const readRedactionOptions = (given: Given): RedactionRules => ({
  fields: [...given.parseOptionValue(fields)],
  patterns: [...given.parseOptionValue(patterns)],
});

const redactServer: Command = {
  verb: 'servers redact',
  about: "Say what is never kept of a server's results and arguments, in place of what was said before",
  more: 'Without options everything is kept again. Runs under way keep to what held when they were created, and what is stored stays as it is.',
  operands: [server],
  options: [fields, patterns],
  async run(given, { client, output }) {
    const id = await findServerIdByNameElseKeepId(client, given.firstOperandWordOrThrow(server));
    const changed = await client.servers.relist(id, { redact: readRedactionOptions(given) });
    output.writeAsJsonOrLines(changed, () => [`${changed.name}: ${redactionRulesText(changed.redact)}`]);
  },
};

/** Says in a few words what is kept out. */
export const redactionRulesText = ({ fields: named, patterns: searched }: RedactionRules): string =>
  named.length + searched.length === 0
    ? 'everything is kept'
    : `redacts ${countWithNoun(named.length, 'field')} and ${countWithNoun(searched.length, 'pattern')}`;

const makePrivacyCommand = (verb: string, about: string, value: boolean): Command => ({
  verb,
  about,
  operands: [server],
  options: [],
  async run(given, { client, output }) {
    const id = await findServerIdByNameElseKeepId(client, given.firstOperandWordOrThrow(server));
    const changed = await client.servers.relist(id, { private: value });
    output.writeAsJsonOrLines(changed, () => [`${changed.name} is ${changed.private ? 'private' : 'public'}`]);
  },
});

const request = optionalOption(
  'request',
  'NAME',
  'only the attempts at this request',
  makeSchemaTextParser(requestName),
);
const wantedCase = optionalOption('case', 'CASE', 'only this case of an evaluation', parseNonEmptyText);
const wantedUnit = optionalOption('unit', 'UNIT', 'only this unit of an exploration', parseNonEmptyText);

const deleteTexts: Command = {
  verb: 'texts delete',
  about: 'Delete arguments, results, answers and reasons of the attempts of a run, and keep its figures',
  more: 'It cannot be undone. An evaluation can then neither be judged again nor submitted.',
  operands: [run],
  options: [wantedCase, wantedUnit, request],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(run);
    const attempts = id.startsWith('exp_')
      ? await deleteTextsOfUnits(client, id, given)
      : await deleteTextsOfCases(client, id, given);
    output.writeAsJsonOrLines({ run: id, attempts }, () => [
      `the texts of ${countWithNoun(attempts, 'attempt')} are deleted`,
    ]);
  },
};

/** Deletes the texts of a case, or of all of an evaluation, and counts the attempts without texts. */
async function deleteTextsOfCases({ evaluations }: Client, id: string, given: Given): Promise<number> {
  if (given.has(wantedUnit)) throw new UsageError('--unit is for explorations; an evaluation has --case');
  const [sole, side] = [given.parseOptionValue(wantedCase), given.parseOptionValue(request)];
  let attempts = 0;
  for await (const each of sole === undefined ? evaluations.cases(id) : [{ id: sole }])
    attempts += (await evaluations.deleteTexts(id, each.id, side)).attempts.length;
  return attempts;
}

/** Deletes the texts of the attempts at a unit, or at all of an exploration and its evolutions. */
async function deleteTextsOfUnits({ explorations }: Client, id: string, given: Given): Promise<number> {
  if (given.has(wantedCase)) throw new UsageError('--case is for evaluations; an exploration has --unit');
  const [sole, side] = [given.parseOptionValue(wantedUnit), given.parseOptionValue(request)];
  if (side !== undefined && side !== 'source' && side !== 'followUp')
    throw new UsageError('--request of an exploration is source or followUp');
  let attempts = 0;
  for await (const each of sole === undefined ? explorations.units(id) : [{ id: sole }])
    attempts += (await explorations.deleteTexts(id, each.id, side)).attempts.length;
  return attempts;
}

/** Verbs on what is kept of servers and attempts, and who may see it. */
export const privacyCommands: readonly Command[] = [
  redactServer,
  makePrivacyCommand(
    'servers private',
    'Keep what agents do on a server within the workspace; boards show figures alone',
    true,
  ),
  makePrivacyCommand('servers public', 'Let what agents do on a server be public where its leaderboards are', false),
  deleteTexts,
];
