import type { Card } from './card.ts';

/** What the tools of the server `time` do. */
export const time: readonly Card[] = [
  {
    tool: 'time/current_time',
    phrases: [
      'look up the current date in the zone {timezone}',
      "tell today's date for someone in {timezone}",
      'find out which day it is now in {timezone}',
    ],
    slots: { timezone: { kind: 'timezone', samples: ['Europe/Vienna', 'Asia/Shanghai', 'America/Chicago'] } },
    constants: { format: 'YYYY-MM-DD' },
    gives: [{ kind: 'date', noun: "today's date", pick: { pattern: 'the time in \\S+ is (\\d{4}-\\d{2}-\\d{2})' } }],
  },
  {
    tool: 'time/relative_time',
    phrases: [
      'say how far away {time} is from now',
      'tell in words how long it is until or since {time}',
      'describe {time} relative to the present moment',
    ],
    slots: {
      time: { kind: 'datetime', samples: ['2031-05-01 12:00:00', '2019-09-20 08:30:00', '2045-01-01 00:00:00'] },
    },
    gives: [{ kind: 'text', noun: 'the relative time', pick: { whole: true } }],
  },
  {
    tool: 'time/days_in_month',
    phrases: [
      'count the days of the month in which {date} falls',
      'find out how many days the month of {date} has',
      'get the length of the month around {date}',
    ],
    slots: { date: { kind: 'date', samples: ['2026-02-10', '2028-02-01', '2026-04-15'] } },
    gives: [{ kind: 'day-count', noun: 'the length of the month', pick: { pattern: 'is (\\d+)' } }],
  },
  {
    tool: 'time/get_timestamp',
    phrases: [
      'compute the Unix timestamp in milliseconds of {time}',
      'turn {time} into milliseconds since the epoch',
      'get the epoch timestamp for {time}',
    ],
    slots: {
      time: { kind: 'datetime', samples: ['2026-03-02 12:00:00', '2030-12-24 18:00:00', '2024-02-29 06:45:00'] },
    },
    gives: [{ kind: 'integer', noun: 'the timestamp', pick: { pattern: 'is (-?\\d+) ms' } }],
  },
  {
    tool: 'time/convert_time',
    phrases: [
      'work out what the clock shows in {targetTimezone} when it is {time} in {sourceTimezone}',
      'convert the local time {time} of {sourceTimezone} to the local time of {targetTimezone}',
      'translate {time} on a wall clock in {sourceTimezone} to a wall clock in {targetTimezone}',
    ],
    slots: {
      time: { kind: 'datetime', samples: ['2026-05-11 07:20:00', '2026-10-03 21:05:00', '2027-03-19 13:40:00'] },
      sourceTimezone: { kind: 'timezone', samples: ['Asia/Tokyo', 'Europe/Madrid', 'America/Denver'] },
      targetTimezone: { kind: 'timezone', samples: ['Europe/London', 'Asia/Kolkata', 'Africa/Nairobi'] },
    },
    gives: [
      {
        kind: 'datetime',
        noun: 'the converted time',
        pick: { pattern: 'and the time in \\S+ is (\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2})' },
      },
    ],
  },
  {
    tool: 'time/get_week_year',
    phrases: [
      'find the week number of {date}',
      'tell in which week of the year {date} lies',
      'get the ISO week for the day {date}',
    ],
    slots: { date: { kind: 'date', samples: ['2026-03-02', '2026-08-17', '2027-01-01'] } },
    gives: [{ kind: 'integer', noun: 'the ISO week', pick: { pattern: 'isoWeek of the year is (\\d+)' } }],
  },
];
