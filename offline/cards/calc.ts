import type { Card } from './card.ts';

const BARE_JWT = 'eyJhbGciOiJub25lIn0';

/** What the tools of the server `calc` do. */
export const calc: readonly Card[] = [
  {
    tool: 'calc/random',
    phrases: [
      'generate an arbitrary UUID of version {uuidVersion}',
      'make up a fresh universally unique identifier, version {uuidVersion}',
      'give me a new UUID in the {uuidVersion} layout',
    ],
    slots: { uuidVersion: { kind: 'uuid-version', samples: ['v4', 'v7'] } },
    constants: { type: 'uuid' },
    gives: [{ kind: 'text', noun: 'the fresh UUID', pick: { whole: true } }],
  },
  {
    tool: 'calc/hash',
    phrases: [
      'compute the {algorithm} digest of {input}',
      'fingerprint {input} with the algorithm {algorithm}',
      'take the {algorithm} checksum of the string {input}',
    ],
    slots: {
      input: { kind: 'text', samples: ['blue whale', 'harbour at dawn', 'seven lamps', 'brass clock'] },
      algorithm: { kind: 'hash-algorithm', samples: ['sha256', 'sha512', 'sha1', 'md5', 'crc32'] },
    },
    gives: [{ kind: 'text', noun: 'the digest', pick: { path: 'hash' } }],
  },
  {
    tool: 'calc/base64',
    phrases: ['encode {input} as Base64', 'turn {input} into its Base64 form', 'write {input} in Base64 notation'],
    slots: { input: { kind: 'text', samples: ['open the gate', 'tide tables', 'Ines Duarte'] } },
    constants: { action: 'encode' },
    gives: [{ kind: 'text', noun: 'the Base64 text', pick: { whole: true } }],
  },
  {
    tool: 'calc/encode',
    phrases: [
      'percent-encode {input} for use in a web address',
      'escape {input} so that it fits into a URL',
      'apply URL encoding to {input}',
    ],
    slots: { input: { kind: 'text', samples: ['bread & butter', 'north/south pier', 'what time is it?'] } },
    constants: { action: 'encode', type: 'url' },
    gives: [{ kind: 'text', noun: 'the percent-encoded text', pick: { whole: true } }],
  },
  {
    tool: 'calc/datetime',
    phrases: [
      'express the moment {datetime} of the zone {fromTimezone} in the zone {toTimezone}',
      'shift the date and hour {datetime} from the zone {fromTimezone} over to {toTimezone}',
      'rewrite {datetime}, given in {fromTimezone}, as an ISO date with the offset of {toTimezone}',
    ],
    slots: {
      datetime: { kind: 'datetime', samples: ['2026-03-02 09:00:00', '2026-07-14 18:30:00', '2027-01-05 23:15:00'] },
      fromTimezone: { kind: 'timezone', samples: ['Europe/Berlin', 'America/New_York', 'Australia/Sydney'] },
      toTimezone: { kind: 'timezone', samples: ['Asia/Tokyo', 'Europe/Lisbon', 'America/Bogota'] },
    },
    constants: { action: 'convert' },
    gives: [{ kind: 'iso-datetime', noun: 'the shifted moment', pick: { whole: true } }],
  },
  {
    tool: 'calc/count',
    phrases: [
      'tally the characters, words plus lines of {text}',
      'find out how many characters {text} has',
      'measure the length of the text {text}',
    ],
    slots: { text: { kind: 'text', samples: ['a quick brown fox', 'two benches beside one lathe', 'low tide'] } },
    gives: [
      { kind: 'integer', noun: 'the number of characters', pick: { path: 'characters' } },
      { kind: 'integer', noun: 'the number of words', pick: { path: 'words' } },
    ],
  },
  {
    tool: 'calc/math',
    phrases: [
      'compute the statistics of the numbers {values}',
      'summarise the series {values} with its mean, median plus deviation',
      'work out the mean together with the median of {values}',
    ],
    slots: {
      values: {
        kind: 'number-list',
        samples: [
          [3, 5, 8, 13],
          [12.5, 7, 19, 4.25],
          [42, 38, 61, 17, 23],
        ],
      },
    },
    constants: { action: 'statistics' },
    gives: [
      { kind: 'number', noun: 'the median', pick: { path: 'median' } },
      { kind: 'number', noun: 'the mean', pick: { path: 'mean' } },
      { kind: 'number', noun: 'the standard deviation', pick: { path: 'stddev' } },
    ],
  },
  {
    tool: 'calc/date',
    phrases: [
      'add {amount} days to the day {date}',
      'find the calendar day {amount} days after {date}',
      'move {date} forward in the calendar by {amount} days',
    ],
    slots: {
      amount: { kind: 'day-count', samples: [10, 45, 90, 365] },
      date: { kind: 'date', samples: ['2026-03-02', '2026-11-30', '2027-02-14'] },
    },
    constants: { action: 'add', unit: 'days' },
    gives: [{ kind: 'date', noun: 'the later date', pick: { pattern: '^(\\d{4}-\\d{2}-\\d{2})' } }],
  },
  {
    tool: 'calc/regex',
    phrases: [
      'replace every match of the pattern {pattern} in {text} by {replacement}',
      'substitute {replacement} for whatever the regular expression {pattern} finds in {text}',
      'swap all parts of {text} that fit the expression {pattern} for {replacement}',
    ],
    slots: {
      pattern: { kind: 'regex-pattern', samples: ['[aeiou]', '[0-9]+', '[ ]+'] },
      text: { kind: 'text', samples: ['room 12 on floor 3', 'call at 9 or at 17', 'gate 4 of pier 2'] },
      replacement: { kind: 'separator', samples: ['_', '-', '*'] },
    },
    constants: { action: 'replace', flags: 'g' },
    gives: [{ kind: 'text', noun: 'the replaced text', pick: { whole: true } }],
  },
  {
    tool: 'calc/base',
    phrases: [
      'convert the base-10 number {value} to radix {to}',
      'write the base-10 number {value} in the numeral system with the radix {to}',
      'express the base-10 number {value} with {to} different digits',
    ],
    slots: {
      value: { kind: 'integer', samples: [255, 1024, 65535, 7919] },
      to: { kind: 'number-base', samples: [16, 2, 8, 36] },
    },
    constants: { from: 10 },
    gives: [{ kind: 'text', noun: 'the numeral in the new base', pick: { path: 'result' } }],
  },
  {
    tool: 'calc/diff',
    phrases: [
      'compute the edit distance between {text1} and {text2}',
      'find out by how many edits {text1} differs from {text2}',
      'measure the Levenshtein distance from {text1} to {text2}',
    ],
    slots: {
      text1: { kind: 'text', samples: ['kitten', 'harbour', 'lanterns'] },
      text2: { kind: 'text', samples: ['sitting', 'labour', 'pantry'] },
    },
    constants: { action: 'distance' },
    gives: [{ kind: 'integer', noun: 'the edit distance', pick: { path: 'distance' } }],
  },
  {
    tool: 'calc/format_validate',
    phrases: [
      'check that {input} is a valid CSV line',
      'validate the comma-separated line {input}',
      'parse {input} as CSV to see whether it is well formed',
    ],
    slots: {
      input: { kind: 'csv-line', samples: ['port,height,hour', 'name;city,age', 'lamp,42,1890'] },
    },
    constants: { format: 'csv' },
    gives: [{ kind: 'text', noun: 'the first CSV column', pick: { path: 'headers.0' } }],
  },
  {
    tool: 'calc/cron_parse',
    phrases: [
      'find the next run of the cron schedule {expression}',
      'tell when the cron expression {expression} fires next',
      'explain the cron line {expression} with its next occurrence',
    ],
    slots: { expression: { kind: 'cron', samples: ['0 9 * * 1', '30 6 1 * *', '*/15 * * * *', '0 0 * * 0'] } },
    constants: { count: 1 },
    gives: [
      { kind: 'iso-datetime', noun: 'the next run', pick: { path: 'nextOccurrences.0' } },
      { kind: 'text', noun: 'the schedule in words', pick: { path: 'description' } },
    ],
  },
  {
    tool: 'calc/luhn',
    phrases: [
      'append a Luhn check digit to the number {number}',
      'complete the card number {number} with its Luhn digit',
      'calculate the Luhn check digit that belongs to {number}',
    ],
    slots: { number: { kind: 'digits', samples: ['7992739871', '453201511283036', '37828224631000'] } },
    constants: { action: 'generate' },
    gives: [{ kind: 'digits', noun: 'the number with its check digit', pick: { path: 'number' } }],
  },
  {
    tool: 'calc/ip',
    phrases: [
      'work out the address range of the network {cidr}',
      'list the first host plus the broadcast address of the network {cidr}',
      'find how many hosts fit into the subnet {cidr}',
    ],
    slots: { cidr: { kind: 'cidr', samples: ['192.168.1.0/24', '10.20.0.0/16', '172.16.4.0/22'] } },
    constants: { action: 'range' },
    gives: [
      { kind: 'text', noun: 'the first host address', pick: { path: 'firstHost' } },
      { kind: 'text', noun: 'the broadcast address', pick: { path: 'broadcast' } },
      { kind: 'integer', noun: 'the number of hosts', pick: { path: 'hostCount' } },
    ],
  },
  {
    tool: 'calc/color',
    phrases: [
      'convert the colour {color} to hexadecimal',
      'give the hex code of the colour {color}',
      'write the colour {color} as a hash with six hex digits',
    ],
    slots: { color: { kind: 'color', samples: ['teal', 'rgb(32, 96, 160)', 'hsl(210, 60%, 40%)', 'tomato'] } },
    constants: { to: 'hex' },
    gives: [{ kind: 'hex-color', noun: 'the hex code', pick: { whole: true } }],
  },
  {
    tool: 'calc/convert',
    phrases: [
      'change {value} kilometres to miles',
      'turn a distance of {value} kilometres into miles',
      'express {value} km in miles',
    ],
    slots: { value: { kind: 'number', samples: [10, 42.195, 384400, 7.5] } },
    constants: { from: 'km', to: 'mi', category: 'length' },
    gives: [{ kind: 'number', noun: 'the distance in miles', pick: { path: 'result' } }],
  },
  {
    tool: 'calc/char_info',
    phrases: [
      'look up the Unicode block of the character {char}',
      'tell the code point of the letter {char}',
      'describe the character {char} as Unicode knows it',
    ],
    slots: { char: { kind: 'character', samples: ['é', 'ß', 'λ', '月'] } },
    gives: [
      { kind: 'text', noun: 'the Unicode block', pick: { path: '0.codePoints.0.block' } },
      { kind: 'text', noun: 'the code point', pick: { path: '0.codePoints.0.hex' } },
    ],
  },
  {
    tool: 'calc/jwt_decode',
    phrases: [
      'decode the web token {token}',
      'read the payload of the JWT {token}',
      'look inside the JSON web token {token} without checking its signature',
    ],
    slots: {
      token: {
        kind: 'jwt',
        samples: [
          `${BARE_JWT}.eyJzdWIiOiJpbmVzIiwibmFtZSI6IkluZXMgRHVhcnRlIn0.c2ln`,
          `${BARE_JWT}.eyJzdWIiOiJ0b21hcyIsIm5hbWUiOiJUb21hcyBCZXJnIn0.c2ln`,
          `${BARE_JWT}.eyJzdWIiOiJ3aW0iLCJuYW1lIjoiV2ltIEphbnNlbiJ9.c2ln`,
        ],
      },
    },
    gives: [
      { kind: 'text', noun: 'the subject of the token', pick: { path: 'payload.sub' } },
      { kind: 'text', noun: 'the name in the token', pick: { path: 'payload.name' } },
    ],
  },
  {
    tool: 'calc/url_parse',
    phrases: [
      'split the web address {url} into its parts',
      'take the URL {url} apart',
      'find the host together with the path of the link {url}',
    ],
    slots: {
      url: {
        kind: 'url',
        samples: [
          'https://shop.example.com:8080/lamps?color=blue',
          'https://docs.example.org/guide/start#install',
          'http://maps.example.net/harbour?zoom=12',
        ],
      },
    },
    gives: [
      { kind: 'text', noun: 'the host of the address', pick: { path: 'hostname' } },
      { kind: 'text', noun: 'the path of the address', pick: { path: 'pathname' } },
    ],
  },
  {
    tool: 'calc/semver',
    phrases: [
      'test whether the version {version} satisfies the range {range}',
      'check the release {version} against the version range {range}',
      'find out if {version} falls within the semantic range {range}',
    ],
    slots: {
      version: { kind: 'version', samples: ['1.4.2', '2.0.0', '0.9.13'] },
      range: { kind: 'version-range', samples: ['^1.0.0', '>=0.9.0 <2.1.0', '~2.0.0'] },
    },
    constants: { action: 'satisfies' },
    gives: [],
  },
];
