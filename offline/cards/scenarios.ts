import type { Card } from './card.ts';

/** What the tool of the server `scenarios` does. */
export const scenarios: readonly Card[] = [
  {
    tool: 'scenarios/get-scenario-data',
    phrases: [
      'project the revenue of a subscription business that starts at {customInputs} dollars a month',
      'model a year of growth from monthly recurring revenue of {customInputs}',
      'run the standard growth scenario with {customInputs} as the starting monthly revenue',
    ],
    slots: {
      customInputs: {
        kind: 'number',
        samples: [10000, 25000, 7500],
        argument: {
          startingMRR: '$value',
          monthlyGrowthRate: 5,
          monthlyChurnRate: 2,
          grossMargin: 80,
          fixedCosts: 5000,
        },
      },
    },
    gives: [
      { kind: 'text', noun: 'the projected total revenue', pick: { pattern: 'Total Revenue: (\\S+)' } },
      { kind: 'text', noun: 'the projected total profit', pick: { pattern: 'Total Profit: (\\S+)' } },
    ],
  },
];
