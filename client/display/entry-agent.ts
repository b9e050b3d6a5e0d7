import type { Entry } from '#core/leaderboards/record.ts';
import { isolationText, mountingAndToolCountsText } from '#core/leaderboards/figure-texts.ts';
import { makePrintableLine } from '../command-line/text.ts';

/** Describes the agent of an entry in lines. */
export function agentLines(entry: Pick<Entry, 'configuration' | 'mounted' | 'isolation'>): string[] {
  const { loop, model, limits } = entry.configuration;
  const named = Object.entries(limits).map(([name, value]) => `${makePrintableLine(name)} ${value}`);
  return [
    `  ${makePrintableLine(loop)}, ${model === null ? 'its model is not known to the service' : `model ${makePrintableLine(model)}`}`,
    ...(named.length === 0 ? [] : [`  limits: ${named.join(', ')}`]),
    `  mounting: ${mountingAndToolCountsText(entry)}`,
    `  servers: ${makePrintableLine(isolationText(entry))}`,
  ];
}

/** The prices behind an entry's cost; empty if nobody has named any. */
export function pricesText({ configuration: { prices } }: Pick<Entry, 'configuration'>): string {
  if (prices === undefined) return '';
  const { promptPricePerMTok, completionPricePerMTok } = prices;
  return `$${promptPricePerMTok} / $${completionPricePerMTok} for a million tokens, as the submitter named them`;
}
