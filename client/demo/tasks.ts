import type { NewTask } from '#core/benchmarks/formats/task-format.ts';

/** A task of the demo, whose requests ask for one step after the other. */
interface DemoTask {
  /** Its key points, in the words of its request. */
  readonly steps: readonly [string, ...string[]];
  /** The same steps in other words. */
  readonly reworded: readonly [string, ...string[]];
  /** What a later step needs of an earlier one. */
  readonly dependencies?: string;
  /** The right answer, which never changes. */
  readonly truth: string;
  readonly chain: readonly string[];
}

const tasks: readonly DemoTask[] = [
  {
    steps: ['compute the "sha256" digest of "blue whale"'],
    reworded: ['fingerprint "blue whale" with the algorithm "sha256"'],
    truth: '2f2d0785b1901d46d89fb570ffe2e8502e9d3c0ee2da22e318333b493db716e1',
    chain: ['calc/hash'],
  },
  {
    steps: ['find out how many days the month of "2028-02-01" has'],
    reworded: ['get the length of the month around "2028-02-01"'],
    truth: '29',
    chain: ['time/days_in_month'],
  },
  {
    steps: ['write the base-10 number 7919 in the numeral system with the radix 16'],
    reworded: ['express the base-10 number 7919 with 16 different digits'],
    truth: '1eef',
    chain: ['calc/base'],
  },
  {
    steps: ['percent-encode "north/south pier" for use in a web address'],
    reworded: ['escape "north/south pier" so that it fits into a URL'],
    truth: 'north%2Fsouth%20pier',
    chain: ['calc/encode'],
  },
  {
    steps: ['work out the mean together with the median of [42, 38, 61, 17, 23]'],
    reworded: ['compute the statistics of the numbers [42, 38, 61, 17, 23]'],
    truth: '36.2',
    chain: ['calc/math'],
  },
  {
    steps: ['encode "tide tables" as Base64', 'compute the "md5" digest of the Base64 text'],
    reworded: ['write "tide tables" in Base64 notation', 'take the "md5" checksum of the string the Base64 text'],
    dependencies: 'The digest is of the Base64 text, so the text is encoded first.',
    truth: 'b99df80ed15264101eb871a0d60cadac',
    chain: ['calc/base64', 'calc/hash'],
  },
  {
    steps: ['add 45 days to the day "2026-11-30"', 'count the days of the month in which the later date falls'],
    reworded: ['find the calendar day 45 days after "2026-11-30"', 'get the length of the month around the later date'],
    dependencies: 'The month is that of the later date, so the date is found first.',
    truth: '31',
    chain: ['calc/date', 'time/days_in_month'],
  },
  {
    steps: [
      'show the complete contents of the file "notes/ideas.md"',
      'take the "sha256" checksum of the string the first line of the file',
    ],
    reworded: [
      'open the file "notes/ideas.md" to see everything in it',
      'compute the "sha256" digest of the first line of the file',
    ],
    dependencies: 'The checksum is of a line of the file, so the file is read first.',
    truth: '143676315039f7532fa4abab9f951a127e51fc2ea58901fb2da8845b91a57e52',
    chain: ['files/read_file', 'calc/hash'],
  },
  {
    steps: [
      'replace every match of the pattern "[0-9]+" in "gate 4 of pier 2" by "*"',
      'tally the characters, words plus lines of the replaced text',
      'take the "md5" checksum of the string the replaced text',
    ],
    reworded: [
      'swap all parts of "gate 4 of pier 2" that fit the expression "[0-9]+" for "*"',
      'find out how many characters the replaced text has',
      'compute the "md5" digest of the replaced text',
    ],
    dependencies: 'Count and checksum are of the replaced text, so the numbers are replaced first.',
    truth: '8b794cfecd4f99cd5e288013b2260d85',
    chain: ['calc/regex', 'calc/count', 'calc/hash'],
  },
  {
    steps: [
      'move "2027-02-14" forward in the calendar by 365 days',
      'find out how many days the month of the later date has',
      'compute the "sha1" digest of the later date',
    ],
    reworded: [
      'add 365 days to the day "2027-02-14"',
      'count the days of the month in which the later date falls',
      'take the "sha1" checksum of the string the later date',
    ],
    dependencies: 'Month and digest are of the later date, so the date is found first.',
    truth: '0dae48dca1f532eadaf76316ad240a565fa34bcb',
    chain: ['calc/date', 'time/days_in_month', 'calc/hash'],
  },
];

/** Returns the demo's tasks as units of a benchmark to be. */
export const listDemoTasks = (): NewTask[] =>
  tasks.map(({ steps, reworded, truth, chain, ...rest }, at) => ({
    kind: 'task',
    request: `First, ${steps.join(', then ')}.`,
    fuzzy: `Could you ${reworded.join('? After that, ')}?`,
    keyPoints: [...steps],
    truth,
    chain: [...chain],
    servers: [],
    ...rest,
    provenance: { collection: 'the demo', task: String(at + 1), category: 'demo' },
  }));
