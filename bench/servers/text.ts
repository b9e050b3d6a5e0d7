import { alignColumns } from '../shared/aligned.ts';
import type { ServerFigures } from './figures.ts';

const heading = [
  'server',
  'calls',
  'successes',
  'failures',
  'of them reported',
  'faults',
  'units accepted',
  'completed',
  'tools',
  'called',
  'succeeded',
  'read or create',
  'succeeded',
  'other',
];

/** Returns the figures as the lines of a table, that of all servers last, and the failures by class. */
export const serverTableLines = (servers: readonly ServerFigures[], all: ServerFigures): string[] => [
  ...alignColumns([heading, ...[...servers, all].map(serverTableCells)]),
  '',
  ...Object.entries(all.classes).map(([name, count]) => `${name}: ${count}`),
];

const serverTableCells = (figures: ServerFigures): string[] => [
  figures.server,
  ...[
    figures.calls,
    figures.successes,
    figures.failures,
    figures.reported,
    figures.faults,
    figures.accepted,
    figures.completed,
    figures.tools,
    figures.called,
    figures.succeeded,
    figures.gentle,
    figures.gentleSucceeded,
    figures.other,
  ].map(String),
];
