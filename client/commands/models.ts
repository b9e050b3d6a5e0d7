import { modelLoop, defaultLoop } from '#core/benchmarks/protocols/loops.ts';
import { modelChoice } from '#core/models/choices.ts';
import { modelCheckText, roleNames, type ModelCheck } from '#core/models/preflight.ts';
import type { Command, Given } from '../command-line/command.ts';
import { modelKeyOptions, readModelKeyIfGiven } from '../command-line/model-key.ts';
import { makeMountingOption } from '../command-line/mounting-option.ts';
import {
  makeOneOfParser,
  optionalOption,
  parseNonEmptyText,
  repeatableOption,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { tableLines, type Column } from '../command-line/table-lines.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import type { ModelsToCheck } from '../resources/models.ts';

const options = {
  role: repeatableOption(
    'role',
    'ROLE',
    `a role to check, of ${roleNames.options.join(', ')}; all of them where none is named`,
    makeOneOfParser(roleNames.options),
  ),
  baseUrl: optionalOption(
    'base-url',
    'URL',
    "the endpoint to check in place of the deployment's",
    makeSchemaTextParser(modelChoice.shape.baseUrl),
  ),
  model: optionalOption('model', 'MODEL', 'the model at --base-url', makeSchemaTextParser(modelChoice.shape.model)),
  ...modelKeyOptions,
  loop: optionalOption(
    'loop',
    'LOOP',
    `how the agent works: ${modelLoop.options.join(', ')} (${defaultLoop} without it)`,
    makeOneOfParser(modelLoop.options),
  ),
  catalog: optionalOption(
    'catalog',
    'ID',
    'the catalog whose tools the agent is offered; without it one tool of an example',
    parseNonEmptyText,
  ),
  mounting: makeMountingOption('the agent'),
};

const columns: readonly Column<ModelCheck>[] = [
  { title: 'role', cell: ({ roles }) => roles.join(', ') },
  { title: 'model', cell: ({ model }) => model, flexible: true },
  { title: 'endpoint', cell: ({ host }) => host, flexible: true },
  { title: 'wire', cell: ({ wire }) => wire },
  { title: 'form', cell: ({ structuredOutput }) => structuredOutput ?? '-' },
  { title: 'tools', cell: ({ functions }) => (functions === null ? '-' : functions.called ? 'yes' : 'no') },
  { title: 'adapted', cell: ({ adaptations }) => adaptations.join(', ') || '-', flexible: true },
  { title: 'listed', cell: ({ listed }) => (listed === null ? '?' : yesOrNoText(listed)) },
  { title: 'price', cell: ({ priced }) => yesOrNoText(priced) },
  { title: 'tokens', cell: ({ usage }) => usage.promptTokens + usage.completionTokens },
  { title: 'verdict', cell: ({ verdict }) => verdict },
];

const yesOrNoText = (value: boolean): string => (value ? 'yes' : 'no');

async function readModelCheckOptions(given: Given): Promise<ModelsToCheck> {
  const roles = given.parseOptionValue(options.role);
  const [baseUrl, model, apiKey] = [
    given.parseOptionValue(options.baseUrl),
    given.parseOptionValue(options.model),
    await readModelKeyIfGiven(given),
  ];
  if ((baseUrl === undefined) !== (model === undefined)) throw new UsageError('give --base-url and --model together');
  if (baseUrl === undefined && apiKey !== undefined)
    throw new UsageError('a key belongs to an endpoint: give --base-url too');
  const own =
    baseUrl === undefined || model === undefined
      ? null
      : { baseUrl, model, ...(apiKey === undefined ? {} : { apiKey }) };
  const chosen = roles.length > 0 ? roles : roleNames.options;
  return {
    roles: chosen,
    ...(own === null ? {} : { models: Object.fromEntries(chosen.map((role) => [role, own])) }),
    loop: given.parseOptionValue(options.loop),
    catalog: given.parseOptionValue(options.catalog),
    mounting: given.parseOptionValue(options.mounting),
  };
}

const checkModels: Command = {
  verb: 'models check',
  about: 'Ask models one test question each, as the creation of a run does',
  more: [
    'It costs tokens. "form" is what the endpoint takes to enforce the form of an answer, "tools" whether the model called one.',
    'With --json: one object with "works" and "models". Exit code 1 if a model cannot do what its role needs.',
  ].join('\n'),
  operands: [],
  options: Object.values(options),
  async run(given, { client, output }) {
    const { works, models } = await client.models.check(await readModelCheckOptions(given));
    const remarkable = models.filter(({ detail }) => detail !== null);
    output.writeAsJsonOrLines({ works, models }, () => [
      ...tableLines(columns, models, output.lineWidth),
      ...remarkable.map(modelCheckText),
    ]);
    if (!works) throw new CommandError('a model cannot do what its role needs');
  },
};

/** Verbs on models. */
export const modelCommands: readonly Command[] = [checkModels];
