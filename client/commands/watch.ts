import type { RunEvent } from '#core/events.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { evolutionId, type EvolutionRecord } from '#core/evolution/record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { SubmissionRecord } from '#core/submissions/record.ts';
import type { RunStatus } from '#core/runs.ts';
import type { Command } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import type { Output } from '../command-line/output.ts';
import { plain } from '../command-line/text.ts';
import { CommandError } from '../command-line/usage-error.ts';
import type { EventOptions } from '../event-stream.ts';
import { followEvaluation, followEvolution, followRun, followSubmission } from '../follow.ts';
import { findingLine } from '../submission-lines.ts';
import { namedRun, runOperand, type NamedRun } from './run-operand.ts';

/** Shows an exploration until it is over. Throws where it did not complete. */
export async function watchRun(run: ExplorationRecord, { client, output }: CommandContext): Promise<void> {
  const ended = output.isJson
    ? await printEvents(runAt(client.explorations, run.id), output)
    : await followRun(client, run, output.progress);
  requireCompleted('exploration', ended);
}

/** Shows an evaluation until it is over. Throws where it did not complete. */
export async function watchEvaluation(run: EvaluationRecord, { client, output }: CommandContext): Promise<void> {
  const ended = output.isJson
    ? await printEvents(runAt(client.evaluations, run.id), output)
    : await followEvaluation(client, run, output.progress);
  requireCompleted('evaluation', ended);
}

/** Shows an evolution until it is over. Throws where it did not complete. */
export async function watchEvolution(run: EvolutionRecord, { client, output }: CommandContext): Promise<void> {
  const { exploration, number } = run;
  const source = {
    events: (options: EventOptions) => client.evolutions.events(exploration, number, options),
    get: () => client.evolutions.get(exploration, number),
  };
  const ended = output.isJson ? await printEvents(source, output) : await followEvolution(client, run, output.progress);
  requireCompleted('evolution', { ...ended, id: evolutionId(exploration, number) });
}

/** Shows a submission until nobody has to do anything more. Throws where it is not published then. */
export async function watchSubmission(submitted: SubmissionRecord, { client, output }: CommandContext): Promise<void> {
  const { id } = submitted;
  const settled = output.isJson
    ? await printEvents(runAt(client.submissions, id), output)
    : await followSubmission(client, submitted, output.progress);
  const { state, reason, leaderboard, findings } = settled;
  if (!output.isJson) for (const each of findings) output.text(`${findingLine(each)}\n`);
  if (state !== 'published') throw new CommandError(`submission ${id} is ${state}: ${plain(reason)}`);
  if (!output.isJson) output.text(`${client.url}/leaderboards/${leaderboard}/entries/${id}\n`);
}

/** What an id names among runs of a kind. */
const runAt = <R>(runs: Runs<R>, id: string): Run<R> => ({
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

async function printEvents<R>(run: Run<R>, output: Output): Promise<R> {
  const onLost = (why: string): void => output.note(`${plain(why)}; trying again until it answers`);
  for await (const event of run.events({ onLost })) output.value(event, () => []);
  const last = await run.get();
  output.value(last, () => []);
  return last;
}

function requireCompleted(
  kind: NamedRun['kind'],
  { id, status, reason }: { readonly id: string; readonly status: RunStatus; readonly reason: string | null },
): void {
  if (status !== 'completed') throw new CommandError(`${kind} ${id} is ${status}: ${plain(reason ?? '')}`);
}

const watch: Command = {
  verb: 'watch',
  about: 'Show how an exploration, an evaluation or an evolution goes on, until it is over',
  more: [
    'Ctrl-C ends the watching, not the run.',
    'With --json: each event of the run, then the run as it ended. Exit code 0 only where the run completed.',
  ].join('\n'),
  operands: [runOperand],
  options: [],
  async run(given, context) {
    const run = namedRun(given.word(runOperand));
    const { client } = context;
    switch (run.kind) {
      case 'exploration':
        return watchRun(await client.explorations.get(run.id), context);
      case 'evaluation':
        return watchEvaluation(await client.evaluations.get(run.id), context);
      case 'evolution':
        return watchEvolution(await client.evolutions.get(run.exploration, run.number), context);
    }
  },
};

/** The verb that follows a run. */
export const watchCommands: readonly Command[] = [watch];
