import type { NewTask } from '#core/formats/task-format.ts';

/** A task of the demo: its steps are its key points, and its request asks for one after the other. */
interface DemoTask {
  readonly steps: readonly [string, ...string[]];
  /** The right answer, which never changes. */
  readonly truth: string;
  readonly chain: readonly string[];
}

const tasks: readonly DemoTask[] = [
  {
    steps: ['compute the "sha256" digest of "blue whale"'],
    truth: '2f2d0785b1901d46d89fb570ffe2e8502e9d3c0ee2da22e318333b493db716e1',
    chain: ['calc/hash'],
  },
  {
    steps: ['find out how many days the month of "2028-02-01" has'],
    truth: '29',
    chain: ['time/days_in_month'],
  },
  {
    steps: ['write the base-10 number 7919 in the numeral system with the radix 16'],
    truth: '1eef',
    chain: ['calc/base'],
  },
  {
    steps: ['percent-encode "north/south pier" for use in a web address'],
    truth: 'north%2Fsouth%20pier',
    chain: ['calc/encode'],
  },
  {
    steps: ['work out the mean together with the median of [42, 38, 61, 17, 23]'],
    truth: '36.2',
    chain: ['calc/math'],
  },
  {
    steps: ['encode "tide tables" as Base64', 'compute the "md5" digest of the Base64 text'],
    truth: 'b99df80ed15264101eb871a0d60cadac',
    chain: ['calc/base64', 'calc/hash'],
  },
  {
    steps: ['add 45 days to the day "2026-11-30"', 'count the days of the month in which the later date falls'],
    truth: '31',
    chain: ['calc/date', 'time/days_in_month'],
  },
  {
    steps: [
      'show the complete contents of the file "notes/ideas.md"',
      'take the "sha256" checksum of the string the first line of the file',
    ],
    truth: '143676315039f7532fa4abab9f951a127e51fc2ea58901fb2da8845b91a57e52',
    chain: ['files/read_file', 'calc/hash'],
  },
  {
    steps: [
      'replace every match of the pattern "[0-9]+" in "gate 4 of pier 2" by "*"',
      'tally the characters, words plus lines of the replaced text',
      'take the "md5" checksum of the string the replaced text',
    ],
    truth: '8b794cfecd4f99cd5e288013b2260d85',
    chain: ['calc/regex', 'calc/count', 'calc/hash'],
  },
  {
    steps: [
      'move "2027-02-14" forward in the calendar by 365 days',
      'find out how many days the month of the later date has',
      'compute the "sha1" digest of the later date',
    ],
    truth: '0dae48dca1f532eadaf76316ad240a565fa34bcb',
    chain: ['calc/date', 'time/days_in_month', 'calc/hash'],
  },
];

/** Returns the demo's tasks as units of a benchmark to be. */
export const listDemoTasks = (): NewTask[] =>
  tasks.map(({ steps, truth, chain }, at) => ({
    kind: 'task',
    request: `First, ${steps.join(', then ')}.`,
    keyPoints: [...steps],
    truth,
    chain: [...chain],
    servers: [],
    provenance: { collection: 'the demo', task: String(at + 1), category: 'demo' },
  }));
