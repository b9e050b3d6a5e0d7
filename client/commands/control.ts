import type { Command } from '../command-line/command.ts';
import { isEvaluation, runOperand } from './run-operand.ts';

const control = (verb: 'pause' | 'resume' | 'cancel', about: string): Command => ({
  verb,
  about,
  operands: [runOperand],
  options: [],
  async run(given, { client, output }) {
    const id = given.word(runOperand);
    const run = isEvaluation(id) ? await client.evaluations[verb](id) : await client.explorations[verb](id);
    output.value(run, () => [`${run.id} is ${run.status}`]);
  },
});

/** Verbs that steer a run. */
export const controlCommands: readonly Command[] = [
  control('pause', 'Pause an exploration or an evaluation'),
  control('resume', 'Resume a paused run'),
  control('cancel', 'End a run for good; what it has committed stays'),
];
