const weekdays = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

/** Returns the day of a time in milliseconds, in UTC, as agents are told it: `Monday, 2026-11-23`. */
export const utcWeekdayAndDateText = (ms: number): string =>
  `${weekdays.format(ms)}, ${new Date(ms).toISOString().slice(0, 10)}`;
