import { useState } from 'preact/hooks';
import type { ObservedShare, ToolFindings, ToolReport } from '#core/reports/tool-report/record.ts';
import { wholeNumberText, countWithNoun } from '../../client/command-line/text.ts';
import {
  findingSubject,
  findingText,
  groupSameFindings,
  intervalInCountsText,
  schemaTokensSentence,
  toolReportHeadline,
  getToolVerdictTexts,
} from '../../client/display/tool-report-lines.ts';
import { RulesReplacedModelsNote } from '../parts/offline-note.tsx';
import { UntrustedText } from '../parts/outside-text.tsx';
import { Scale } from '../parts/scale.tsx';

interface ReportProps {
  readonly report: ToolReport;
  /** Where a unit is shown; null if the run has no page for single units. */
  readonly unitsAt: string | null;
}

/** What a run says about each tool: findings, the table of tools, which were taken for which, and which were called where none fits. */
export function ToolReportView({ report, unitsAt }: ReportProps) {
  return (
    <>
      <RulesReplacedModelsNote offline={report.offline} />
      {!report.final && <p class="note">The run has not ended: these figures will change.</p>}
      <p class="lead">
        <strong>{toolReportHeadline(report)}</strong> <UntrustedText text={schemaTokensSentence(report)} />
      </p>
      <FindingList report={report} unitsAt={unitsAt} />
      <ToolTable report={report} unitsAt={unitsAt} />
      {/* What rules took for something else says nothing about the tools. */}
      {!report.offline && (
        <>
          <ConfusionTable report={report} unitsAt={unitsAt} />
          <TakenList report={report} unitsAt={unitsAt} />
        </>
      )}
    </>
  );
}

const severityTones = { high: 'bad', medium: 'warn', low: '' } as const;

function FindingList({ report, unitsAt }: ReportProps) {
  if (report.findings.length === 0) return null;
  return (
    <section>
      <h2>What to look at</h2>
      <ul class="plain findings">
        {groupSameFindings(report).map((alike, index) => {
          const [first] = alike;
          if (first === undefined) return null;
          return (
            <li key={index}>
              <span class={`label status ${severityTones[first.severity]}`}>{first.severity}</span>{' '}
              <div>
                <strong>
                  <UntrustedText text={alike.map(findingSubject).join(', ')} />
                </strong>
                : <UntrustedText text={findingText(first)} /> <UnitLinks units={first.units} at={unitsAt} />
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const UnitLinks = ({ units, at }: { readonly units: readonly string[]; readonly at: string | null }) =>
  units.length === 0 ? null : (
    <span class="faint">
      {'seen in '}
      {units.map((unit, index) => (
        <>
          {index > 0 && ', '}
          {at === null ? unit : <a href={`${at}${unit}`}>{unit}</a>}
        </>
      ))}
    </span>
  );

function ToolTable({ report, unitsAt }: ReportProps) {
  const [search, setSearch] = useState('');
  const words = search.trim().toLowerCase();
  const verdicts = getToolVerdictTexts(report);
  return (
    <section>
      <h2>Each tool</h2>
      <label>
        Search tools <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      </label>
      <div class="scroll" role="region" aria-label="Each tool" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th class="text">tool</th>
              <th class="text">verdict</th>
              <th>{report.offline ? 'no error' : 'succeeded'}</th>
              {!report.offline && <th>missed</th>}
              <th class="text">effect</th>
              <th>median</th>
              <th>tokens</th>
              <th class="text">most frequent error</th>
            </tr>
          </thead>
          <tbody>
            {report.tools
              .filter(({ tool }) => tool.toLowerCase().includes(words))
              .map((found) => (
                <tr key={found.tool}>
                  <th scope="row" class="text">
                    <UntrustedText text={found.tool} />
                  </th>
                  <td class="text">
                    <span class={`label status ${verdictTones[found.verdict]}`}>{verdicts[found.verdict]}</span>
                  </td>
                  <td>
                    <ShareWithInterval of={found.success} />
                  </td>
                  {!report.offline && (
                    <td>{found.missed.of === 0 ? '' : `${found.missed.count} of ${found.missed.of}`}</td>
                  )}
                  <td class="text">{found.effect}</td>
                  <td>{found.medianMs === null ? '' : `${wholeNumberText(found.medianMs)} ms`}</td>
                  <td>{wholeNumberText(found.schemaTokens)}</td>
                  <td class="text">
                    <CommonErrorText of={found} unitsAt={unitsAt} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const verdictTones = { works: 'good', struggles: 'warn', fails: 'bad', 'not-called': '' } as const;

function ShareWithInterval({ of: { count, of, share, interval } }: { readonly of: ObservedShare }) {
  if (share === null) return <>none</>;
  return (
    <>
      {`${count} of ${of}`}
      {interval !== null && (
        <>
          <small>{`${Math.round(100 * interval.low)}% to ${Math.round(100 * interval.high)}%`}</small>
          <Scale mean={share} {...interval} range={[0, 1]} />
        </>
      )}
    </>
  );
}

function CommonErrorText({
  of: { commonError, commonFailure },
  unitsAt,
}: {
  readonly of: ToolFindings;
  readonly unitsAt: string | null;
}) {
  if (commonError === null) return null;
  return (
    <>
      <UntrustedText text={commonError.text} />
      <small>
        {`${countWithNoun(commonError.count, 'time')}${commonFailure === null ? '' : `, ${commonFailure.class}`}, `}
        <UnitLinks units={[commonError.unit]} at={unitsAt} />
      </small>
    </>
  );
}

function ConfusionTable({ report: { confusions }, unitsAt }: ReportProps) {
  if (confusions.length === 0) return null;
  return (
    <section>
      <h2>Called in the place of another tool</h2>
      <ul>
        {confusions.map(({ expected, called, attempts, units }) => (
          <li key={`${expected} ${called}`}>
            <UntrustedText text={called} /> was called in place of <UntrustedText text={expected} />
            {` in ${attempts.count} of ${attempts.of} attempts${intervalInCountsText(attempts)} `}
            <UnitLinks units={units} at={unitsAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function TakenList({ report: { taken, negativeAttempts }, unitsAt }: ReportProps) {
  if (negativeAttempts === 0) return null;
  return (
    <section>
      <h2>Called where no tool fits</h2>
      {taken.length === 0 && <p>{`No tool was called in ${countWithNoun(negativeAttempts, 'attempt')}.`}</p>}
      <ul>
        {taken.map(({ tool, attempts, units }) => (
          <li key={tool}>
            <UntrustedText text={tool} />
            {` was called in ${attempts.count} of ${attempts.of} attempts${intervalInCountsText(attempts)} `}
            <UnitLinks units={units} at={unitsAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}
