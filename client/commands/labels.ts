import { labellerName, type NewLabel } from '#core/evaluation/labels.ts';
import { makeCaseId } from '#core/evaluation/new-cases.ts';
import type { Command } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import { judgeOptions, readJudgeOptions } from '../command-line/judge-options.ts';
import { flagOption, optionalOption, makeSchemaTextParser } from '../command-line/options.ts';
import { countWithNoun } from '../command-line/text.ts';
import { agreementLines } from '../display/agreement-lines.ts';
import { attemptToLabelLines } from '../display/attempt-to-label-lines.ts';
import { dryRun, printCostEstimate } from './dry-run.ts';
import { watchEvaluationOrThrow } from './watch.ts';

const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };
const labeller = optionalOption(
  'labeller',
  'NAME',
  'who labels; the id of the key without it',
  makeSchemaTextParser(labellerName),
);

const verdictKeys: Readonly<Record<string, NewLabel['verdict']>> = { s: 'success', f: 'failure', t: 'cannot-tell' };
const keyLine = 's success, f failure, t cannot tell, q quit: ';

/** An interrupt as a terminal sends it while keys are read one by one. */
const interrupt = '\u0003';

/**
 * Shows one attempt after another that the labeller has not labelled, and stores the verdict of each key. Ends after the last
 * one, at `q`, or where the keys end; the next call continues there.
 */
export async function showAttemptsAndStoreLabels(
  run: string,
  by: string | undefined,
  keys: AsyncIterable<string>,
  { client, output }: Pick<CommandContext, 'client' | 'output'>,
): Promise<void> {
  const pressed = keys[Symbol.asyncIterator]();
  let labelled = 0;
  for await (const place of client.labels.listOpen(run, by)) {
    const detail = await client.evaluations.case(run, makeCaseId(place));
    for (const line of attemptToLabelLines(detail, place.request)) output.writeNote(line);
    const verdict = await promptForVerdictKeyOrNull(pressed, (text) => output.writeNote(text));
    if (verdict === null) break;
    await client.labels.add(run, { labeller: by, labels: [{ ...place, verdict }] });
    labelled += 1;
  }
  output.writeAsJsonOrLines({ evaluation: run, labelled }, () => [`${countWithNoun(labelled, 'attempt')} labelled`]);
}

/** Returns the verdict of the next key that stands for one; null where labelling ends. */
async function promptForVerdictKeyOrNull(
  pressed: AsyncIterator<string>,
  prompt: (text: string) => void,
): Promise<NewLabel['verdict'] | null> {
  prompt(keyLine);
  for (;;) {
    const next = await pressed.next();
    if (next.done === true || next.value === 'q' || next.value === interrupt) return null;
    const verdict = verdictKeys[next.value];
    if (verdict !== undefined) return verdict;
  }
}

/** Reads the keys that are pressed at a terminal, or the characters of a file. */
async function* yieldPressedKeys(input: typeof process.stdin): AsyncGenerator<string, void, undefined> {
  if (input.isTTY) input.setRawMode(true);
  try {
    for await (const piece of input) yield* String(piece);
  } finally {
    if (input.isTTY) input.setRawMode(false);
  }
}

const label: Command = {
  verb: 'label',
  about: 'Say of each attempt of an evaluation whether it succeeded, one key each',
  more: [
    'Shows what was asked, the goals, the calls and the answer of each attempt that you have not labelled, and no verdict of a judge.',
    'Ends at q and continues there the next time. "sextant agreement" compares judges with the labels.',
  ].join('\n'),
  operands: [evaluation],
  options: [labeller],
  run: (given, context) =>
    showAttemptsAndStoreLabels(
      given.firstOperandWordOrThrow(evaluation),
      given.parseOptionValue(labeller),
      yieldPressedKeys(process.stdin),
      context,
    ),
};

const agreement: Command = {
  verb: 'agreement',
  about: 'Show how far the judges of an evaluation agree with people, and with each other',
  more: 'Accuracy and the kappa of Cohen, each with its 95% interval. What cannot be read is counted, and counts for nobody.',
  operands: [evaluation],
  options: [],
  async run(given, { client, output }) {
    const found = await client.labels.agreement(given.firstOperandWordOrThrow(evaluation));
    output.writeAsJsonOrLines(found, () => agreementLines(found, output.lineWidth));
  },
};

const detach = flagOption('detach', 'start the run and do not wait for it');

const rejudge: Command = {
  verb: 'rejudge',
  about: 'Have the attempts of an evaluation judged again by other judges, and compare the two',
  more: 'A new run with the same traces, goals and labels. No agent runs and no server is called.',
  operands: [evaluation],
  options: [...Object.values(judgeOptions), detach, dryRun],
  async run(given, context) {
    const { client, output } = context;
    const [wanted, judges] = [given.firstOperandWordOrThrow(evaluation), readJudgeOptions(given)];
    if (given.parseOptionValue(dryRun))
      return printCostEstimate(await client.evaluations.estimateRejudging(wanted, judges), context);
    const run = await client.evaluations.rejudge(wanted, judges);
    output.writeAsJsonOrLines(run, () => [run.id]);
    for (const warning of run.preflight.warnings) output.writeNote(`warning: ${warning}`);
    if (given.parseOptionValue(detach)) return;
    await watchEvaluationOrThrow(run, context);
    const found = await client.labels.agreement(run.id);
    output.writeAsJsonOrLines(found, () => ['', ...agreementLines(found, output.lineWidth)]);
  },
};

/** Verbs on the labels and judges of an evaluation. */
export const labelCommands: readonly Command[] = [label, agreement, rejudge];
