import type { Card } from './card.ts';

/** What the tool of the server `budget` does. */
export const budget: readonly Card[] = [
  {
    tool: 'budget/get-budget-data',
    phrases: [
      'show the default budget with its categories',
      'look up how the budget is allocated by default',
      'get the budget configuration together with its benchmarks',
    ],
    slots: {},
    gives: [
      { kind: 'text', noun: 'the default budget', pick: { pattern: 'Default Budget: (\\S+)' } },
      { kind: 'text', noun: 'the default company stage', pick: { pattern: 'Default Stage: (.+)' } },
    ],
  },
];
