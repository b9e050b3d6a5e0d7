import { nullPolicyTexts } from '../null-agents.ts';
import type { EvaluationRecord } from '../record.ts';
import { escapeMarkdown, markdownTableLines } from './markdown.ts';

function agentText(agent: EvaluationRecord['agents'][number]): string {
  const name = escapeMarkdown(agent.name);
  if (agent.loop === 'null') return `${name} (null agent: ${nullPolicyTexts[agent.policy]})`;
  return 'model' in agent ? `${name} (${escapeMarkdown(agent.model)}, ${agent.loop})` : `${name} (${agent.loop})`;
}

/** Names the judge, and the agents whose answers it judges although it wrote them. */
function judgeText({ config, judge, agents }: EvaluationRecord): string {
  if (!config.judges) return 'none: the judges are off';
  const model = escapeMarkdown(judge.model);
  const own = agents.flatMap((agent) =>
    'model' in agent && agent.model === judge.model ? [escapeMarkdown(agent.name)] : [],
  );
  return own.length === 0 ? model : `${model}, which judges itself: it is the model of ${own.join(', ')} too`;
}

/** What was evaluated, on what and when. */
export function headSection(evaluation: EvaluationRecord): string[] {
  const { id, config, agents, provenance, progress, status, reason, createdAt, endedAt, offline } = evaluation;
  const { split, sample } = config;
  const drawn = sample === undefined ? '' : `, a sample of ${sample.units} by seed ${sample.seed}`;
  const rows: readonly (readonly [string, string])[] = [
    ['evaluation', escapeMarkdown(id)],
    ['benchmark', escapeMarkdown(config.benchmark)],
    ['status', reason === null ? status : `${status}: ${escapeMarkdown(reason)}`],
    ['units', `${progress.unitsDone} of ${progress.units} done (split ${split}${drawn})`],
    ['trials', `${config.trials} per unit and agent, times its requests`],
    ['agents', agents.map(agentText).join('; ')],
    ['judge model', judgeText(evaluation)],
    ...(config.user === 'answer'
      ? [['what servers ask', 'answered from the request by the judge model'] as const]
      : []),
    ['catalog', escapeMarkdown(provenance.catalog)],
    ['prompts', provenance.prompts.map(escapeMarkdown).join(', ') || 'none'],
    ['harness', escapeMarkdown(provenance.harness)],
    ['when', `${createdAt} to ${endedAt ?? 'now: it has not ended'}`],
  ];
  return [
    `# Evaluation report${config.name === '' ? '' : `: ${escapeMarkdown(config.name)}`}`,
    '',
    ...markdownTableLines(
      [
        { title: 'what', of: ([what]) => what },
        { title: 'value', of: ([, value]) => value },
      ],
      rows,
    ),
    '',
    ...(offline
      ? [
          '> **Offline.** Rules stood in for models. These figures check the instrument; they are no evidence about models.',
          '',
        ]
      : []),
  ];
}
