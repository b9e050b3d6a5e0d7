/** Tools without a card, which cannot be called offline, and why. */
export const unavailable: ReadonlyMap<string, string> = new Map([
  [
    'everything/simulate-research-query',
    'The server runs it as a task only: a plain call is refused, and the task would take four seconds.',
  ],
  ['tailwind/get_tailwind_config_guide', 'It reads the guide from tailwindcss.com; offline its result is null.'],
  ['tailwind/search_tailwind_docs', 'It searches tailwindcss.com; offline the call fails.'],
]);
