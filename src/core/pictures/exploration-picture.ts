import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { LinkPicture } from './link-picture.ts';
import { offlineCaveat, sayBasis } from './picture-basis.ts';

/** The parts of an exploration that its picture shows. */
type PicturedExploration = Pick<
  ExplorationRecord,
  | 'id'
  | 'name'
  | 'status'
  | 'rounds'
  | 'units'
  | 'toolsExecuted'
  | 'transitions'
  | 'valuesPassed'
  | 'offline'
  | 'createdAt'
>;

/** Returns what a link to an exploration shows: how far the tool space is charted. */
export function makeExplorationPicture(record: PicturedExploration): LinkPicture {
  const { id, name, status, rounds, units, toolsExecuted, transitions, valuesPassed, offline, createdAt } = record;
  const made = Object.values(units).reduce((sum, count) => sum + count, 0);
  return {
    kind: 'Exploration',
    title: name,
    id,
    verdict: `${inThousands(units.accepted)} of ${inThousands(made)} units were accepted. ${inThousands(toolsExecuted)} tools were carried out, and ${inThousands(transitions)} transitions between them; ${inThousands(valuesPassed)} pass a value on.`,
    basis: sayBasis([
      offline ? offlineCaveat : null,
      `${status} after ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`,
      createdAt.slice(0, 10),
    ]),
    content: {
      kind: 'figures',
      figures: [
        { value: inThousands(units.accepted), of: 'accepted units' },
        { value: inThousands(toolsExecuted), of: 'tools carried out' },
        { value: inThousands(transitions), of: 'transitions between tools' },
      ],
    },
  };
}

const inThousands = (count: number): string => count.toLocaleString('en');
