import { noteNextStep } from '../command-line/next-step.ts';
import { measured } from '#core/exploration/estimates/measured-costs.ts';
import { budget, explorationConfig, stopRule, strategyName, type StrategyName } from '#core/exploration/config.ts';
import { explorationMounting } from '#core/units/mounting/mounting.ts';
import { userPolicy } from '#core/models/simulated-user/asked-question.ts';
import type { Command, Given } from '../command-line/command.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import {
  flagOption,
  makeSchemaNumberParser,
  makeOneOfParser,
  optionalOption,
  requiredOption,
  parseNonEmptyText,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { makeMountingOption } from '../command-line/mounting-option.ts';
import { wholeNumberText } from '../command-line/text.ts';
import { UsageError } from '../../engine/usage-error.ts';
import type { NewExploration } from '../resources/explorations.ts';
import { dryRun, printCostEstimate } from './dry-run.ts';
import { budgetOptions, readBudgetOptions } from './budget-options.ts';
import { keepTextsOption } from './keep-texts-option.ts';
import { secondsOptionReadAsMs } from './seconds-option.ts';
import { watchExplorationOrThrow } from './watch.ts';

const {
  strategy,
  seed,
  batch,
  siblingUnits,
  negativeUnits,
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
  name: optionalOption('name', 'NAME', 'what to call the run', makeSchemaTextParser(nameSchema)),
  strategy: optionalOption(
    'strategy',
    'NAME',
    describeWithDefault(`how tools are drawn: ${strategyName.options.join(', ')}`, strategy),
    makeOneOfParser(strategyName.options),
  ),
  seed: optionalOption(
    'seed',
    'N',
    describeWithDefault('the same seed, catalog and model answers give the same units', seed),
    makeSchemaNumberParser(seed),
  ),
  rounds: optionalOption(
    'rounds',
    'N',
    describeWithDefault('end after so many rounds', budget.shape.rounds),
    makeSchemaNumberParser(budget.shape.rounds),
  ),
  batch: optionalOption(
    'batch',
    'N',
    describeWithDefault('units in a round; one probe comes on top', batch),
    makeSchemaNumberParser(batch),
  ),
  siblingUnits: optionalOption(
    'sibling-units',
    'N',
    describeWithDefault('how many of them are for one tool that is easily taken for another one', siblingUnits),
    makeSchemaNumberParser(siblingUnits),
  ),
  negativeUnits: optionalOption(
    'negative-units',
    'N',
    describeWithDefault('how many of them are for no tool, though they look like it', negativeUnits),
    makeSchemaNumberParser(negativeUnits),
  ),
  ...budgetOptions,
  stop: optionalOption(
    'stop',
    'RULE',
    describeWithDefault(
      `a rule that ends the run by itself: ${stops.join(', ')}; chao1 holds under gve, sgve and sgvef alone`,
      stopRule.shape.rule,
    ),
    makeOneOfParser(stops),
  ),
  target: optionalOption(
    'target',
    'SHARE',
    describeWithDefault(
      'for the rule "probe": what the bound of probeCoverage has to reach; for "bound": the share of the bound',
      stopRule.shape.target,
    ),
    makeSchemaNumberParser(stopRule.shape.target),
  ),
  bound: optionalOption(
    'bound',
    'N',
    'a fixed number that counts as all transitions, such as the plateau of a pilot under sgvef; at most what the tools can make',
    makeSchemaNumberParser(bound),
  ),
  review: optionalOption(
    'review',
    'POLICY',
    describeWithDefault(`what becomes of units of the middle tier: ${reviews.join(', ')}`, review),
    makeOneOfParser(reviews),
  ),
  reviewTimeout: secondsOptionReadAsMs(
    'review-timeout',
    `with --review wait: how long a round waits for a decision (${reviewTimeoutMs.parse(undefined) / 1000} without it)`,
    reviewTimeoutMs,
  ),
  keepTexts: keepTextsOption,
  knowledge: optionalOption(
    'knowledge',
    'INDEX',
    'the knowledge index that units are grounded in, such as kn_...: see "knowledge create"',
    parseNonEmptyText,
  ),
  namespace: optionalOption(
    'namespace',
    'NAME',
    describeWithDefault('the part of the index', knowledge.unwrap().shape.namespace),
    makeSchemaTextParser(knowledge.unwrap().shape.namespace.unwrap()),
  ),
  passScore: optionalOption(
    'pass-score',
    'N',
    describeWithDefault('audit score from which a unit is usable', passScore),
    makeSchemaNumberParser(passScore),
  ),
  acceptScore: optionalOption(
    'accept-score',
    'N',
    describeWithDefault('audit score from which nobody needs to look at it', acceptScore),
    makeSchemaNumberParser(acceptScore),
  ),
  maxRefinements: optionalOption(
    'max-refinements',
    'N',
    describeWithDefault('how often a unit may be mended', maxRefinements),
    makeSchemaNumberParser(maxRefinements),
  ),
  mounting: makeMountingOption('the base agent', explorationMounting),
  user: optionalOption(
    'user',
    'POLICY',
    `what a server gets that asks its user in a call: ${userPolicy.options.join(', ')} (from the request, by the critic's model); decline without it`,
    makeOneOfParser(userPolicy.options),
  ),
};
const strategyTexts: Readonly<Record<StrategyName, string>> = {
  frontier: 'the sets of tools from which most new transitions are expected; needs the fewest units',
  sgvef: 'the loop of the SGVEF-Loop paper: tools with few calls, then random servers; the writer hears what is known',
  sgve: 'random servers and tools, without feedback: an ablation',
  gve: 'nothing is drawn, the writer sees the whole catalog: an ablation',
  'inverse-frequency': 'tools with few calls: the first half of sgvef',
  hierarchical: 'random servers, then tools of them: the second half of sgvef',
  chain: 'chains along known transitions and fitting schemas, for tasks of MCP-Bench',
};
const strategyLines: readonly string[] = [
  'How --strategy draws tools:',
  ...strategyName.options.map((name) => `  ${name}: ${strategyTexts[name]}`),
];
const tokensOfUnit = Object.values(measured.unit).reduce(
  (sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens,
  0,
);
const costSentence = `A round of 10 units and a probe took about ${wholeNumberText((11 * tokensOfUnit) / 1_000)} thousand tokens on the servers of the demo; --dry-run estimates yours, in tokens and dollars.`;
const detach = flagOption('detach', 'start the run and do not wait for it');

function readExplorationOptions(given: Given): NewExploration {
  return {
    catalog: given.parseOptionValue(options.catalog),
    name: given.parseOptionValue(options.name),
    strategy: given.parseOptionValue(options.strategy),
    seed: given.parseOptionValue(options.seed),
    batch: given.parseOptionValue(options.batch),
    siblingUnits: given.parseOptionValue(options.siblingUnits),
    negativeUnits: given.parseOptionValue(options.negativeUnits),
    budget: {
      rounds: given.parseOptionValue(options.rounds),
      ...readBudgetOptions(given),
    },
    bound: given.parseOptionValue(options.bound),
    stop: { rule: given.parseOptionValue(options.stop), target: given.parseOptionValue(options.target) },
    user: given.parseOptionValue(options.user),
    review: given.parseOptionValue(options.review),
    reviewTimeoutMs: given.parseOptionValue(options.reviewTimeout),
    keepTextsDays: given.parseOptionValue(options.keepTexts),
    knowledge: readKnowledgeOptions(given),
    passScore: given.parseOptionValue(options.passScore),
    acceptScore: given.parseOptionValue(options.acceptScore),
    maxRefinements: given.parseOptionValue(options.maxRefinements),
    mounting: given.parseOptionValue(options.mounting),
  };
}

function readKnowledgeOptions(given: Given): NewExploration['knowledge'] {
  const index = given.parseOptionValue(options.knowledge);
  const namespace = given.parseOptionValue(options.namespace);
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
    '',
    ...strategyLines,
    '',
    costSentence,
  ].join('\n'),
  operands: [],
  options: [...Object.values(options), detach, dryRun],
  async run(given, context) {
    const config = readExplorationOptions(given);
    if (given.parseOptionValue(dryRun))
      return printCostEstimate(await context.client.explorations.estimate(config), context);
    const run = await context.client.explorations.create(config);
    context.output.writeAsJsonOrLines(run, () => [run.id]);
    for (const warning of run.preflight.warnings) context.output.writeNote(`warning: ${warning}`);
    if (given.parseOptionValue(detach)) noteNextStep(context.output, `watch ${run.id}`);
    else await watchExplorationOrThrow(run, context);
  },
};

/** The verb that starts an exploration. */
export const exploreCommands: readonly Command[] = [explore];
