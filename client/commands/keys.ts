import { scope } from '#core/access/access.ts';
import type { Command } from '../command-line/command.ts';
import { makeOneOfParser, optionalOption, parseNonEmptyText, repeatableOption } from '../command-line/options.ts';

const name = { name: 'name', about: 'what to call the key' };
const key = { name: 'key', about: 'the id of a key' };
const scopes = repeatableOption(
  'scope',
  'SCOPE',
  `what it may do: ${scope.options.join(', ')}; read without any`,
  makeOneOfParser(scope.options),
);
const workspace = optionalOption(
  'workspace',
  'ID',
  'another workspace, for which only the root key makes keys',
  parseNonEmptyText,
);

const create: Command = {
  verb: 'keys create',
  about: 'Make a key; its secret is shown once',
  operands: [name],
  options: [scopes, workspace],
  async run(given, { client, output }) {
    const wanted = given.parseOptionValue(scopes);
    const made = await client.keys.create(
      given.firstOperandWordOrThrow(name),
      wanted.length === 0 ? ['read'] : wanted,
      given.parseOptionValue(workspace),
    );
    output.writeAsJsonOrLines(made, () => [`${made.id}: ${made.scopes.join(', ')}`, made.secret]);
  },
};

const list: Command = {
  verb: 'keys list',
  about: 'List the keys of the workspace, without their secrets',
  operands: [],
  options: [],
  run: (_, { client, output }) =>
    output.writeRowsAsJsonOrTable(
      client.keys.list(),
      [
        { title: 'id', cell: ({ id }) => id },
        { title: 'name', cell: (each) => each.name, flexible: true },
        { title: 'scopes', cell: (each) => each.scopes.join(', ') },
        { title: 'created', cell: ({ createdAt }) => createdAt },
      ],
      'there are no keys beside the root key; make one with: keys create <name>',
    ),
};

const remove: Command = {
  verb: 'keys remove',
  about: 'Remove a key, which works no longer then',
  operands: [key],
  options: [],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(key);
    await client.keys.remove(id);
    output.writeAsJsonOrLines({ removed: id }, () => [`${id} is removed`]);
  },
};

/** Verbs on keys. */
export const keyCommands: readonly Command[] = [create, list, remove];
