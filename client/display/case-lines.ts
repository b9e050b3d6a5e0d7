import { fixedDigitsText } from '#core/evaluation/figure-texts.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import type { CaseDetail } from '#core/evaluation/record.ts';
import type { Parts, Score } from '#core/scoring/score.ts';
import { scorers } from '#core/evaluation/scorers.ts';
import { makePrintableLine } from '../command-line/text.ts';

/** Formats a case with everything that explains its figures: requests, goals, calls, scores with their reasons and parts. */
export function caseLines({ case: shown, plan, asked, chain }: CaseDetail): string[] {
  const { id, unit, agent, trial, requests, attempts, scores, stage } = shown;
  const goals = plan?.ok === true ? plan.value : [];
  return [
    `${makePrintableLine(id)}: ${makePrintableLine(agent)} on ${makePrintableLine(unit)}, trial ${trial}, ${stage.kind === 'done' ? 'done' : `at the ${stage.kind} of ${stage.side}`}`,
    ...(chain.length === 0 ? [] : [`expected: ${chain.map(makePrintableLine).join(' > ')}`]),
    ...(goals.length === 0 ? [] : ['goals:', ...goals.map((goal, at) => `  ${at + 1}. ${makePrintableLine(goal)}`)]),
    ...requests.flatMap((name) => {
      const attempt = attempts[name];
      return attempt === undefined ? [] : ['', ...attemptLines(name, asked[name], attempt)];
    }),
    ...(Object.keys(scores).length === 0 ? [] : ['', 'the case:', ...scoreLines(scores)]),
  ];
}

const attemptLines = (
  name: string,
  request: string | undefined,
  attempt: EvaluationCase['attempts'][string],
): string[] => [
  `${name}: ${attempt.crashed === true ? 'the agent crashed, which counts as an empty answer' : makePrintableLine(attempt.end)}`,
  ...(request === undefined ? [] : [`  request: ${makePrintableLine(request)}`]),
  ...attempt.calls.map(
    ({ tool, outcome, failure, disturbed }, at) =>
      `  ${at + 1}. ${makePrintableLine(tool)}: ${outcome}${failure === null ? '' : `, ${failure}`}${disturbed === true ? ', disturbed' : ''}`,
  ),
  ...ownToolLines(attempt),
  `  answer: ${attempt.response.trim() === '' ? 'none' : makePrintableLine(attempt.response)}`,
  ...scoreLines(attempt.scores),
];

/** Returns what an agent did with tools of its own: without that, one that went around the servers looks like one that did nothing. */
function ownToolLines({ calls, ownToolCalls }: EvaluationCase['attempts'][string]): string[] {
  if (ownToolCalls === undefined) return [];
  const own = Object.entries(ownToolCalls).map(([name, count]) => `${makePrintableLine(name)} (${count})`);
  return [`  own tools: ${own.join(', ')}${calls.length === 0 ? '; the tools of the servers were not called' : ''}`];
}

const scoreLines = (scores: Readonly<Record<string, Score | undefined>>): string[] =>
  scorers.flatMap(({ key, title }) => {
    const score = scores[key];
    if (score === undefined || (score.value === null && score.reason === 'not-asked')) return [];
    const value = score.value === null ? `unscored, ${score.reason}` : fixedDigitsText(score.value, 3);
    return [
      `  ${title} ${value}${score.explanation === '' ? '' : `: ${makePrintableLine(score.explanation)}`}`,
      ...partLines(score.parts),
    ];
  });

const partLines = (parts: Parts): string[] =>
  Object.entries(parts).map(([name, part]) => `    ${name} ${makePrintableLine(JSON.stringify(part))}`);
