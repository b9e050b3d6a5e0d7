import type { EvaluationRecord } from '../record.ts';
import { escapeMarkdown, markdownTableLines } from './markdown.ts';

const mountings: Readonly<Record<EvaluationRecord['config']['mounting'], string>> = {
  oracle: "oracle: the tools of the servers in the unit's chain",
  'max-scale': 'max-scale: all tools of the catalog',
};

const agentText = (agent: EvaluationRecord['agents'][number]): string =>
  agent.loop === 'external' || agent.loop === 'uploaded'
    ? `${escapeMarkdown(agent.name)} (${agent.loop})`
    : `${escapeMarkdown(agent.name)} (${escapeMarkdown(agent.model)}, ${agent.loop})`;

/** What was evaluated, on what and when. */
export function headSection(evaluation: EvaluationRecord): string[] {
  const { id, config, agents, judge, provenance, progress, status, reason, createdAt, endedAt, offline } = evaluation;
  const { split, sample } = config;
  const drawn = sample === undefined ? '' : `, a sample of ${sample.units} by seed ${sample.seed}`;
  const rows: readonly (readonly [string, string])[] = [
    ['evaluation', escapeMarkdown(id)],
    ['benchmark', escapeMarkdown(config.benchmark)],
    ['status', reason === null ? status : `${status}: ${escapeMarkdown(reason)}`],
    ['units', `${progress.unitsDone} of ${progress.units} done (split ${split}${drawn})`],
    ['trials', `${config.trials} per unit and agent, two requests each`],
    ['agents', agents.map(agentText).join('; ')],
    ['mounting', mountings[config.mounting]],
    ['judge model', config.judges ? escapeMarkdown(judge.model) : 'none: the judges are off'],
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
