import { makeRandom, shuffle } from '#core/values/random.ts';

/** The axes of the rubric and what is marked on each: MCP-Bench, section 5.2, in our words. */
const axes = [
  {
    axis: 'task completion',
    parts: [
      {
        part: 'fulfilment',
        asks: 'Which share of what the concrete task demands did the assistant achieve and report?',
      },
      { part: 'grounding', asks: 'Which share of what the answer states follows from results of calls?' },
    ],
  },
  {
    axis: 'tool selection',
    parts: [
      { part: 'choice', asks: 'Which share of the calls used the tool that fits its part of the task best?' },
      { part: 'parameters', asks: 'Which share of the calls had complete and right arguments?' },
    ],
  },
  {
    axis: 'planning effectiveness',
    parts: [
      {
        part: 'order',
        asks: 'Which share of the dependencies was respected: what had to be known first was found first, and was used?',
      },
      {
        part: 'economy',
        asks: 'Which share of the calls was needed, and, if they do not depend on each other, made in one round?',
      },
    ],
  },
] as const;

export type RubricPart = (typeof axes)[number]['parts'][number]['part'];

/** The sub-scores, in the order in which results show them. */
export const rubricParts: readonly RubricPart[] = axes.flatMap(({ parts }) => parts.map(({ part }) => part));

/** Returns the title of a sub-score's axis. */
export const axisTitleOfPart = (wanted: RubricPart): string =>
  axes.find(({ parts }) => parts.some(({ part }) => part === wanted))?.axis ?? '';

/** A rubric as a judge sees it. */
type ShownRubric = readonly {
  readonly axis: string;
  readonly parts: readonly { readonly part: RubricPart; readonly asks: string }[];
}[];

/**
 * Returns the rubric with its axes, and the sub-scores of each, in an order that the task and the repetition determine: all agents are
 * judged by the same orders.
 */
export function shuffleRubric(task: string, repetition: number): ShownRubric {
  const random = makeRandom('rubric', task, repetition);
  return shuffle<ShownRubric[number]>(random, axes).map(({ axis, parts }) => ({ axis, parts: shuffle(random, parts) }));
}
