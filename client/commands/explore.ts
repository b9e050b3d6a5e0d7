import { budget, explorationConfig, stopRule, strategyName } from '#core/exploration/config.ts';
import type { Command, Given } from '../command-line/command.ts';
import { withDefault } from '../command-line/defaults.ts';
import { flag, numberOf, oneOf, option, required, text, textOf } from '../command-line/options.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { NewExploration } from '../resources/explorations.ts';
import { secondsOption } from './seconds-option.ts';
import { watchRun } from './watch.ts';

const {
  strategy,
  seed,
  batch,
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
  catalog: required('catalog', 'ID', 'the catalog whose tools are explored', text),
  name: option('name', 'NAME', 'what to call the run', textOf(nameSchema)),
  strategy: option(
    'strategy',
    'NAME',
    withDefault(`how tools are drawn: ${strategyName.options.join(', ')}`, strategy),
    oneOf(strategyName.options),
  ),
  seed: option(
    'seed',
    'N',
    withDefault('the same seed, catalog and model answers give the same units', seed),
    numberOf(seed),
  ),
  rounds: option(
    'rounds',
    'N',
    withDefault('end after so many rounds', budget.shape.rounds),
    numberOf(budget.shape.rounds),
  ),
  batch: option('batch', 'N', withDefault('units in a round; one probe comes on top', batch), numberOf(batch)),
  tokens: option('tokens', 'N', 'end once so many tokens are used', numberOf(budget.shape.tokens)),
  cost: option('cost', 'USD', 'end once so much is spent', numberOf(budget.shape.costUsd)),
  seconds: secondsOption('seconds', 'end after so many seconds', budget.shape.wallMs),
  stop: option(
    'stop',
    'RULE',
    withDefault(`a rule that ends the run by itself: ${stops.join(', ')}`, stopRule.shape.rule),
    oneOf(stops),
  ),
  target: option(
    'target',
    'SHARE',
    withDefault('for the rule "probe": the bound that probeCoverage has to reach', stopRule.shape.target),
    numberOf(stopRule.shape.target),
  ),
  review: option(
    'review',
    'POLICY',
    withDefault(`what becomes of units of the middle tier: ${reviews.join(', ')}`, review),
    oneOf(reviews),
  ),
  reviewTimeout: secondsOption(
    'review-timeout',
    `with --review wait: how long a round waits for a decision (${reviewTimeoutMs.parse(undefined) / 1000} without it)`,
    reviewTimeoutMs,
  ),
  knowledge: option('knowledge', 'INDEX', 'the knowledge index that units are grounded in, such as kn_...', text),
  namespace: option(
    'namespace',
    'NAME',
    withDefault('the part of the index', knowledge.unwrap().shape.namespace),
    textOf(knowledge.unwrap().shape.namespace.unwrap()),
  ),
  passScore: option(
    'pass-score',
    'N',
    withDefault('audit score from which a unit is usable', passScore),
    numberOf(passScore),
  ),
  acceptScore: option(
    'accept-score',
    'N',
    withDefault('audit score from which nobody needs to look at it', acceptScore),
    numberOf(acceptScore),
  ),
  maxRefinements: option(
    'max-refinements',
    'N',
    withDefault('how often a unit may be mended', maxRefinements),
    numberOf(maxRefinements),
  ),
};
const detach = flag('detach', 'start the run and do not wait for it');

function configOf(given: Given): NewExploration {
  return {
    catalog: given.value(options.catalog),
    name: given.value(options.name),
    strategy: given.value(options.strategy),
    seed: given.value(options.seed),
    batch: given.value(options.batch),
    budget: {
      rounds: given.value(options.rounds),
      tokens: given.value(options.tokens),
      costUsd: given.value(options.cost),
      wallMs: given.value(options.seconds),
    },
    stop: { rule: given.value(options.stop), target: given.value(options.target) },
    review: given.value(options.review),
    reviewTimeoutMs: given.value(options.reviewTimeout),
    knowledge: knowledgeOf(given),
    passScore: given.value(options.passScore),
    acceptScore: given.value(options.acceptScore),
    maxRefinements: given.value(options.maxRefinements),
  };
}

function knowledgeOf(given: Given): NewExploration['knowledge'] {
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
    'With --json: the run as it begins, each of its events, the run as it ended; with --detach only the first.',
    'Exit code 0 only where the run completed.',
  ].join('\n'),
  operands: [],
  options: [...Object.values(options), detach],
  async run(given, context) {
    const run = await context.client.explorations.create(configOf(given));
    context.output.value(run, () => [run.id]);
    if (!given.value(detach)) await watchRun(run, context);
  },
};

/** The verb that starts an exploration. */
export const exploreCommands: readonly Command[] = [explore];
