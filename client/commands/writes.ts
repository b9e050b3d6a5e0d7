import type { Command } from '../command-line/command.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { parseRunId, runOperand } from './run-operand.ts';

const writes: Command = {
  verb: 'writes',
  about: "List the calls of an exploration or evaluation that may have changed a server's state",
  more: 'They are those of tools that do more than read, by their effects. Their arguments are in the traces.',
  operands: [runOperand],
  options: [],
  run(given, { client, output }) {
    const run = parseRunId(given.firstOperandWordOrThrow(runOperand));
    if (run.kind === 'evolution')
      throw new UsageError(`the calls of an evolution are among those of its exploration: ${run.exploration}`);
    const listed = run.kind === 'evaluation' ? client.evaluations.writes(run.id) : client.explorations.writes(run.id);
    return output.writeRowsAsJsonOrTable(
      listed,
      [
        { title: 'n', cell: ({ n }) => n },
        { title: 'effect', cell: ({ effect }) => effect },
        { title: 'tool', cell: ({ tool }) => tool, flexible: true },
        { title: 'outcome', cell: ({ outcome }) => outcome },
        { title: 'of', cell: ({ of }) => of, flexible: true },
        { title: 'request', cell: ({ request }) => request },
        { title: 'turn', cell: ({ turn }) => turn },
        { title: 'attempt began', cell: ({ attemptStartedAt }) => attemptStartedAt ?? '' },
      ],
      "no call may have changed a server's state",
    );
  },
};

/** Verbs on calls that wrote. */
export const writeCommands: readonly Command[] = [writes];
