import type { ComponentChildren } from 'preact';
import { fixedDigitsText, sortAgentsByHeadlineMean } from '#core/evaluation/figure-texts.ts';
import type { EvaluationRecord, EvaluationResults } from '#core/evaluation/record.ts';
import { getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { countWithNoun, percentText, wholeNumberText } from '../../client/command-line/text.ts';
import { useClient } from '../data/session.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Figures } from '../parts/figures.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { Scale } from '../parts/scale.tsx';
import { Status } from '../parts/status.tsx';
import { LocalTime } from '../parts/when.tsx';

interface CardProps<Run> {
  readonly run: Run;
  readonly name: string;
}

/** An exploration in a few words: how far it came, and what share of what there is it has seen. */
export const ExplorationCard = ({ run, name }: CardProps<ExplorationRecord>) => (
  <RunCard kind="Exploration" at={`/explorations/${run.id}`} name={name} run={run}>
    <Figures
      of={[
        ['probe coverage', run.reading?.probeCoverage == null ? '–' : percentText(run.reading.probeCoverage.value)],
        ['units accepted', wholeNumberText(run.units.accepted)],
      ]}
    />
    <p class="faint">{`${run.rounds} of ${countWithNoun(run.config.budget.rounds, 'round')}`}</p>
  </RunCard>
);

/** An evaluation in a few words: its best agent by the headline of the protocol. */
export function EvaluationCard({ run, name }: CardProps<EvaluationRecord>) {
  const { evaluations } = useClient();
  const results = useLoaded(() => evaluations.results(run.id), [run.id]);
  return (
    <RunCard kind="Evaluation" at={`/evaluations/${run.id}`} name={name} run={run}>
      {results.state === 'loaded' && <BestAgent results={results.value} />}
      <p class="faint">
        {`${countWithNoun(run.agents.length, 'agent')}, ${wholeNumberText(run.progress.unitsDone)} of ${countWithNoun(run.progress.units, 'unit')}`}
      </p>
    </RunCard>
  );
}

function BestAgent({ results }: { readonly results: EvaluationResults }) {
  const [best] = sortAgentsByHeadlineMean(results);
  const scorer = getScorerOrThrow(getProtocol(results.protocol).headline);
  const score = best?.scores[scorer.key];
  if (best === undefined || score == null || score.mean === null) return null;
  return (
    <div>
      <Figures of={[[scorer.title, fixedDigitsText(score.mean)]]} />
      <Scale {...score} range={scorer.range} isWide />
      <p>
        <UntrustedText text={best.name} /> scores highest
      </p>
    </div>
  );
}

interface RunCardProps {
  readonly kind: string;
  readonly at: string;
  readonly name: string;
  readonly run: { readonly status: string; readonly createdAt: string };
  readonly children: ComponentChildren;
}

const RunCard = ({ kind, at, name, run, children }: RunCardProps) => (
  <li class="card">
    <header>
      <a href={at}>
        <UntrustedText text={name} />
      </a>
      <Status of={run.status} />
    </header>
    {children}
    <p class="faint card-end">
      {`${kind}, `}
      <LocalTime at={run.createdAt} />
    </p>
  </li>
);
