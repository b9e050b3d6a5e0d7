import { listSensesIfNameShared } from '../knowledge/names.ts';
import type { Filling, Step } from './chaining.ts';
import type { Dice } from './seeded.ts';

/**
 * Values with a name, for slots that accept any text or name. Most of these names have several meanings, so a request
 * with one of them is ambiguous; some mean one place only.
 */

interface Family {
  readonly names: readonly string[];
  /** What the passage about a thing of this family says; the prince of Troy is not a place. */
  readonly said: RegExp;
  readonly texts: readonly string[];
}

const splitAtSpaces = (list: string): string[] => list.split(' ');

const places: Family = {
  names: splitAtSpaces(
    'Cambridge Oxford Paris Athens Birmingham Melbourne Memphis Cairo Alexandria Valencia Toledo Georgetown Kingston Hamilton ' +
      'Tripoli Hyderabad Salem Portland Columbia Georgia Victoria Rochester Springfield Charleston Manchester Newport Aberdeen ' +
      'Lexington Concord Bethlehem',
  ),
  said: /\b(?:city|town|capital|state|port|republic|section)\b/u,
  texts: [
    'letters from {}',
    'the road to {}',
    'a walk through {}',
    'market day in {}',
    'the workshop in {}',
    'visitors from {}',
    'a clock for {}',
    'spring in {}',
  ],
};

const units: Family = {
  names: splitAtSpaces('gallon pint ton ounce mile hundredweight quart peck bushel gill'),
  said: /\b(?:unit|measure)\b/u,
  texts: [
    'one {} at a time',
    'the first {}',
    'half of one {}',
    'less than one {}',
    'the price of one {}',
    'every {} counts',
  ],
};

/** Names of one place each, which need no explanation. */
const settledNames = splitAtSpaces('Canberra Lisbon Reykjavik Nairobi Oslo Helsinki Montevideo Kathmandu');

/** How many tasks with room for it use an ambiguous name, and how many of the others an unambiguous one. */
const ambiguousShare = 0.9;
const settledShare = 0.5;
const placeShare = 0.75;
/** How many tasks without room make some: they state a text that they would have taken from an earlier step. */
const madeRoomShare = 0.55;

/** Values for slots that accept a name but no text. */
const namings: ReadonlyMap<string, string> = new Map([
  ['new-text-file', 'notes/{}.md'],
  ['new-place', 'archive/{}.md'],
  ['new-folder', 'reports/{}'],
  ['new-diagram', 'plans/{}.drawio.svg'],
  ['csv-line', '{},42,1890'],
  ['palette-name', '{}'],
  ['new-branch', '{}'],
  ['new-tag', '{}'],
  ['new-repository', '{}'],
  ['clone-folder', '{}'],
]);

/** A task, and the question whose answer says which thing it means; null if it mentions none. */
export interface Named {
  readonly steps: readonly Step[];
  readonly question: string | null;
}

/** Puts a name into one of the task's values, if there is room and the random draw says so; never a `used` name. */
export const drawNameIntoStepsIfRoom = (
  steps: readonly Step[],
  dice: Dice,
  used: (name: string) => boolean = () => false,
): Named => {
  const place =
    dice.pick(listStatedSlots(steps)) ??
    (dice.chance(madeRoomShare) ? dice.pick(listSparePassedSlots(steps)) : undefined);
  const spoken = dice.chance(ambiguousShare) ? drawAmbiguousName(dice, used) : drawUnambiguousName(dice, used);
  if (place === undefined || spoken === null) return { steps, question: null };
  const text = namings.get(place.kind) ?? dice.pick(spoken.texts) ?? '{}';
  const filling = { kind: 'stated', value: text.replace('{}', spoken.name) } as const;
  return {
    steps: steps.map((step, at) =>
      at === place.at ? { ...step, fillings: { ...step.fillings, [place.slot]: filling } } : step,
    ),
    question: spoken.question,
  };
};

interface Spoken {
  readonly name: string;
  readonly texts: readonly string[];
  readonly question: string;
}

const drawAmbiguousName = (dice: Dice, used: (name: string) => boolean): Spoken | null => {
  const family = dice.chance(placeShare) ? places : units;
  const name = dice.pick(family.names.filter((one) => !used(one)));
  const sense = dice.pick(listSensesIfNameShared(name ?? '').filter(({ said }) => family.said.test(said)));
  if (name === undefined || sense === undefined) return null;
  return { name, texts: family.texts, question: `Which ${name} is meant: ${name}, ${sense.said}?` };
};

const drawUnambiguousName = (dice: Dice, used: (name: string) => boolean): Spoken | null => {
  const name = dice.chance(settledShare) ? dice.pick(settledNames.filter((one) => !used(one))) : undefined;
  return name === undefined ? null : { name, texts: places.texts, question: `What is ${name}?` };
};

interface Place {
  readonly at: number;
  readonly slot: string;
  readonly kind: string;
}

/** The slots of a task that accept any text or any name, and their values. */
const listNameableSlots = (steps: readonly Step[]): (Place & { readonly filling: Filling })[] =>
  steps.flatMap(({ tool, fillings }, at) =>
    Object.entries(fillings).flatMap(([slot, filling]) => {
      const { kind = '', samples = [] } = tool.card.slots[slot] ?? {};
      const open = (kind === 'text' || namings.has(kind)) && typeof samples[0] === 'string';
      return open ? [{ at, slot, kind, filling }] : [];
    }),
  );

const listStatedSlots = (steps: readonly Step[]): Place[] =>
  listNameableSlots(steps).filter(({ filling }) => filling.kind === 'stated');

/** A place with a value from an earlier step, in a task that has several. */
const listSparePassedSlots = (steps: readonly Step[]): Place[] => {
  const given = steps.flatMap(({ fillings }) => Object.values(fillings).filter(({ kind }) => kind === 'given'));
  return given.length < 2 ? [] : listNameableSlots(steps).filter(({ filling }) => filling.kind === 'given');
};
