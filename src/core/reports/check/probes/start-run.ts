import { findingBy, type CheckFinding } from '../finding.ts';
import type { RuleId } from '../rules.ts';
import { answerText, oneLine, type Answer } from './answer.ts';
import { judgeAnswer } from './judge-answer.ts';
import type { ProbeOptions, ProbeRun } from './probe.ts';
import { argumentsOf } from './sample-arguments.ts';
import { subjectOf } from './tool-purpose.ts';

const lost: Answer = { kind: 'gone', detail: 'the connection ended', ms: 0 };

/** Starts the probes of a tool; `findings` returns what was found so far. */
export function startRun({ server, tool, known, budgetMs, mayChange, secrets }: ProbeOptions): {
  readonly run: ProbeRun;
  readonly findings: () => CheckFinding[];
} {
  const found = new Map<RuleId, CheckFinding>();
  const about = subjectOf(tool);
  let spentMs = 0;
  let calls = 0;
  const run: ProbeRun = {
    tool,
    known,
    mayChange,
    secrets,
    about,
    arguments: argumentsOf(tool),
    sampling: { tool, about, known, mayChange },
    samples: [],
    times: [],
    refused: [],
    prose: [],
    *ask(given) {
      const answers: readonly Answer[] = yield { calls: [given] };
      const [answer = lost] = answers;
      calls += 1;
      spentMs += answer.ms;
      judgeAnswer(run, given, answer);
      return answer;
    },
    count(answers) {
      calls += answers.length;
    },
    calls: () => calls,
    isOut: () => spentMs > budgetMs || found.has('crashes'),
    has: (rule) => found.has(rule),
    say(rule, sentence, proposal, shown, severity) {
      if (found.has(rule)) return;
      const call =
        shown === undefined ? null : { tool: tool.name, arguments: shown[0], answer: oneLine(answerText(shown[1])) };
      const said = { server, tool: `${server}/${tool.name}`, sentence, proposal, call };
      found.set(rule, findingBy(rule, severity === undefined ? said : { ...said, severity }));
    },
  };
  return { run, findings: () => [...found.values()] };
}
