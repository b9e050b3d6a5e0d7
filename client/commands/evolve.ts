import { evolutionBudget, evolutionConfig } from '#core/exploration/evolution/config.ts';
import { evolutionId } from '#core/exploration/evolution/record.ts';
import type { Command, Given } from '../command-line/command.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import { flagOption, makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';
import type { NewEvolution } from '../resources/evolutions.ts';
import { budgetOptions, readBudgetOptions } from './budget-options.ts';
import { dryRun, printCostEstimate } from './dry-run.ts';
import { watchEvolutionOrThrow } from './watch.ts';

const exploration = { name: 'exploration', about: 'the id of an exploration that is over, such as exp_...' };
const { targetUnits, batch, minYield, seed } = evolutionConfig.shape;

const options = {
  target: optionalOption(
    'target',
    'UNITS',
    'accepted units to have in the end, variants among them (half as many again without it)',
    makeSchemaNumberParser(targetUnits),
  ),
  batch: optionalOption(
    'batch',
    'N',
    describeWithDefault('variants written at once', batch),
    makeSchemaNumberParser(batch),
  ),
  minYield: optionalOption(
    'min-yield',
    'SHARE',
    describeWithDefault('end where fewer variants of the last two batches are accepted; 0 never does', minYield),
    makeSchemaNumberParser(minYield),
  ),
  batches: optionalOption(
    'batches',
    'N',
    describeWithDefault('end after so many batches', evolutionBudget.shape.batches),
    makeSchemaNumberParser(evolutionBudget.shape.batches),
  ),
  ...budgetOptions,
  seed: optionalOption(
    'seed',
    'N',
    describeWithDefault('decides which units variants are written from', seed),
    makeSchemaNumberParser(seed),
  ),
};
const detach = flagOption('detach', 'start the evolution and do not wait for it');

const readEvolutionOptions = (given: Given): NewEvolution => ({
  targetUnits: given.parseOptionValue(options.target),
  batch: given.parseOptionValue(options.batch),
  minYield: given.parseOptionValue(options.minYield),
  budget: {
    batches: given.parseOptionValue(options.batches),
    ...readBudgetOptions(given),
  },
  seed: given.parseOptionValue(options.seed),
});

const evolve: Command = {
  verb: 'evolve',
  about: 'Grow the units of an exploration by variants of them, and show how it goes on',
  more: [
    'Near-duplicates among the accepted units are left out first, and no variant may be one.',
    'Ctrl-C ends the watching, not the evolution: "watch" takes it up again, "cancel" ends it.',
    'With --json: the evolution as it begins, each of its events, the evolution as it ended; with --detach only the first.',
    'Exit code 0 only where the evolution completed.',
  ].join('\n'),
  operands: [exploration],
  options: [...Object.values(options), detach, dryRun],
  async run(given, context) {
    const [id, config] = [given.firstOperandWordOrThrow(exploration), readEvolutionOptions(given)];
    if (given.parseOptionValue(dryRun))
      return printCostEstimate(await context.client.evolutions.estimate(id, config), context);
    const evolution = await context.client.evolutions.create(id, config);
    context.output.writeAsJsonOrLines(evolution, () => [evolutionId(evolution.exploration, evolution.number)]);
    if (!given.parseOptionValue(detach)) await watchEvolutionOrThrow(evolution, context);
  },
};

/** The verb that starts an evolution. */
export const evolveCommands: readonly Command[] = [evolve];
