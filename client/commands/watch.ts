import type { RunEvent } from '#core/events.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { RunStatus } from '#core/runs.ts';
import type { Command } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import type { Output } from '../command-line/output.ts';
import { plain } from '../command-line/text.ts';
import { CommandError } from '../command-line/usage-error.ts';
import type { EventOptions } from '../event-stream.ts';
import { followEvaluation, followRun } from '../follow.ts';
import { isEvaluation, runOperand } from './run-operand.ts';

/** Shows an exploration until it is over. Throws where it did not complete. */
export async function watchRun(run: ExplorationRecord, { client, output }: CommandContext): Promise<void> {
  const ended = output.isJson
    ? await printEvents(run.id, client.explorations, output)
    : await followRun(client, run, output.progress);
  requireCompleted('exploration', ended);
}

/** Shows an evaluation until it is over. Throws where it did not complete. */
export async function watchEvaluation(run: EvaluationRecord, { client, output }: CommandContext): Promise<void> {
  const ended = output.isJson
    ? await printEvents(run.id, client.evaluations, output)
    : await followEvaluation(client, run, output.progress);
  requireCompleted('evaluation', ended);
}

interface Runs<R> {
  events(id: string, options: EventOptions): AsyncIterable<RunEvent>;
  get(id: string): Promise<R>;
}

async function printEvents<R>(id: string, runs: Runs<R>, output: Output): Promise<R> {
  const onLost = (why: string): void => output.note(`${plain(why)}; trying again until it answers`);
  for await (const event of runs.events(id, { onLost })) output.value(event, () => []);
  const last = await runs.get(id);
  output.value(last, () => []);
  return last;
}

function requireCompleted(
  kind: 'exploration' | 'evaluation',
  { id, status, reason }: { readonly id: string; readonly status: RunStatus; readonly reason: string | null },
): void {
  if (status !== 'completed') throw new CommandError(`${kind} ${id} is ${status}: ${plain(reason ?? '')}`);
}

const watch: Command = {
  verb: 'watch',
  about: 'Show how an exploration or an evaluation goes on, until it is over',
  more: [
    'Ctrl-C ends the watching, not the run.',
    'With --json: each event of the run, then the run as it ended. Exit code 0 only where the run completed.',
  ].join('\n'),
  operands: [runOperand],
  options: [],
  async run(given, context) {
    const id = given.word(runOperand);
    if (isEvaluation(id)) await watchEvaluation(await context.client.evaluations.get(id), context);
    else await watchRun(await context.client.explorations.get(id), context);
  },
};

/** The verb that follows a run. */
export const watchCommands: readonly Command[] = [watch];
