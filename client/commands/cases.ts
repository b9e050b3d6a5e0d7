import { agentName } from '#core/evaluation/config.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { findCaseOutcome } from '#core/evaluation/case-outcome.ts';
import { getProtocol, scorersOfProtocol } from '#core/protocols/protocols.ts';
import { getScorerOrThrow } from '#core/scoring/scorers.ts';
import type { Command } from '../command-line/command.ts';
import { flagOption, optionalOption, parseNonEmptyText, makeSchemaTextParser } from '../command-line/options.ts';
import { UsageError } from '../command-line/usage-error.ts';

const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };
const failed = flagOption('failed', 'only cases with an attempt whose verdict is no success');
const notEvaluated = flagOption('not-evaluated', 'only cases with an attempt that a fault broke');
const agent = optionalOption('agent', 'NAME', 'only cases of this agent', makeSchemaTextParser(agentName));
const unit = optionalOption('unit', 'ID', 'only cases of this unit', parseNonEmptyText);

const cases: Command = {
  verb: 'cases',
  about: 'List the cases of an evaluation: an agent on a unit in a trial each',
  more: '"case" shows one of them with its calls and the reasons of its scores.',
  operands: [evaluation],
  options: [failed, notEvaluated, agent, unit],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(evaluation);
    if (given.parseOptionValue(failed) && given.parseOptionValue(notEvaluated))
      throw new UsageError('give one of --failed and --not-evaluated');
    const { protocol } = await client.evaluations.get(id);
    const { headline, verdict } = getProtocol(protocol);
    if (given.parseOptionValue(failed) && verdict === null)
      throw new UsageError(
        `the protocol ${protocol} has no verdict, so no case fails; its scores are ${scorersOfProtocol(protocol)
          .map(({ title }) => title)
          .join(', ')}`,
      );
    const wanted = given.parseOptionValue(failed)
      ? 'failed'
      : given.parseOptionValue(notEvaluated)
        ? 'not-evaluated'
        : null;
    const [ofAgent, ofUnit] = [given.parseOptionValue(agent), given.parseOptionValue(unit)];
    const isWanted = (each: EvaluationCase): boolean =>
      (ofAgent === undefined || each.agent === ofAgent) &&
      (ofUnit === undefined || each.unit === ofUnit) &&
      (wanted === null || findCaseOutcome(each, protocol) === wanted);
    await output.writeRowsAsJsonOrTable(
      onlyWanted(client.evaluations.cases(id), isWanted),
      [
        { title: 'case', cell: (each) => each.id },
        { title: 'agent', cell: (each) => each.agent },
        { title: 'unit', cell: (each) => each.unit },
        { title: 'trial', cell: ({ trial }) => trial },
        { title: 'outcome', cell: (each) => findCaseOutcome(each, protocol) },
        { title: getScorerOrThrow(headline).title, cell: ({ scores }) => scores[headline]?.value ?? 'none' },
        { title: 'calls', cell: callsText, flexible: true },
      ],
      'there are no such cases',
    );
  },
};

async function* onlyWanted(
  all: AsyncIterable<EvaluationCase>,
  isWanted: (each: EvaluationCase) => boolean,
): AsyncGenerator<EvaluationCase, void, undefined> {
  for await (const each of all) if (isWanted(each)) yield each;
}

/** The tools that its attempts called, those that failed with a mark. */
const callsText = ({ requests, attempts }: EvaluationCase): string =>
  requests
    .map((name) =>
      (attempts[name]?.calls ?? [])
        .map(({ tool, outcome }) => `${tool}${outcome === 'success' ? '' : ` (${outcome})`}`)
        .join(' > '),
    )
    .join(' | ');

/** The verb that lists the cases of an evaluation. */
export const caseCommands: readonly Command[] = [cases];
