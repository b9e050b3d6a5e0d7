import type { Card } from './card.ts';

/** What the tool of the server `customers` does. */
export const customers: readonly Card[] = [
  {
    tool: 'customers/get-customer-data',
    phrases: [
      'list the customers of the segment {segment}',
      'show which companies belong to the {segment} customers',
      'get the customer records for {segment}',
    ],
    slots: { segment: { kind: 'customer-segment', samples: ['Enterprise', 'Mid-Market', 'SMB', 'Startup'] } },
    gives: [
      { kind: 'text', noun: 'the name of the first customer', pick: { path: 'customers.0.name' } },
      { kind: 'integer', noun: 'the revenue of the first customer', pick: { path: 'customers.0.annualRevenue' } },
    ],
  },
];
