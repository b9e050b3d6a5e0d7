import { evolutionId } from '#core/exploration/evolution/record.ts';
import type { RunStatus } from '#core/exploration/runs.ts';
import type { Client } from '../client.ts';
import type { Command } from '../command-line/command.ts';
import { parseRunId, runOperand, type NamedRun } from './run-operand.ts';

type Verb = 'pause' | 'resume' | 'cancel';

const makeControlCommand = (verb: Verb, about: string): Command => ({
  verb,
  about,
  operands: [runOperand],
  options: [],
  async run(given, { client, output }) {
    const run = parseRunId(given.firstOperandWordOrThrow(runOperand));
    const moved = await pauseResumeOrCancelRun(client, run, verb);
    const id = run.kind === 'evolution' ? evolutionId(run.exploration, run.number) : run.id;
    output.writeAsJsonOrLines(moved, () => [`${id} is ${moved.status}`]);
  },
});

function pauseResumeOrCancelRun(client: Client, run: NamedRun, verb: Verb): Promise<{ readonly status: RunStatus }> {
  switch (run.kind) {
    case 'exploration':
      return client.explorations[verb](run.id);
    case 'evaluation':
      return client.evaluations[verb](run.id);
    case 'evolution':
      return client.evolutions[verb](run.exploration, run.number);
  }
}

/** Verbs that control a run. */
export const controlCommands: readonly Command[] = [
  makeControlCommand('pause', 'Pause an exploration, an evaluation or an evolution'),
  makeControlCommand('resume', 'Resume a paused run'),
  makeControlCommand('cancel', 'End a run for good; what it has committed stays'),
];
