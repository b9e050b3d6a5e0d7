import { agentName, externalLimits, modelName } from '#core/evaluation/config.ts';
import { doesLoopSearch, modelLoop, modelsOfLoop, type ModelLoop } from '#core/benchmarks/protocols/loops.ts';
import { agentLimits } from '#core/models/limits.ts';
import { retrievalChoice } from '#core/models/retrieval.ts';
import type { Mounting } from '#core/units/mounting/mounting.ts';
import { describeWithDefault } from '../command-line/about-with-default.ts';
import type { Given } from '../command-line/command.ts';
import { endpointOptions, readEndpoint } from '../command-line/endpoint-options.ts';
import { parseMounting } from '../command-line/mounting-option.ts';
import {
  makeSchemaNumberParser,
  optionalOption,
  parseNonEmptyText,
  repeatableOption,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';
import { cliOptions, makeCliAgentChoice, type CliAgent } from './cli-agents.ts';
import { secondsOptionReadAsMs } from './seconds-option.ts';

interface ModelAgentOption {
  readonly name: string;
  readonly model: string;
  readonly loop?: ModelLoop;
}

/** --agent for the protocol's loop, and an option named after each loop. */
const modelAgents = [
  repeatableOption(
    'agent',
    'NAME=MODEL',
    "an agent: what to call it, and its model at the endpoint; it has the protocol's loop",
    (given): ModelAgentOption => parseModelAgent(given),
  ),
  ...modelLoop.options.map((loop) =>
    repeatableOption(
      `${loop}-agent`,
      'NAME=MODEL',
      `an agent with this loop, for ${modelsOfLoop[loop]}`,
      (given): ModelAgentOption => ({ ...parseModelAgent(given), loop }),
    ),
  ),
];

const limitShape = agentLimits.shape;
/** The limits of an attempt that a line can state, of all agents or of one. */
type StatedLimits = { readonly [Key in 'turns' | 'callsPerTurn' | 'timeMs' | 'temperature']?: number | undefined };

const limitOptions = {
  turns: optionalOption(
    'turns',
    'N',
    describeWithDefault("a model's turns in an attempt", limitShape.turns),
    makeSchemaNumberParser(limitShape.turns),
  ),
  calls: optionalOption(
    'calls-per-turn',
    'N',
    describeWithDefault('calls of a turn that are carried out', limitShape.callsPerTurn),
    makeSchemaNumberParser(limitShape.callsPerTurn),
  ),
  seconds: secondsOptionReadAsMs(
    'attempt-seconds',
    'how long an attempt may take, of your own agents too',
    externalLimits.shape.timeMs,
  ),
  temperature: optionalOption(
    'temperature',
    'T',
    "what models sample with; the endpoint's default without it",
    makeSchemaNumberParser(limitShape.temperature),
  ),
};

const parseSeconds = makeSchemaNumberParser(limitShape.timeMs);
/** How one limit of one agent is written. */
const limitParsers: Readonly<Record<string, (text: string) => StatedLimits>> = {
  turns: (text) => ({ turns: limitOptions.turns.parse([text]) }),
  calls: (text) => ({ callsPerTurn: limitOptions.calls.parse([text]) }),
  seconds: (text) => ({ timeMs: parseSeconds(String(1000 * Number(text))) }),
  temperature: (text) => ({ temperature: limitOptions.temperature.parse([text]) }),
};

/** Parses the limits of one agent from `NAME=turns:5,temperature:0`. */
function parseAgentLimits(given: string): { name: string; limits: StatedLimits } {
  const [, name = '', limits = ''] = /^([^=]*)=(.*)$/.exec(given) ?? [];
  const parts = limits.split(',').map((part) => {
    const [, key = '', value = ''] = /^([^:]*):(.*)$/.exec(part) ?? [];
    const parse = limitParsers[key];
    if (name === '' || parse === undefined || value.trim() === '')
      throw new UsageError(
        `give the name of an agent, "=" and limits among ${Object.keys(limitParsers).join(', ')}, such as "careful=turns:5,temperature:0"`,
      );
    return parse(value);
  });
  return { name, limits: Object.assign({}, ...parts) };
}

const options = {
  externalAgent: repeatableOption(
    'external-agent',
    'NAME',
    'an agent of your own: it claims attempts, such as with "attempts run"',
    (given) => ({ name: makeSchemaTextParser(agentName)(given), loop: 'external' as const }),
  ),
  mounting: repeatableOption(
    'agent-mounting',
    'NAME=MOUNTING',
    'the mounting of one of the agents, where it differs; to see what it costs, give a model to two agents',
    parseAgentMounting,
  ),
  limits: repeatableOption(
    'agent-limits',
    'NAME=LIMITS',
    'the limits of one of the agents, where they differ, such as careful=turns:5,calls:1,seconds:60,temperature:0',
    parseAgentLimits,
  ),
  routedTools: optionalOption(
    'routed-tools',
    'N',
    describeWithDefault(
      'how many tools a search of each --routing-agent and --tool-search-agent finds',
      retrievalChoice.shape.tools,
    ),
    makeSchemaNumberParser(retrievalChoice.shape.tools),
  ),
  shownTool: repeatableOption(
    'shown-tool',
    'TOOL',
    'a tool, such as files/read_file, that each --tool-search-agent has from the start; none without it',
    parseNonEmptyText,
  ),
};

const { externalAgent: externalAgentOption, ...modelAgentSettings } = options;

/** The options that say which models are evaluated as agents, and how they are set. */
export const modelAgentOptions = [
  ...modelAgents,
  ...Object.values(modelAgentSettings),
  ...Object.values(endpointOptions),
  ...Object.values(limitOptions),
];

/** The options that say which agents are evaluated, and how they are set. */
export const agentOptions = [...modelAgentOptions, externalAgentOption, ...cliOptions];

/** Parses an agent from `NAME=MODEL`. */
function parseModelAgent(given: string): { name: string; model: string } {
  const [, name = '', model = ''] = /^([^=]*)=(.*)$/.exec(given) ?? [];
  if (name === '' || model === '') throw new UsageError('give a name, "=" and a model, such as "careful=gpt-5"');
  return { name: makeSchemaTextParser(agentName)(name), model: makeSchemaTextParser(modelName)(model) };
}

/** Parses the mounting of an agent from `NAME=MOUNTING`. */
function parseAgentMounting(given: string): { name: string; mounting: Mounting } {
  const [, name = '', mounting = ''] = /^([^=]*)=(.*)$/.exec(given) ?? [];
  if (name === '') throw new UsageError('give the name of an agent, "=" and a mounting, such as "careful=oracle"');
  return { name, mounting: parseMounting(mounting) };
}

/** Returns the agents that a line names, with their endpoint, limits and mountings; `cliAgents` are those that are programs. */
export async function readAgents(given: Given, cliAgents: readonly CliAgent[] = []): Promise<NewEvaluation['agents']> {
  const ofModels = modelAgents.flatMap((each) => given.parseOptionValue(each));
  const external = given.parseOptionValue(options.externalAgent);
  const names = [...ofModels, ...external, ...cliAgents].map(({ name }) => name);
  if (names.length === 0) throw new UsageError('name an agent, such as with --agent NAME=MODEL');
  for (const option of [options.mounting, options.limits])
    for (const { name } of given.parseOptionValue<readonly { name: string }[]>(option))
      if (!names.includes(name)) throw new UsageError(`--${option.name}: no agent is called ${name}`);
  const tools = given.parseOptionValue(options.routedTools);
  if (tools !== undefined && !ofModels.some(({ loop }) => doesLoopSearch(loop ?? '')))
    throw new UsageError('--routed-tools: no agent was given with --routing-agent or --tool-search-agent');
  const shown = [...new Set(given.parseOptionValue(options.shownTool))];
  if (shown.length > 0 && !ofModels.some(({ loop }) => loop === 'tool-search'))
    throw new UsageError('--shown-tool: no agent was given with --tool-search-agent');
  const endpoint = await readEndpoint(given);
  if (endpoint !== undefined && ofModels.length + cliAgents.length === 0)
    throw new UsageError('--base-url: no agent has a model; an agent of your own asks its model itself');
  return [
    ...ofModels.map((agent) => ({
      ...agent,
      ...(endpoint === undefined ? {} : { endpoint }),
      ...retrievalOf(agent.loop, { tools, shown }),
      ...limitsOf(given, agent.name),
      ...mountingOf(given, agent.name),
    })),
    ...[...external, ...cliAgents.map((agent) => makeCliAgentChoice(agent, endpoint))].map((agent) => ({
      ...agent,
      ...externalLimitsOf(given, agent.name),
      ...mountingOf(given, agent.name),
    })),
  ];
}

/** How an agent finds tools, where the line says anything about it. */
function retrievalOf(
  loop: ModelLoop | undefined,
  { tools, shown }: { readonly tools: number | undefined; readonly shown: readonly string[] },
): { retrieval?: { tools?: number; shown?: string[] } } {
  const own = {
    ...(tools === undefined ? {} : { tools }),
    ...(loop === 'tool-search' && shown.length > 0 ? { shown: [...shown] } : {}),
  };
  return doesLoopSearch(loop ?? '') && Object.keys(own).length > 0 ? { retrieval: own } : {};
}

const mountingOf = (given: Given, agent: string): { mounting?: Mounting } => {
  const own = given.parseOptionValue(options.mounting).findLast(({ name }) => name === agent);
  return own === undefined ? {} : { mounting: own.mounting };
};

/** The limits that a line states: those of all agents, and over them those of this one. */
function readStatedLimits(given: Given, agent: string): StatedLimits {
  const shared = {
    turns: given.parseOptionValue(limitOptions.turns),
    callsPerTurn: given.parseOptionValue(limitOptions.calls),
    timeMs: given.parseOptionValue(limitOptions.seconds),
    temperature: given.parseOptionValue(limitOptions.temperature),
  };
  const own = given.parseOptionValue(options.limits).filter(({ name }) => name === agent);
  return Object.assign({}, shared, ...own.map(({ limits }) => limits));
}

function limitsOf(given: Given, agent: string): { limits?: StatedLimits } {
  const limits = readStatedLimits(given, agent);
  return Object.values(limits).every((limit) => limit === undefined) ? {} : { limits };
}

/** An agent of a user's own has its time limited and nothing else: its model is not ours. */
function externalLimitsOf(given: Given, agent: string): { limits?: { timeMs: number | undefined } } {
  const { timeMs } = readStatedLimits(given, agent);
  const own = given.parseOptionValue(options.limits).find(({ name }) => name === agent);
  if (own !== undefined && Object.keys(own.limits).some((key) => key !== 'timeMs'))
    throw new UsageError(`--agent-limits: ${agent} is an agent of your own, which has no limit but seconds`);
  return timeMs === undefined ? {} : { limits: { timeMs } };
}
