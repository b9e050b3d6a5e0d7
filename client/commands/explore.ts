import { budget, explorationConfig, stopRule, strategyName } from '#core/exploration/config.ts';
import { explorationMounting } from '#core/mounting/mounting.ts';
import type { Command, Given } from '../command-line/command.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import {
  flagOption,
  numberParser,
  oneOfParser,
  optionalOption,
  requiredOption,
  parseNonEmptyText,
  textParser,
} from '../command-line/options.ts';
import { makeMountingOption } from '../command-line/mounting-option.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { NewExploration } from '../resources/explorations.ts';
import { dryRun, printCostEstimate } from './dry-run.ts';
import { budgetOptions, readBudgetOptions } from './budget-options.ts';
import { secondsOption } from './seconds-option.ts';
import { watchExplorationOrThrow } from './watch.ts';

const {
  strategy,
  seed,
  batch,
  bound,
  passScore,
  acceptScore,
  maxRefinements,
  name: nameSchema,
  review,
  reviewTimeoutMs,
  knowledge,
} = explorationConfig.shape;

const reviews = review.unwrap().options;
const stops = stopRule.shape.rule.unwrap().options;

const options = {
  catalog: requiredOption('catalog', 'ID', 'the catalog whose tools are explored', parseNonEmptyText),
  name: optionalOption('name', 'NAME', 'what to call the run', textParser(nameSchema)),
  strategy: optionalOption(
    'strategy',
    'NAME',
    describeWithDefault(`how tools are drawn: ${strategyName.options.join(', ')}`, strategy),
    oneOfParser(strategyName.options),
  ),
  seed: optionalOption(
    'seed',
    'N',
    describeWithDefault('the same seed, catalog and model answers give the same units', seed),
    numberParser(seed),
  ),
  rounds: optionalOption(
    'rounds',
    'N',
    describeWithDefault('end after so many rounds', budget.shape.rounds),
    numberParser(budget.shape.rounds),
  ),
  batch: optionalOption(
    'batch',
    'N',
    describeWithDefault('units in a round; one probe comes on top', batch),
    numberParser(batch),
  ),
  ...budgetOptions,
  stop: optionalOption(
    'stop',
    'RULE',
    describeWithDefault(`a rule that ends the run by itself: ${stops.join(', ')}`, stopRule.shape.rule),
    oneOfParser(stops),
  ),
  target: optionalOption(
    'target',
    'SHARE',
    describeWithDefault(
      'for the rule "probe": what the bound of probeCoverage has to reach; for "bound": the share of the bound',
      stopRule.shape.target,
    ),
    numberParser(stopRule.shape.target),
  ),
  bound: optionalOption(
    'bound',
    'N',
    'a fixed number that counts as all transitions: where Chao1 converged in a pilot',
    numberParser(bound),
  ),
  review: optionalOption(
    'review',
    'POLICY',
    describeWithDefault(`what becomes of units of the middle tier: ${reviews.join(', ')}`, review),
    oneOfParser(reviews),
  ),
  reviewTimeout: secondsOption(
    'review-timeout',
    `with --review wait: how long a round waits for a decision (${reviewTimeoutMs.parse(undefined) / 1000} without it)`,
    reviewTimeoutMs,
  ),
  knowledge: optionalOption(
    'knowledge',
    'INDEX',
    'the knowledge index that units are grounded in, such as kn_...',
    parseNonEmptyText,
  ),
  namespace: optionalOption(
    'namespace',
    'NAME',
    describeWithDefault('the part of the index', knowledge.unwrap().shape.namespace),
    textParser(knowledge.unwrap().shape.namespace.unwrap()),
  ),
  passScore: optionalOption(
    'pass-score',
    'N',
    describeWithDefault('audit score from which a unit is usable', passScore),
    numberParser(passScore),
  ),
  acceptScore: optionalOption(
    'accept-score',
    'N',
    describeWithDefault('audit score from which nobody needs to look at it', acceptScore),
    numberParser(acceptScore),
  ),
  maxRefinements: optionalOption(
    'max-refinements',
    'N',
    describeWithDefault('how often a unit may be mended', maxRefinements),
    numberParser(maxRefinements),
  ),
  mounting: makeMountingOption('the base agent', explorationMounting),
};
const detach = flagOption('detach', 'start the run and do not wait for it');

function readExplorationOptions(given: Given): NewExploration {
  return {
    catalog: given.value(options.catalog),
    name: given.value(options.name),
    strategy: given.value(options.strategy),
    seed: given.value(options.seed),
    batch: given.value(options.batch),
    budget: {
      rounds: given.value(options.rounds),
      ...readBudgetOptions(given),
    },
    bound: given.value(options.bound),
    stop: { rule: given.value(options.stop), target: given.value(options.target) },
    review: given.value(options.review),
    reviewTimeoutMs: given.value(options.reviewTimeout),
    knowledge: readKnowledgeOptions(given),
    passScore: given.value(options.passScore),
    acceptScore: given.value(options.acceptScore),
    maxRefinements: given.value(options.maxRefinements),
    mounting: given.value(options.mounting),
  };
}

function readKnowledgeOptions(given: Given): NewExploration['knowledge'] {
  const index = given.value(options.knowledge);
  const namespace = given.value(options.namespace);
  if (index === undefined && namespace !== undefined)
    throw new UsageError('--namespace is a part of --knowledge: give both');
  return index === undefined ? undefined : { index, namespace };
}

const explore: Command = {
  verb: 'explore',
  about: 'Start an exploration and show how it goes on',
  more: [
    'Ctrl-C ends the watching, not the run: "watch" takes it up again, "cancel" ends it.',
    'With --json: the run as it begins, each of its events, the run as it ended; with --detach only the first, with --dry-run the estimate.',
    'Exit code 0 only where the run completed.',
  ].join('\n'),
  operands: [],
  options: [...Object.values(options), detach, dryRun],
  async run(given, context) {
    const config = readExplorationOptions(given);
    if (given.value(dryRun)) return printCostEstimate(await context.client.explorations.estimate(config), context);
    const run = await context.client.explorations.create(config);
    context.output.writeValue(run, () => [run.id]);
    for (const warning of run.preflight.warnings) context.output.writeNote(`warning: ${warning}`);
    if (!given.value(detach)) await watchExplorationOrThrow(run, context);
  },
};

/** The verb that starts an exploration. */
export const exploreCommands: readonly Command[] = [explore];
