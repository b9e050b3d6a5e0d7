import type { UnitDetail } from '#core/exploration/record.ts';
import type { Step, Trace } from '#core/traces/trace.ts';
import { cutToWidth, makePrintableLine } from '../command-line/text.ts';
import { unitReviewLines } from './review-lines.ts';

/** Columns of arguments and of an answer that are shown; --json has all of them. */
const widest = 120;

/** Formats a unit with everything about its wording, and the calls of the base agent at each of its requests. */
export const unitLines = (exploration: string, { unit, traces }: UnitDetail): string[] => [
  ...unitReviewLines({ exploration, unit, tools: [], open: false }),
  ...traceLines('source', traces.source),
  ...traceLines('follow-up', traces.followUp),
];

function traceLines(request: string, trace: Trace | null): string[] {
  if (trace === null) return [];
  return [
    '',
    `${request}: ${trace.end} after ${trace.turns} turns`,
    ...trace.steps.flatMap((step, index) => stepLines(step, index)),
    `  answer: ${trace.finalText.trim() === '' ? 'none' : makePrintableLine(trace.finalText)}`,
  ];
}

const stepLines = ({ tool, outcome, failure, arguments: given, text, fault }: Step, place: number): string[] => [
  `  ${place + 1}. ${makePrintableLine(tool)}: ${outcome}${failure === null || failure.source === 'undecided' ? '' : `, ${failure.class}`}`,
  `     ${cutToWidth(makePrintableLine(JSON.stringify(given)), widest)}`,
  `     -> ${cutToWidth(makePrintableLine(fault === null ? text : fault.detail), widest)}`,
];
