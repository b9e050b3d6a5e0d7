import type { Command } from '../command-line/command.ts';
import { comparisonLines, resultLines } from '../results-table.ts';

const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };
const first = { name: 'a', about: 'the name of an agent of the evaluation' };
const second = { name: 'b', about: 'the name of the agent that it is compared with' };

const results: Command = {
  verb: 'results',
  about: 'Show the agents of an evaluation with their scores, the best TCS first',
  more: 'Over the units that are done so far. With --json: the results as the API tells them.',
  operands: [evaluation],
  options: [],
  async run(given, { client, output }) {
    const found = await client.evaluations.results(given.word(evaluation));
    output.value(found, () => resultLines(found, output.columns));
  },
};

const compare: Command = {
  verb: 'compare',
  about: 'Compare two agents of an evaluation unit by unit',
  operands: [evaluation, first, second],
  options: [],
  async run(given, { client, output }) {
    const found = await client.evaluations.compare(given.word(evaluation), given.word(first), given.word(second));
    output.value(found, () => comparisonLines(found, output.columns));
  },
};

/** Verbs on what an evaluation came to. */
export const resultCommands: readonly Command[] = [results, compare];
