import { makePrintableLine } from '../../client/command-line/text.ts';
import { alignColumns } from '../shared/aligned.ts';
import type { CheckFigures, Detection, ShownFinding } from './score.ts';

const heading = ['', 'faults', 'found', 'found low', 'not called', 'missed', 'share', '95% interval'];

/** Returns the figures as lines for a person: tables, then what there is to read. */
export function checkFigureLines(figures: CheckFigures): string[] {
  const { detection, byKind, falseAlarms, beside, callsAboveEffect } = figures;
  return [
    ...alignColumns([
      heading,
      ...byKind.map((each) => detectionCells(each.kind, each)),
      detectionCells('all', detection),
    ]),
    '',
    ...alignColumns([
      ['server', 'tools', 'faults', 'found', 'false alarms', 'calls', 'seconds'],
      ...figures.servers.map((each) => [
        each.server,
        ...[each.tools, each.faults, each.found, each.falseAlarms, each.calls].map(String),
        each.seconds.toFixed(1),
      ]),
    ]),
    ...figures.servers.flatMap(({ server, failed }) =>
      failed === null ? [] : [makePrintableLine(`${server} ended early: ${failed}`)],
    ),
    ...section(
      'faults that were not found',
      figures.faults.flatMap(({ server, tool, kind, status }) =>
        status === 'found' ? [] : [`${placeOf({ server, tool })}: ${kind} (${statusWords[status]})`],
      ),
    ),
    ...(figures.unnamed.length === 0
      ? []
      : section(
          'faults that no kind names, each with the findings at its place',
          figures.unnamed.flatMap((each) => [
            makePrintableLine(`${placeOf(each)}: ${each.what}`),
            ...each.findings.map((finding) => `  ${lineOf(finding)}`),
          ]),
        )),
    ...section(
      `false alarms: ${falseAlarms.alarmed} of ${falseAlarms.cleanTools} clean tools (${percentOf(falseAlarms.share)}, ${intervalOf(falseAlarms)})`,
      falseAlarms.list.map(lineOf),
    ),
    ...section('false alarms about servers', falseAlarms.atServers.map(lineOf)),
    ...section('findings beside the planted faults', beside.map(lineOf)),
    ...section(
      'calls above the allowed effect',
      callsAboveEffect.map(({ server, tool, calls }) => `${server}/${tool}: ${calls}`),
    ),
  ];
}

const statusWords = { foundLow: 'found low', notCalled: 'not called', missed: 'missed' } as const;

const detectionCells = (name: string, of: Detection): string[] => [
  name,
  ...[of.faults, of.found, of.foundLow, of.notCalled, of.missed].map(String),
  percentOf(of.share),
  intervalOf(of),
];

const section = (title: string, lines: readonly string[]): string[] => [
  '',
  title,
  ...(lines.length === 0 ? ['  none'] : lines.map((line) => `  ${line}`)),
];

const percentOf = (share: number | null): string => (share === null ? '' : `${(100 * share).toFixed(1)}%`);
const intervalOf = ({ low, high }: { readonly low: number; readonly high: number }): string =>
  `${percentOf(low)} to ${percentOf(high)}`;
const placeOf = ({ server, tool }: { readonly server: string; readonly tool: string | null }): string =>
  tool === null ? server : `${server}/${tool}`;
const lineOf = (finding: ShownFinding): string =>
  makePrintableLine(`${placeOf(finding)}: ${finding.rule}: ${finding.sentence}`);
