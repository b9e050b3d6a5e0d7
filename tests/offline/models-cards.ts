import type { Card } from '../../offline/cards/card.ts';

const list: readonly Card[] = [
  {
    tool: 'calc/statistics_of',
    phrases: [
      'work out the statistics of {values}',
      'give me mean and spread for the figures {values}',
      'summarise the numbers {values} statistically',
    ],
    slots: {
      values: {
        kind: 'numbers',
        samples: [
          [3, 5, 8],
          [2, 4.5, 9],
          [10, 20, 40, 80],
        ],
      },
    },
    gives: [
      { kind: 'number', noun: 'the mean', pick: { path: 'mean' } },
      { kind: 'number', noun: 'the standard deviation', pick: { path: 'spread.deviation' } },
    ],
  },
  {
    tool: 'calc/hash_text',
    phrases: [
      'compute the SHA-256 checksum of {text}',
      'take {text} and derive its SHA-256 fingerprint',
      'fingerprint {text} with SHA-256',
    ],
    slots: { text: { kind: 'text', samples: ['blue heron', 'say `hi`, then "go"; done', 'a, b. Then c'] } },
    constants: { algorithm: 'sha256' },
    gives: [{ kind: 'digest', noun: 'the SHA-256 digest', pick: { pattern: 'digest: ([0-9a-f]+)' } }],
  },
  {
    tool: 'calc/power_of',
    phrases: [
      'raise {base} to the power of {exponent}',
      'get {base} multiplied by itself {exponent} times over',
      'exponentiate {base} by {exponent}',
    ],
    slots: { base: { kind: 'number', samples: [2, -3, 1.5] }, exponent: { kind: 'integer', samples: [2, 3, 7] } },
    gives: [{ kind: 'number', noun: 'the power', pick: { whole: true } }],
  },
  {
    tool: 'files/write_note',
    phrases: [
      'store {content} in the file {path}',
      'put {content} into a file called {path}',
      'save {content} under the path {path}',
    ],
    slots: {
      content: { kind: 'text', samples: ['milk and bread', 'line one\nline two', '{"a": [1, 2]}'] },
      path: { kind: 'file-path', samples: ['notes/a.txt', 'b.md', 'c d.csv'] },
    },
    gives: [{ kind: 'file-path', noun: 'the path of the stored file', pick: { path: 'path' } }],
  },
  {
    tool: 'files/read_note',
    phrases: [
      'read what the file {path} holds',
      'show me the contents of {path}',
      'open the file {path} and tell me its text',
    ],
    slots: { path: { kind: 'file-path', samples: ['notes/a.txt', 'b.md', 'c d.csv'] } },
    gives: [{ kind: 'text', noun: 'the contents of the file', pick: { whole: true } }],
  },
  {
    tool: 'files/delete_note',
    phrases: ['remove the file {path}', 'delete {path} from the folder', 'get rid of the document at {path}'],
    slots: { path: { kind: 'file-path', samples: ['old.txt', 'b.md', 'c d.csv'] } },
    gives: [],
  },
  {
    tool: 'memory/create_entry',
    phrases: [
      'remember an entry named {entities}',
      'add {entities} to the knowledge graph as an entry',
      'note down {entities} as a new thing to know',
    ],
    slots: {
      entities: {
        kind: 'text',
        samples: ['harbour', 'lighthouse keeper', 'tide table'],
        argument: [{ name: '$value', entityType: 'note', observations: [] }],
      },
    },
    gives: [],
  },
  {
    tool: 'memory/find_entries',
    phrases: [
      'look in the knowledge graph for {query}',
      'search what is remembered about {query}',
      'find entries that mention {query}',
    ],
    slots: { query: { kind: 'text', samples: ['harbour', 'keeper', 'tide'] } },
    gives: [{ kind: 'text', noun: 'the entries found', pick: { whole: true } }],
  },
  {
    tool: 'time/week_number',
    phrases: [
      'tell me which week of the year {date} falls in',
      'find the calendar week for {date}',
      'say the number of the week that contains {date}',
    ],
    slots: { date: { kind: 'date', samples: ['2031-03-04', '2030-12-24', '2032-07-01'] } },
    gives: [{ kind: 'integer', noun: 'the calendar week', pick: { pattern: '(\\d+)' } }],
  },
  {
    tool: 'time/today_date',
    phrases: ["look up today's date", 'check what day it is', 'get the present date'],
    slots: {},
    gives: [{ kind: 'date', noun: "today's date", pick: { pattern: '(\\d{4}-\\d\\d-\\d\\d)' } }],
  },
];

/** A few cards that cover what cards can say, for tests that plant faults. */
export const testCards: ReadonlyMap<string, Card> = new Map(list.map((card) => [card.tool, card]));
