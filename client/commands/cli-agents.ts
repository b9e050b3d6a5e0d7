import { agentName, modelName } from '#core/evaluation/config.ts';
import type { Given } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import {
  flagOption,
  makeSchemaTextParser,
  optionalOption,
  parseNonEmptyText,
  repeatableOption,
} from '../command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { readPresetFile } from '../external-agent/presets/preset-file.ts';
import type { Preset } from '../external-agent/presets/preset.ts';
import { presets } from '../external-agent/presets/presets.ts';
import { makeAttemptsWithPreset, readPresetVersion } from '../external-agent/presets/run-preset.ts';
import { claimAndMakeAttemptsWithOutput, defaultParallel } from '../external-agent/queue-with-output.ts';
import type { NewEvaluation } from '../resources/evaluations.ts';

const names = presets.map(({ name }) => name).join(', ');

/** A command-line agent as a line names it. */
interface NamedProgram {
  readonly agent: string;
  readonly program: string;
  readonly model: string | undefined;
}

/** Parses `[AGENT:]PROGRAM[=MODEL]`. */
function parseProgram(given: string): NamedProgram {
  const [, agent, program = '', model] = /^(?:([^:=]+):)?([^:=]+)(?:=(.+))?$/.exec(given) ?? [];
  if (program === '')
    throw new UsageError('give a program, such as claude-code, with its model after "=" if you choose one');
  return {
    agent: makeSchemaTextParser(agentName)(agent ?? program),
    program,
    model: model === undefined ? undefined : makeSchemaTextParser(modelName)(model),
  };
}

export const cliConfig = repeatableOption(
  'cli-config',
  'FILE',
  'how a command-line agent is started that --cli does not know; its name in the file is what --cli calls it',
  parseNonEmptyText,
);
export const cliOwnTools = flagOption('cli-own-tools', 'leave command-line agents their own tools, such as a shell');
/** For `attempts run`, which makes the attempts of one agent. */
export const cliProgram = optionalOption(
  'cli',
  'PROGRAM',
  `the command-line agent that makes the attempts: ${names}`,
  parseNonEmptyText,
);
const cli = repeatableOption(
  'cli',
  '[AGENT:]PROGRAM[=MODEL]',
  `a command-line agent that is installed on this machine, which makes its attempts: ${names}`,
  parseProgram,
);

/** The options that name command-line agents for an evaluation or a submission. */
export const cliOptions = [cli, cliConfig, cliOwnTools];

/** Returns the programs that --cli may name: those of the table, and those of files. */
export const readPresets = async (files: readonly string[]): Promise<readonly Preset[]> => [
  ...(await Promise.all(files.map(readPresetFile))),
  ...presets,
];

export function findPreset(known: readonly Preset[], name: string): Preset {
  const found = known.find((preset) => preset.name === name);
  if (found === undefined)
    throw new UsageError(
      `--cli ${name}: give one of ${known.map((each) => each.name).join(', ')}, or a file with --cli-config`,
    );
  return found;
}

/** A command-line agent of an evaluation. */
export interface CliAgent {
  readonly name: string;
  readonly preset: Preset;
  readonly version: string;
  readonly model: string;
}

/** Returns the command-line agents that a line names. Throws if one of the programs is not there. */
export async function readCliAgents(given: Given): Promise<CliAgent[]> {
  const wanted = given.parseOptionValue(cli);
  const files = given.parseOptionValue(cliConfig);
  if (wanted.length === 0 && (files.length > 0 || given.parseOptionValue(cliOwnTools)))
    throw new UsageError('--cli-config and --cli-own-tools go with --cli');
  const known = await readPresets(files);
  return Promise.all(
    wanted.map(async ({ agent, program, model }) => {
      const preset = findPreset(known, program);
      const chosen = model ?? preset.model;
      if (chosen === null) throw new UsageError(`--cli ${program}: name its model, as ${program}=MODEL`);
      return { name: agent, preset, version: await readPresetVersion(preset), model: chosen };
    }),
  );
}

type Endpoint = NonNullable<
  Extract<NewEvaluation['agents'][number], { models?: unknown }>['models']
>[number]['endpoint'];

/** Returns a command-line agent as the service takes it. Its model is at the named endpoint, or else where its preset says, with the key that the environment has. */
export function makeCliAgentChoice({ name, preset, version, model }: CliAgent, named: Endpoint) {
  return {
    name,
    loop: 'external' as const,
    models: [{ model, endpoint: named ?? usualEndpoint(preset) }],
    program: { name: preset.name, version },
  };
}

function usualEndpoint({ name, endpoint }: Preset): Endpoint {
  if (endpoint === null) throw new UsageError(`--cli ${name}: say with --base-url where its model is`);
  const { baseUrl, keyVariable } = endpoint;
  const apiKey = process.env[keyVariable]?.trim() ?? '';
  if (apiKey === '')
    throw new UsageError(
      `--cli ${name}: set ${keyVariable} to the key for ${baseUrl}, or name another endpoint with --base-url`,
    );
  return { baseUrl, apiKey };
}

/** Returns how a command-line agent makes attempts. */
export const makeAttemptsOfCliAgent = ({ preset }: Pick<CliAgent, 'preset'>, given: Given) =>
  makeAttemptsWithPreset(preset, { ownTools: given.parseOptionValue(cliOwnTools) });

/** Makes the attempts of an evaluation's command-line agents, all at the same time. */
export async function makeAttemptsOfCliAgents(
  evaluation: string,
  { agents, given }: { readonly agents: readonly CliAgent[]; readonly given: Given },
  context: CommandContext,
): Promise<void> {
  await Promise.all(
    agents.map((agent) =>
      claimAndMakeAttemptsWithOutput(
        {
          wanted: { evaluation, agent: agent.name },
          ...(agents.length > 1 ? { label: agent.name } : {}),
          make: makeAttemptsOfCliAgent(agent, given),
          parallel: defaultParallel,
          keepGoing: false,
        },
        context,
      ),
    ),
  );
}
