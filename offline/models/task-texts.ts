import { z } from 'zod';
import { makeStepsWithFilledSlots, type Known, type Step } from './chaining.ts';
import { errandStyles, type Style } from './connectors.ts';
import type { SlotValue } from './literals.ts';
import { drawNameIntoStepsIfRoom, type Named } from './ambiguous-names.ts';
import type { Dice } from './seeded.ts';
import type { KnownTool } from './tools.ts';
import { stepAsClause } from './wording.ts';

/** A request has at most 4,000 characters; longer tasks are dropped. */
export const longestRequest = 3_800;
const attempts = 4;

/** What the text of a task must not contain. */
export interface Used {
  readonly value: (value: SlotValue) => boolean;
  readonly name: (name: string) => boolean;
}

const nothing: Used = { value: () => false, name: () => false };

/** Builds a task along these tools in this order, with its values; null if its text would be too long. */
export const drawTaskAlongToolsOrNull = (
  order: readonly KnownTool[],
  dice: Dice,
  used: Used = nothing,
): Named | null => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const named = drawNameIntoStepsIfRoom(makeStepsWithFilledSlots(order, dice, used.value), dice, used.name);
    if (drawTaskText(named.steps, dice).length <= longestRequest) return named;
  }
  return null;
};

/** A task as first worded. */
export const drawTaskText = (steps: readonly Step[], dice: Dice): string => {
  const clauses = steps.flatMap((step) => {
    const phrase = dice.pick(step.tool.phrases);
    return phrase === undefined ? [] : [stepAsClause(step, phrase)];
  });
  return joinClausesInRandomStyle(errandStyles, clauses, dice);
};

interface WrittenScenario {
  readonly flow: readonly { readonly gives: string; readonly needs: string; readonly value: string }[];
  readonly request: string;
  readonly factQuery: string;
}

/** Form `scenario` for a task: what passes between its steps, its text, and a question about what it mentions. */
export const fillScenarioForm = ({ steps, question }: Named, dice: Dice): WrittenScenario => {
  const [subject] = steps.flatMap((step) => step.tool.card.gives.map((output) => output.noun));
  const query = subject === undefined ? 'What is a computation?' : `What is meant by ${subject}?`;
  return { flow: listPassedValues(steps), request: drawTaskText(steps, dice), factQuery: question ?? query };
};

const listPassedValues = (steps: readonly Step[]): WrittenScenario['flow'] =>
  steps.flatMap(({ tool, fillings }) =>
    Object.values(fillings).flatMap((filling) => {
      const giver = filling.kind === 'given' ? steps[filling.step] : undefined;
      return filling.kind === 'given' && giver !== undefined
        ? [{ gives: giver.tool.name, needs: tool.name, value: filling.output.noun.slice(0, 2_000) }]
        : [];
    }),
  );

/** Joins clauses in one of the styles, as a sentence with a capital. */
export const joinClausesInRandomStyle = (styles: readonly Style[], clauses: readonly string[], dice: Dice): string => {
  const text = dice.pick(styles)?.(clauses) ?? clauses.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Counts the steps with a value from an earlier one. */
export const countFedSteps = (steps: readonly Step[]): number =>
  steps.filter((step) => Object.values(step.fillings).some((filling) => filling.kind === 'given')).length;

/** Returns a test whether a prompt lists a transition as known. */
export const makeKnownTransitionTest = (listed: unknown): Known => {
  const parsed = z.array(z.array(z.string())).safeParse(listed);
  const pairs = new Set((parsed.success ? parsed.data : []).map((pair) => pair.join('\u0000')));
  return (from, to) => pairs.has(`${from}\u0000${to}`);
};
