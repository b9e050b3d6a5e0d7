import type { Entry } from '#core/leaderboards/record.ts';
import { printable } from '../command-line/text.ts';

/** Describes the agent of an entry in lines. */
export function agentLines({ configuration: { loop, model, limits } }: Pick<Entry, 'configuration'>): string[] {
  const named = Object.entries(limits).map(([name, value]) => `${printable(name)} ${value}`);
  return [
    `  ${printable(loop)}, ${model === null ? 'its model is not known to the service' : `model ${printable(model)}`}`,
    ...(named.length === 0 ? [] : [`  limits: ${named.join(', ')}`]),
  ];
}

/** The prices behind an entry's cost; empty if nobody has named any. */
export function pricesText({ configuration: { prices } }: Pick<Entry, 'configuration'>): string {
  if (prices === undefined) return '';
  const { promptPricePerMTok, completionPricePerMTok } = prices;
  return `$${promptPricePerMTok} / $${completionPricePerMTok} for a million tokens, as the submitter named them`;
}
