import { agentName } from '#core/evaluation/config.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import type { CaseFilter } from '#core/evaluation/case-filter.ts';
import { findCaseOutcome } from '#core/evaluation/case-outcome.ts';
import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { failureClass } from '#core/traces/failure.ts';
import type { Command, Given } from '../command-line/command.ts';
import {
  flagOption,
  makeOneOfParser,
  optionalOption,
  parseNonEmptyText,
  makeSchemaTextParser,
} from '../command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';

const evaluation = { name: 'evaluation', about: 'the id of an evaluation, such as evl_...' };
const failed = flagOption('failed', 'only cases with an attempt whose verdict is no success');
const notEvaluated = flagOption('not-evaluated', 'only cases with an attempt that a fault broke');
const agent = optionalOption('agent', 'NAME', 'only cases of this agent', makeSchemaTextParser(agentName));
const unit = optionalOption('unit', 'ID', 'only cases of this unit', parseNonEmptyText);

const tool = optionalOption('tool', 'SERVER/TOOL', 'only cases with a call of this tool', parseNonEmptyText);
const failure = optionalOption(
  'failure',
  'CLASS',
  `only cases with a call that failed for this, with --tool such a call of it: ${failureClass.options.join(', ')}`,
  makeOneOfParser(failureClass.options),
);

const cases: Command = {
  verb: 'cases',
  about: 'List the cases of an evaluation: an agent on a unit in a trial each',
  more: '"case" shows one of them with its calls and the reasons of its scores.',
  operands: [evaluation],
  options: [failed, notEvaluated, agent, unit, tool, failure],
  async run(given, { client, output }) {
    const id = given.firstOperandWordOrThrow(evaluation);
    const filter = parseFilterOrThrow(given);
    const { protocol } = await client.evaluations.get(id);
    const { headline } = getProtocol(protocol);
    await output.writeRowsAsJsonOrTable(
      client.evaluations.cases(id, { filter }),
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

function parseFilterOrThrow(given: Given): CaseFilter {
  const [isFailed, isNotEvaluated] = [given.parseOptionValue(failed), given.parseOptionValue(notEvaluated)];
  if (isFailed && isNotEvaluated) throw new UsageError('give one of --failed and --not-evaluated');
  return {
    outcome: isFailed ? 'failed' : isNotEvaluated ? 'not-evaluated' : undefined,
    agent: given.parseOptionValue(agent),
    unit: given.parseOptionValue(unit),
    tool: given.parseOptionValue(tool),
    failure: given.parseOptionValue(failure),
  };
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
