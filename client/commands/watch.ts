import { noteNextStep } from '../command-line/next-step.ts';
import type { RunEvent } from '#core/reports/events.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { evolutionId, type EvolutionRecord } from '#core/exploration/evolution/record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import type { RunStatus } from '#core/exploration/runs.ts';
import type { Command, Operand } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import type { Output } from '../command-line/output.ts';
import { makePrintableLine } from '../command-line/text.ts';
import { CommandError, UndecidedError } from '../../engine/usage-error.ts';
import type { EventOptions } from '../http/event-stream.ts';
import {
  showEvaluationUntilEnd,
  showEvolutionUntilEnd,
  showExplorationUntilEnd,
  showSubmissionUntilModerationOrEnd,
} from '../progress/follow.ts';
import { findingLine } from '../display/submission-lines.ts';
import { selfAuditWarningLines } from '../display/critic-lines.ts';
import { unwritableToolLines } from '../display/unwritable-lines.ts';
import { isInModeration, eventsUntilModerationOrEnd } from '../progress/events-until-decision.ts';
import { parseRunId, type NamedRun } from './run-operand.ts';

/** Shows an exploration until it is over. Throws if it did not complete. */
export async function watchExplorationOrThrow(
  run: ExplorationRecord,
  { client, output }: CommandContext,
): Promise<void> {
  const ended = output.isJson
    ? await printEventsAndReturnRecord(bindRunMethodsToId(client.explorations, run.id), output)
    : await showExplorationUntilEnd(client, run, output.outSinkOrNotesInJsonMode);
  if (!output.isJson)
    for (const line of [...selfAuditWarningLines(ended), ...unwritableToolLines(ended)]) output.writeNote(line);
  requireCompleted('exploration', ended);
  noteNextStep(output, `tools ${run.id}`, `benchmarks freeze ${run.id}`);
}

/** Shows an evaluation until it is over. Throws if it did not complete. */
export async function watchEvaluationOrThrow(run: EvaluationRecord, { client, output }: CommandContext): Promise<void> {
  const ended = output.isJson
    ? await printEventsAndReturnRecord(bindRunMethodsToId(client.evaluations, run.id), output)
    : await showEvaluationUntilEnd(client, run, output.outSinkOrNotesInJsonMode);
  requireCompleted('evaluation', ended);
  noteNextStep(output, `results ${run.id}`, `cases ${run.id} --failed`);
}

/** Shows an evolution until it is over. Throws if it did not complete. */
export async function watchEvolutionOrThrow(run: EvolutionRecord, { client, output }: CommandContext): Promise<void> {
  const { exploration, number } = run;
  const source = {
    events: (options: EventOptions) => client.evolutions.events(exploration, number, options),
    get: () => client.evolutions.get(exploration, number),
  };
  const ended = output.isJson
    ? await printEventsAndReturnRecord(source, output)
    : await showEvolutionUntilEnd(client, run, output.outSinkOrNotesInJsonMode);
  requireCompleted('evolution', { ...ended, id: evolutionId(exploration, number) });
  noteNextStep(output, `benchmarks freeze ${exploration}`);
}

/** Shows a submission until it is settled or a moderator has to decide. Throws if it is not published then. */
export async function watchSubmissionOrThrow(
  submitted: SubmissionRecord,
  { client, output }: CommandContext,
): Promise<void> {
  const { id } = submitted;
  const source = {
    events: (options: EventOptions) => eventsUntilModerationOrEnd(client, id, options),
    get: () => client.submissions.get(id),
  };
  const settled = output.isJson
    ? await printEventsAndReturnRecord(source, output)
    : await showSubmissionUntilModerationOrEnd(client, submitted, output.outSinkOrNotesInJsonMode);
  const { state, reason, leaderboard, findings } = settled;
  if (!output.isJson) for (const each of findings) output.writeText(`${findingLine(each)}\n`);
  if (isInModeration(state))
    throw new UndecidedError(
      `submission ${id} is in moderation: ${makePrintableLine(reason)}; a moderator decides, look again with: submissions show ${id}`,
    );
  if (state !== 'published') throw new CommandError(`submission ${id} is ${state}: ${makePrintableLine(reason)}`);
  if (!output.isJson) output.writeText(`${client.url}/leaderboards/${leaderboard}/entries/${id}\n`);
  noteNextStep(output, `leaderboard show ${leaderboard}`, `leaderboard entry ${leaderboard} ${id}`);
}

/** Binds the methods `events` and `get` of a kind of runs to one id. */
const bindRunMethodsToId = <R>(runs: Runs<R>, id: string): Run<R> => ({
  events: (options) => runs.events(id, options),
  get: () => runs.get(id),
});

interface Runs<R> {
  events(id: string, options: EventOptions): AsyncIterable<RunEvent>;
  get(id: string): Promise<R>;
}

interface Run<R> {
  events(options: EventOptions): AsyncIterable<RunEvent>;
  get(): Promise<R>;
}

async function printEventsAndReturnRecord<R>(run: Run<R>, output: Output): Promise<R> {
  const onLost = (why: string): void => output.writeNote(`${makePrintableLine(why)}; trying again until it answers`);
  for await (const event of run.events({ onLost })) output.writeAsJsonOrLines(event, () => []);
  const last = await run.get();
  output.writeAsJsonOrLines(last, () => []);
  return last;
}

function requireCompleted(
  kind: NamedRun['kind'],
  { id, status, reason }: { readonly id: string; readonly status: RunStatus; readonly reason: string | null },
): void {
  if (status !== 'completed') throw new CommandError(`${kind} ${id} is ${status}: ${makePrintableLine(reason ?? '')}`);
}

const watched: Operand = {
  name: 'run',
  about:
    'the id of an exploration, an evaluation, an evolution or a submission, such as exp_..., evl_..., exp_.../evolutions/1 or sub_...',
};

const watch: Command = {
  verb: 'watch',
  about: 'Show how an exploration, an evaluation, an evolution or a submission goes on, until it is over',
  more: [
    'Ctrl-C ends the watching, not the run. Servers are watched with "watch add".',
    'With --json: each event of the run, then the run as it ended. Exit code 0 only where the run completed.',
    'A submission is watched as "submissions watch" does it.',
  ].join('\n'),
  operands: [watched],
  options: [],
  async run(given, context) {
    const [id, { client }] = [given.firstOperandWordOrThrow(watched), context];
    if (id.startsWith('sub_')) return watchSubmissionOrThrow(await client.submissions.get(id), context);
    const run = parseRunId(id);
    switch (run.kind) {
      case 'exploration':
        return watchExplorationOrThrow(await client.explorations.get(run.id), context);
      case 'evaluation':
        return watchEvaluationOrThrow(await client.evaluations.get(run.id), context);
      case 'evolution':
        return watchEvolutionOrThrow(await client.evolutions.get(run.exploration, run.number), context);
    }
  },
};

/** The verb that follows a run. */
export const watchCommands: readonly Command[] = [watch];
