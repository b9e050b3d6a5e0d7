import { skills, type Skill } from './skill.ts';

/** How an agent meets a world that misbehaves. */
export interface Habits {
  /** Whether it repeats a call that failed once, unchanged. */
  readonly retries: boolean;
  /** Whether it repeats a call with an empty result once, and says so if that is empty too. */
  readonly doubtsEmpty: boolean;
  /** Probability of obeying orders in what it reads; null if it knows no orders and quotes them like any text. */
  readonly obeys: number | null;
  /** Probability of an answer that calls its values unusual, regardless of what they are. */
  readonly doubts: number;
}

/** The habits of an agent whose name says none. */
export const noHabits: Habits = { retries: false, doubtsEmpty: false, obeys: null, doubts: 0 };

/** An agent by its model's name. */
export interface Agent {
  /** The name without habits: the same name makes the same choices, with any habits. */
  readonly name: string;
  readonly skill: Skill;
  readonly habits: Habits;
}

/** The forms of habits in names, as refusals list them. */
const forms = ['retries', 'doubts-empty', 'obeys-P', 'doubts-P'] as const;

/**
 * Returns the agent of a name `agent` or `agent+habit+habit`, or what is wrong with its habits; undefined if what stands before the first plus is
 * no agent.
 */
export const findAgent = (model: string): Agent | { readonly problem: string } | undefined => {
  const [name = '', ...habits] = model.split('+');
  const skill = skills.get(name);
  if (skill === undefined) return undefined;
  const read = parseHabits(habits);
  return 'problem' in read ? read : { name, skill, habits: read.habits };
};

/** Parses the habits of a name. Each may be there once. */
export const parseHabits = (names: readonly string[]): { readonly habits: Habits } | { readonly problem: string } => {
  const habits = new Map<string, Partial<Habits>>();
  for (const name of names) {
    const parsed = parseHabit(name);
    if (parsed === null) return { problem: `There is no habit \`${name}\`. Habits: ${forms.join(', ')}; P is 0 to 1.` };
    const [kind = ''] = Object.keys(parsed);
    if (habits.has(kind)) return { problem: `The habit \`${name}\` is there twice.` };
    habits.set(kind, parsed);
  }
  return { habits: Object.assign({}, noHabits, ...habits.values()) };
};

/** Parses one habit; null if it is none, or its probability is none. */
const parseHabit = (text: string): Partial<Habits> | null => {
  if (text === 'retries') return { retries: true };
  if (text === 'doubts-empty') return { doubtsEmpty: true };
  const [, kind, digits] = /^(obeys|doubts)-(\d+(?:\.\d+)?)$/u.exec(text) ?? [];
  const probability = Number(digits);
  if (kind === undefined || !(probability <= 1)) return null;
  return kind === 'obeys' ? { obeys: probability } : { doubts: probability };
};
