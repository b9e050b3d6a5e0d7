import { join } from 'node:path';
import { agentName } from '#core/evaluation/config.ts';
import { exportFormats } from '#core/evaluation/breakdown-record.ts';
import { inspectLogFileName } from '#core/evaluation/inspect-log/log.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { makeWritableFolder } from '../../engine/make-folder.ts';
import type { Client } from '../client.ts';
import type { Command } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import { countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { parseCollectorUrl, parseOtlpHeaders } from '../otlp/collector.ts';
import { sendEvaluation } from '../otlp/send-evaluation.ts';
import type { Output } from '../command-line/output.ts';
import {
  flagOption,
  makeOneOfParser,
  makeSchemaTextParser,
  optionalOption,
  parseNonEmptyText,
} from '../command-line/options.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import { unfinishedEvaluationLines } from '../display/unfinished-lines.ts';
import { requireWritable } from '../files/atomic-file.ts';
import { writeToFileOrOutput } from '../files/file-or-output.ts';

const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };
const formats = [...exportFormats, 'inspect'] as const;
const format = optionalOption('format', 'FORMAT', `one of ${formats.join(', ')}`, makeOneOfParser(formats));
const agent = optionalOption(
  'agent',
  'NAME',
  'with --format inspect or --otlp: only the attempts of this agent',
  makeSchemaTextParser(agentName),
);
const out = optionalOption(
  'out',
  'FILE',
  'where to write; with --format inspect a folder, with a file for each agent; the standard output where it is not given',
  parseNonEmptyText,
);

const otlp = optionalOption(
  'otlp',
  'URL',
  'send the attempts as traces to the OpenTelemetry collector at this address, such as http://localhost:4318',
  parseCollectorUrl,
);
const texts = flagOption('texts', 'with --otlp: send requests, arguments, results, answers and reasons too');

const exportResults: Command = {
  verb: 'export-results',
  about:
    'Write the attempts of an evaluation with their scores: one a line or row, as eval logs of Inspect AI, or as traces for OpenTelemetry',
  more: 'The eval logs have whole conversations, and "inspect view --log-dir FOLDER" shows them. Traces follow the GenAI conventions; headers for the collector are taken from OTEL_EXPORTER_OTLP_HEADERS.',
  operands: [evaluation],
  options: [format, agent, out, otlp, texts],
  async run(given, context) {
    const { client, output } = context;
    const id = given.firstOperandWordOrThrow(evaluation);
    const [wanted, to, url] = [
      given.parseOptionValue(format),
      given.parseOptionValue(out),
      given.parseOptionValue(otlp),
    ];
    const named = given.parseOptionValue(agent);
    if (url !== undefined) {
      if (wanted !== undefined || to !== undefined)
        throw new UsageError('--otlp writes no file: leave --format and --out out');
      return sendTraces(context, { id, named, url, withTexts: given.parseOptionValue(texts) });
    }
    if (wanted === undefined) throw new UsageError('give --format or --otlp');
    if (given.parseOptionValue(texts)) throw new UsageError('--texts is for --otlp');
    if (wanted === 'inspect') return writeInspectLogs(client, output, { id, named, folder: to });
    if (named !== undefined)
      throw new UsageError('--agent is for --format inspect and --otlp; the other formats have all agents');
    if (to !== undefined) await requireWritable(to);
    const form = wanted === 'csv' ? 'other' : 'json-lines';
    await writeToFileOrOutput(client.evaluations.exportAttempts(id, wanted), to, output, { evaluation: id }, form);
  },
};

interface WantedTraces {
  readonly id: string;
  readonly named: string | undefined;
  readonly url: string;
  readonly withTexts: boolean;
}

async function sendTraces(
  { client, output, signal }: CommandContext,
  { id, named, url, withTexts }: WantedTraces,
): Promise<void> {
  const headers = parseOtlpHeaders(process.env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '');
  const run = await client.evaluations.get(id);
  if (named !== undefined) chooseAgents(run, named);
  for (const line of unfinishedEvaluationLines(run)) output.writeNote(line);
  const collector = { url, headers, fetch: globalThis.fetch, signal };
  const sent = await sendEvaluation(client, run, { agent: named, withTexts, collector });
  for (const message of sent.messages) output.writeNote(`the collector says: ${makePrintableLine(message)}`);
  output.writeAsJsonOrLines({ evaluation: id, collector: url, ...sent }, () => [
    `${countWithNoun(sent.attempts, 'attempt')} sent as ${countWithNoun(sent.spans, 'span')} to ${url}`,
  ]);
  if (sent.rejected > 0)
    throw new CommandError(`the collector rejected ${sent.rejected} of ${countWithNoun(sent.spans, 'span')}`);
}

interface WantedLogs {
  readonly id: string;
  /** Undefined for all agents. */
  readonly named: string | undefined;
  /** Undefined for the standard output. */
  readonly folder: string | undefined;
}

async function writeInspectLogs(client: Client, output: Output, { id, named, folder }: WantedLogs): Promise<void> {
  if (folder !== undefined) makeWritableFolder(folder);
  const run = await client.evaluations.get(id);
  const agents = chooseAgents(run, named);
  const [first] = agents;
  for (const line of unfinishedEvaluationLines(run)) output.writeNote(line);
  if (folder === undefined) {
    if (first === undefined || agents.length > 1)
      throw new UsageError(`name a folder with --out, or one agent with --agent: ${agents.join(', ')}`);
    return writeToFileOrOutput(client.evaluations.inspectLog(id, first), undefined, output, {});
  }
  for (const name of agents) {
    const file = join(folder, inspectLogFileName(run, name));
    await writeToFileOrOutput(client.evaluations.inspectLog(id, name), file, output, { evaluation: id, agent: name });
  }
}

function chooseAgents({ agents }: EvaluationRecord, named: string | undefined): string[] {
  const names = agents.map(({ name }) => name);
  if (named === undefined) return names;
  if (!names.includes(named)) throw new UsageError(`there is no agent ${named} in it; it has ${names.join(', ')}`);
  return [named];
}

/** The verb that writes the attempts of an evaluation for other programs. */
export const exportCommands: readonly Command[] = [exportResults];
