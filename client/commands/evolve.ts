import { evolutionBudget, evolutionConfig } from '#core/evolution/config.ts';
import { evolutionId } from '#core/evolution/record.ts';
import type { Command, Given } from '../command-line/command.ts';
import { withDefault } from '../command-line/defaults.ts';
import { flag, numberOf, option } from '../command-line/options.ts';
import type { NewEvolution } from '../resources/evolutions.ts';
import { secondsOption } from './seconds-option.ts';
import { watchEvolution } from './watch.ts';

const exploration = { name: 'exploration', about: 'the id of an exploration that is over, such as exp_...' };
const { targetUnits, batch, minYield, seed } = evolutionConfig.shape;

const options = {
  target: option(
    'target',
    'UNITS',
    'accepted units to have in the end, variants among them (half as many again without it)',
    numberOf(targetUnits),
  ),
  batch: option('batch', 'N', withDefault('variants written at once', batch), numberOf(batch)),
  minYield: option(
    'min-yield',
    'SHARE',
    withDefault('end where fewer variants of the last two batches are accepted; 0 never does', minYield),
    numberOf(minYield),
  ),
  batches: option(
    'batches',
    'N',
    withDefault('end after so many batches', evolutionBudget.shape.batches),
    numberOf(evolutionBudget.shape.batches),
  ),
  tokens: option('tokens', 'N', 'end once so many tokens are used', numberOf(evolutionBudget.shape.tokens)),
  cost: option('cost', 'USD', 'end once so much is spent', numberOf(evolutionBudget.shape.costUsd)),
  seconds: secondsOption('seconds', 'end after so many seconds', evolutionBudget.shape.wallMs),
  seed: option('seed', 'N', withDefault('decides which units variants are written from', seed), numberOf(seed)),
};
const detach = flag('detach', 'start the evolution and do not wait for it');

const configOf = (given: Given): NewEvolution => ({
  targetUnits: given.value(options.target),
  batch: given.value(options.batch),
  minYield: given.value(options.minYield),
  budget: {
    batches: given.value(options.batches),
    tokens: given.value(options.tokens),
    costUsd: given.value(options.cost),
    wallMs: given.value(options.seconds),
  },
  seed: given.value(options.seed),
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
  options: [...Object.values(options), detach],
  async run(given, context) {
    const evolution = await context.client.evolutions.create(given.word(exploration), configOf(given));
    context.output.value(evolution, () => [evolutionId(evolution.exploration, evolution.number)]);
    if (!given.value(detach)) await watchEvolution(evolution, context);
  },
};

/** The verb that starts an evolution. */
export const evolveCommands: readonly Command[] = [evolve];
