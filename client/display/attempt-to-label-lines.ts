import type { CaseDetail } from '#core/evaluation/record.ts';
import { cutToWidth, makePrintableLine } from '../command-line/text.ts';

/** Columns of a call's arguments or result that a labeller sees at once; "sextant case --json" has all of it. */
const shownChars = 400;

/** Formats what a labeller needs to judge an attempt: what was asked, the goals, the calls with their results, the answer. */
export function attemptToLabelLines({ asked, plan, traces }: CaseDetail, request: string): string[] {
  const trace = traces[request];
  const goals = plan?.ok === true ? plan.value : [];
  const short = (text: string): string => cutToWidth(makePrintableLine(text), shownChars);
  return [
    '',
    `asked: ${makePrintableLine(asked[request] ?? '')}`,
    ...(goals.length === 0 ? [] : ['goals:', ...goals.map((goal, at) => `  ${at + 1}. ${makePrintableLine(goal)}`)]),
    ...(trace?.steps ?? []).flatMap(({ tool, arguments: given, outcome, text }, at) => [
      `call ${at + 1}: ${makePrintableLine(tool)} ${short(JSON.stringify(given))}`,
      `  ${outcome}: ${short(text)}`,
    ]),
    `answer: ${trace === undefined || trace.finalText.trim() === '' ? 'none' : makePrintableLine(trace.finalText)}`,
  ];
}
