import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { LinkPicture } from './link-picture.ts';
import { countText, offlineCaveat, sayBasis } from './picture-basis.ts';

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
    verdict: `${inThousands(units.accepted)} of ${countText(made, 'unit')} were accepted, over ${countText(toolsExecuted, 'tool')}; ${inThousands(valuesPassed)} of ${countText(transitions, 'transition')} between tools pass a value on.`,
    caveat: offline ? offlineCaveat : null,
    basis: sayBasis([`${status} after ${countText(rounds, 'round')}`, createdAt.slice(0, 10)]),
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
