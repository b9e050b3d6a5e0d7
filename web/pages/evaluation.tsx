import { useLocation } from 'preact-iso';
import type { AgentResult, EvaluationRecord, EvaluationResults } from '#core/evaluation/record.ts';
import { getProtocol, scorersOfProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { toldBeforehandText } from '#core/evaluation/figure-texts.ts';
import { judgingSentences } from '#core/evaluation/judge-measure/measure-texts.ts';
import { ownToolSentences } from '#core/evaluation/own-tools.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { ScorerKey } from '#core/evaluation/scorers.ts';
import { addUsage } from '#core/models/usage.ts';
import { failureClass } from '#core/traces/failure.ts';
import { wholeNumberText } from '../../client/command-line/text.ts';
import { advanceEvaluationView, initialEvaluationView, type EvaluationView } from '../../client/progress/evaluation.ts';
import { spentAndDurationText } from '../../client/progress/exploration-drawing.ts';
import { useClient } from '../data/session.ts';
import { useArrivingList } from '../data/use-list.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { useRunView } from '../data/use-run-view.ts';
import { AgentsTable } from '../evaluations/agents-table.tsx';
import { CaseMatrix } from '../evaluations/case-matrix.tsx';
import { AgentComparison } from '../evaluations/compare-agents.tsx';
import { DecisionSection } from '../evaluations/decision-section.tsx';
import { DisturbancesSection } from '../evaluations/disturbances-section.tsx';
import { CrashNote } from '../evaluations/crash-note.tsx';
import { Forest } from '../evaluations/forest.tsx';
import { BreakdownHeatMap } from '../evaluations/heat-map.tsx';
import { ScoreByCostChart } from '../evaluations/trade-off.tsx';
import { Await, ProblemText } from '../parts/await.tsx';
import { EventList } from '../parts/event-list.tsx';
import { Facts } from '../parts/facts.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { RunHead } from '../parts/run-head.tsx';
import { useTitle } from '../parts/use-title.ts';

interface EvaluationProps {
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
}

/** An evaluation: how it stands, live while it runs; its agents with all figures; its cases. */
export default function Evaluation({ id, query }: EvaluationProps) {
  useTitle(`Evaluation ${id}`);
  const client = useClient();
  const loaded = useLoaded((signal) => client.evaluations.get(id, signal), [client, id]);
  return <Await of={loaded}>{(record) => <EvaluationRunView key={id} record={record} query={query} />}</Await>;
}

/** How often the figures of a running evaluation are read again, at most. */
const readings = 20;

interface EvaluationFactsProps {
  readonly protocol: ProtocolKey;
  readonly view: EvaluationView;
  readonly over: boolean;
  /** What its units were expected to tell. */
  readonly tells: NonNullable<EvaluationRecord['estimate']>['tells'];
}

function EvaluationFacts({ protocol, view, over, tells }: EvaluationFactsProps) {
  const { units, unitsDone, attempts, made, notEvaluated } = view.progress;
  return (
    <Facts
      of={[
        ['protocol', getProtocol(protocol).title],
        ['units', `${wholeNumberText(unitsDone)} of ${wholeNumberText(units)}`],
        [
          'attempts',
          `${wholeNumberText(made)} of ${wholeNumberText(attempts)}${notEvaluated === 0 ? '' : `, ${notEvaluated} not evaluated`}`,
        ],
        ['judged', over ? null : view.judges ? wholeNumberText(view.judged) : 'judges are off'],
        ['tells', tells === undefined ? null : toldBeforehandText(tells)],
        ['spent', spentAndDurationText(view, Date.now())],
      ]}
    />
  );
}

interface AgentsSectionProps {
  readonly id: string;
  readonly results: EvaluationResults;
  readonly metric: ScorerKey;
}

/** The figures of the agents, with how far they can be believed. */
function AgentsSection({ id, results, metric }: AgentsSectionProps) {
  const { agents, crashes, judging } = results;
  const casesAt = (agent: string, of: ScorerKey): string =>
    `/evaluations/${id}?${new URLSearchParams({ agent, metric: of }).toString()}#cases`;
  return (
    <>
      <CrashNote id={id} crashes={crashes} />
      <Forest results={results} metric={metric} casesAt={casesAt} />
      {[...judgingSentences(judging), ...ownToolSentences(agents)].map((sentence) => (
        <p key={sentence} class="faint">
          <UntrustedText text={sentence} />
        </p>
      ))}
      <details>
        <summary>Every metric</summary>
        <AgentsTable results={results} casesAt={casesAt} />
        <FailureClassTable agents={agents} />
      </details>
      <DisturbancesSection agents={agents} />
      <ScoreByCostChart results={results} metric={metric} />
    </>
  );
}

function EvaluationRunView({
  record,
  query,
}: {
  readonly record: EvaluationRecord;
  readonly query: EvaluationProps['query'];
}) {
  const { id, protocol } = record;
  const { evaluations } = useClient();
  const over = isOver(record.status);
  const { view, latest, problem } = useRunView(
    {
      initial: over ? viewOfRecord(record) : initialEvaluationView(record),
      advance: (before, events) => events.reduce(advanceEvaluationView, before),
      events: over ? null : (options) => evaluations.events(id, options),
    },
    [id],
  );
  const { units, unitsDone, attempts, made } = view.progress;
  const version = Math.floor((readings * unitsDone) / Math.max(1, units)) + (isOver(view.status) ? 1 : 0);
  const results = useLoaded(() => evaluations.results(id), [id, version]);
  const metric = findMetricOrHeadline(protocol, query['metric']);
  const names = record.agents.map(({ name }) => name);
  return (
    <>
      <RunHead kind="Evaluation" id={id} name={record.config.name} run={view} runs={evaluations} problem={problem} />
      <nav aria-label="Of this run">
        <a href={`/evaluations/${id}/tools`}>What it says about each tool</a>
        {names.length > 1 && <a href={`/evaluations/${id}/offering`}>How to offer these tools</a>}
      </nav>
      {!over && <progress value={made / Math.max(1, attempts)} aria-label="Share of the attempts that are made" />}
      {view.decision !== null && <DecisionSection decision={view.decision} />}
      <Await of={results}>{(found) => <AgentsSection id={id} results={found} metric={metric} />}</Await>
      <EvaluationCases record={record} agent={query['agent']} metric={metric} version={version} />
      {names.length > 1 && <AgentComparison id={id} protocol={protocol} agents={names} version={version} />}
      <BreakdownHeatMap id={id} metric={metric} version={version} />
      {!over && <EventList events={latest} />}
      <h2>About this run</h2>
      <EvaluationFacts protocol={protocol} view={view} over={over} tells={record.estimate?.tells} />
    </>
  );
}

const viewOfRecord = (record: EvaluationRecord): EvaluationView => ({
  ...initialEvaluationView(record),
  status: record.status,
  reason: record.reason,
  progress: record.progress,
  decision: record.decision,
  usage: addUsage(record.usage, record.judgeUsage),
  endedAt: record.endedAt === null ? null : Date.parse(record.endedAt),
});

/** The metric with this key if the protocol has it; its headline otherwise. */
const findMetricOrHeadline = (protocol: ProtocolKey, wanted: string | undefined): ScorerKey =>
  scorersOfProtocol(protocol).find(({ key }) => key === wanted)?.key ?? getProtocol(protocol).headline;

interface CasesProps {
  readonly record: EvaluationRecord;
  /** Only the cases of the agent with this name, if it is one of them. */
  readonly agent: string | undefined;
  readonly metric: ScorerKey;
  /** Loads them again when it changes. */
  readonly version: number;
}

function EvaluationCases({ record: { id, protocol, agents }, agent: wanted, metric, version }: CasesProps) {
  const names = agents.map(({ name }) => name);
  const agent = names.find((name) => name === wanted);
  return (
    <section>
      <h2 id="cases" tabIndex={-1}>
        Each unit
      </h2>
      <CaseFilter id={id} names={names} agent={agent} metric={metric} protocol={protocol} />
      <ArrivingCases
        key={agent ?? ''}
        id={id}
        agent={agent}
        agents={agent === undefined ? names : [agent]}
        metric={metric}
        version={version}
      />
    </section>
  );
}

interface ArrivingCasesProps extends Omit<CasesProps, 'record'> {
  readonly id: string;
  readonly agents: readonly string[];
}

function ArrivingCases({ id, agent, agents, metric, version }: ArrivingCasesProps) {
  const { evaluations } = useClient();
  const cases = useArrivingList(
    (signal) => evaluations.cases(id, { pageSize: 500, signal, filter: { agent } }),
    [id, agent, version],
  );
  return (
    <>
      {cases.problem !== null && <ProblemText text={cases.problem} />}
      <CaseMatrix id={id} cases={cases.items} agents={agents} metric={metric} />
    </>
  );
}

interface CaseFilterProps extends Pick<EvaluationRecord, 'id' | 'protocol'> {
  readonly names: readonly string[];
  readonly agent: string | undefined;
  readonly metric: string;
}

/** Chooses whose cases are listed, and by what; the address keeps the choice. */
function CaseFilter({ id, protocol, names, agent, metric }: CaseFilterProps) {
  const { route } = useLocation();
  const choose = (change: { readonly agent?: string; readonly metric?: string }): void =>
    route(`/evaluations/${id}?${new URLSearchParams({ agent: agent ?? '', metric, ...change }).toString()}`);
  return (
    <p class="controls">
      <label>
        Agent{' '}
        <select value={agent ?? ''} onChange={(event) => choose({ agent: event.currentTarget.value })}>
          <option value="">all</option>
          {names.map((name) => (
            <option key={name} value={name}>
              <UntrustedText text={name} />
            </option>
          ))}
        </select>
      </label>
      <label>
        Metric{' '}
        <select value={metric} onChange={(event) => choose({ metric: event.currentTarget.value })}>
          {scorersOfProtocol(protocol).map(({ key, title }) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </p>
  );
}

/** Failed calls by their class. */
function FailureClassTable({ agents }: { readonly agents: EvaluationResults['agents'] }) {
  const count = ({ failures }: AgentResult, name: (typeof failureClass.options)[number]): number =>
    failures.byClass[name];
  const found = failureClass.options.filter((name) => agents.some((agent) => count(agent, name) > 0));
  if (found.length === 0) return null;
  return (
    <div class="scroll" role="region" aria-label="Failed calls" tabIndex={0}>
      <table>
        <caption>Failed calls by class</caption>
        <thead>
          <tr>
            <th class="text">class</th>
            {agents.map(({ name }) => (
              <th key={name}>
                <UntrustedText text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.map((name) => (
            <tr key={name}>
              <th scope="row" class="text">
                {name}
              </th>
              {agents.map((agent) => (
                <td key={agent.name}>{count(agent, name)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
