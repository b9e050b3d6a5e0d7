import { evolutionId } from '#core/evolution/record.ts';
import type { RunStatus } from '#core/runs.ts';
import type { Client } from '../client.ts';
import type { Command } from '../command-line/command.ts';
import { namedRun, runOperand, type NamedRun } from './run-operand.ts';

type Verb = 'pause' | 'resume' | 'cancel';

const control = (verb: Verb, about: string): Command => ({
  verb,
  about,
  operands: [runOperand],
  options: [],
  async run(given, { client, output }) {
    const run = namedRun(given.word(runOperand));
    const moved = await steer(client, run, verb);
    const id = run.kind === 'evolution' ? evolutionId(run.exploration, run.number) : run.id;
    output.value(moved, () => [`${id} is ${moved.status}`]);
  },
});

function steer(client: Client, run: NamedRun, verb: Verb): Promise<{ readonly status: RunStatus }> {
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
  control('pause', 'Pause an exploration, an evaluation or an evolution'),
  control('resume', 'Resume a paused run'),
  control('cancel', 'End a run for good; what it has committed stays'),
];
