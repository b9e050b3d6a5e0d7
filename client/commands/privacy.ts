import { requestName } from '#core/evaluation/case-requests.ts';
import { patternNames } from '#core/redaction/named-patterns.ts';
import { redactionRules, type RedactionRules } from '#core/redaction/rules.ts';
import type { Command, Given } from '../command-line/command.ts';
import {
  flagOption,
  optionalOption,
  parseNonEmptyText,
  repeatableOption,
  textParser,
} from '../command-line/options.ts';
import { countWithNoun } from '../command-line/text.ts';
import { findServerIdOrKeep } from './find-server.ts';

const server = { name: 'server', about: 'the name or the id of a server' };
const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };

const { fields: fieldsSchema, patterns: patternsSchema } = redactionRules.shape;

const fields = repeatableOption(
  'redact-field',
  'FIELD',
  'a property whose values are never kept: its name, or a path such as "$.customers[*].email"',
  textParser(fieldsSchema.unwrap().element),
);
const patterns = repeatableOption(
  'redact-pattern',
  'PATTERN',
  `a regular expression for texts that are never kept, or one of: ${patternNames.join(', ')}`,
  textParser(patternsSchema.unwrap().element),
);
const isPrivate = flagOption('private', 'nothing that agents do on it is ever public; boards show figures alone');

/** The options by which a server is registered with what is kept out of its results. */
export const privacyOptions = { fields, patterns, isPrivate } as const;

export const readRedactionOptions = (given: Given): RedactionRules => ({
  fields: [...given.value(fields)],
  patterns: [...given.value(patterns)],
});

const redactServer: Command = {
  verb: 'servers redact',
  about: "Say what is never kept of a server's results and arguments, in place of what was said before",
  more: 'Without options everything is kept again. Runs under way keep to what held when they were created, and what is stored stays as it is.',
  operands: [server],
  options: [fields, patterns],
  async run(given, { client, output }) {
    const id = await findServerIdOrKeep(client, given.requireWord(server));
    const changed = await client.servers.relist(id, { redact: readRedactionOptions(given) });
    output.writeValue(changed, () => [`${changed.name}: ${redactionText(changed.redact)}`]);
  },
};

/** Says in a few words what is kept out. */
export const redactionText = ({ fields: named, patterns: searched }: RedactionRules): string =>
  named.length + searched.length === 0
    ? 'everything is kept'
    : `redacts ${countWithNoun(named.length, 'field')} and ${countWithNoun(searched.length, 'pattern')}`;

const makePrivacyCommand = (verb: string, about: string, value: boolean): Command => ({
  verb,
  about,
  operands: [server],
  options: [],
  async run(given, { client, output }) {
    const id = await findServerIdOrKeep(client, given.requireWord(server));
    const changed = await client.servers.relist(id, { private: value });
    output.writeValue(changed, () => [`${changed.name} is ${changed.private ? 'private' : 'public'}`]);
  },
});

const request = optionalOption(
  'request',
  'NAME',
  'only the attempt at this request of each case',
  textParser(requestName),
);
const wantedCase = optionalOption('case', 'CASE', 'only this case', parseNonEmptyText);

const deleteTexts: Command = {
  verb: 'texts delete',
  about: 'Delete arguments, results, answers and reasons of the attempts of an evaluation, and keep their figures',
  more: 'It cannot be undone. The evaluation can then neither be judged again nor submitted.',
  operands: [evaluation],
  options: [wantedCase, request],
  async run(given, { client, output }) {
    const id = given.requireWord(evaluation);
    const [sole, side] = [given.value(wantedCase), given.value(request)];
    let attempts = 0;
    const cases = sole === undefined ? client.evaluations.cases(id) : [{ id: sole }];
    for await (const each of cases)
      attempts += (await client.evaluations.deleteTexts(id, each.id, side)).attempts.length;
    output.writeValue({ evaluation: id, attempts }, () => [
      `the texts of ${countWithNoun(attempts, 'attempt')} are deleted`,
    ]);
  },
};

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
