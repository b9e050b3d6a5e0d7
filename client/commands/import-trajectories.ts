import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import { splitIntoPagesByJsonLength } from '#core/evaluation/create-on-basis.ts';
import { agentName } from '#core/evaluation/config.ts';
import type { ImportedAttempts } from '#core/evaluation/imported-attempts.ts';
import { matchTrajectoriesToUnits } from '#core/evaluation/live-mcp-bench/match-trajectories.ts';
import {
  makeToolNamer,
  publishedTrajectories,
  parseTrajectories,
} from '#core/evaluation/live-mcp-bench/trajectories.ts';
import { liveMcpBench } from '#core/benchmarks/protocols/live-mcp-bench.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { Client } from '../client.ts';
import type { Command } from '../command-line/command.ts';
import { optionalOption, parseNonEmptyText, requiredOption, makeSchemaTextParser } from '../command-line/options.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../../engine/usage-error.ts';
import { readPublishedJsonFile } from '../files/read-published-file.ts';

const file = { name: 'file', about: "a published file of trajectories, as LiveMCPBench's harness writes them" };
const benchmark = requiredOption('benchmark', 'ID', 'the benchmark of the same tasks', parseNonEmptyText);
const agent = requiredOption('agent', 'NAME', 'a name for the agent that made them', makeSchemaTextParser(agentName));
const model = optionalOption('model', 'NAME', "the agent's model", parseNonEmptyText);

/** Characters of JSON of the attempts of one call, whose body may have a mebibyte. */
const charsPerCall = 300_000;

/** Reads the public units of a benchmark of tasks by the published id of their task, and its tools. */
async function fetchPublicTaskUnitsAndTools(client: Client, id: string) {
  const units = new Map<string, string>();
  const tools: Tool[] = [];
  for await (const { line } of client.benchmarks.exportLines(id, { split: 'public' })) {
    if (line.type === 'tool') tools.push(line.tool);
    if (line.type === 'unit' && line.unit.kind === 'task') units.set(line.unit.provenance.task, line.unit.id);
  }
  if (units.size === 0) throw new CommandError(`${id} has no tasks`);
  return { units, tools };
}

/** Passes attempts to an evaluation, some at a time, and ends its import. Returns how many were new, and how many there before. */
async function importAttemptsInPagesAndComplete(client: Client, run: string, attempts: ImportedAttempts['attempts']) {
  const total = { stored: 0, unchanged: 0 };
  for (const some of splitIntoPagesByJsonLength(attempts, charsPerCall)) {
    const { stored, unchanged } = await client.evaluations.importAttempts(run, { attempts: some });
    total.stored += stored;
    total.unchanged += unchanged;
  }
  for (let waiting = true; waiting;)
    ({ waiting } = await client.evaluations.importAttempts(run, { attempts: [], complete: true }));
  return total;
}

const importTrajectories: Command = {
  verb: 'import live-mcp-bench-trajectories',
  about: "Make an evaluation of published trajectories of an agent on LiveMCPBench's tasks",
  more: [
    'No agent runs, no server is called and no judge is asked: have them judged with `sextant rejudge`, or import published votes and labels.',
    'A trajectory that cannot be read is named with its place in the file, and is neither success nor failure. The same file makes the same evaluation.',
  ].join('\n'),
  operands: [file],
  options: [benchmark, agent, model],
  async run(given, { client, output }) {
    const published = await readPublishedJsonFile(given.firstOperandWordOrThrow(file), publishedTrajectories);
    const [id, name] = [given.parseOptionValue(benchmark), given.parseOptionValue(agent)];
    const { units, tools } = await fetchPublicTaskUnitsAndTools(client, id);
    const read = await parseTrajectories(published, makeToolNamer(tools));
    const { attempts, unparsed, unmatched, broken } = matchTrajectoriesToUnits(read, units, name);
    if (attempts.length === 0) throw new CommandError(`there is no trajectory of a task of ${id} in it`);
    const configuration = { loop: 'mcp-copilot', model: given.parseOptionValue(model) ?? null, limits: {} };
    const digest = await sha256Hex(canonicalJson({ id, name, configuration, published }));
    const made = await client.evaluations.create(
      {
        benchmark: id,
        protocol: liveMcpBench.key,
        judges: false,
        name: 'published trajectories',
        agents: [{ name, loop: 'uploaded', configuration }],
      },
      `trajectories-${digest}`,
    );
    const { stored, unchanged } = await importAttemptsInPagesAndComplete(client, made.id, attempts);
    const record = await client.evaluations.get(made.id);
    const named = (title: string, names: readonly string[]): string[] =>
      names.length === 0 ? [] : [`${title}: ${names.length} (${makePrintableLine(names.slice(0, 10).join(', '))})`];
    output.writeAsJsonOrLines({ evaluation: record, stored, unchanged, unparsed, unmatched, broken }, () => [
      `${made.id}: ${countWithNoun(stored, 'attempt')} new, ${unchanged} there before`,
      ...named('unparsed', unparsed),
      ...named('without a unit, or twice in the file', unmatched),
      ...named('not evaluated because the model broke', broken),
    ]);
  },
};

/** Verbs that import published trajectories. */
export const importTrajectoryCommands: readonly Command[] = [importTrajectories];
