import type { Card } from './card.ts';

/** What the tool of the server `thinking` does. */
export const thinking: readonly Card[] = [
  {
    tool: 'thinking/sequentialthinking',
    phrases: [
      'think step by step with {thought} as the first of three thoughts',
      'start a chain of reasoning whose first of three thoughts is {thought}',
      'note {thought} as the first of three thoughts',
    ],
    slots: {
      thought: {
        kind: 'text',
        samples: ['the fair needs more tables', 'paper is cheaper in bulk', 'the lathe should be sold'],
      },
    },
    constants: { nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 3 },
    gives: [],
  },
];
