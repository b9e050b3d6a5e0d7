import { shownDescriptionChars } from '#core/catalog/shown-description.ts';
import type { ServerRecord } from '#core/catalog/server.ts';
import { countsByNameText, countWithNoun, makePrintableLine } from '../command-line/text.ts';
import { serverIsolationText } from './isolation.ts';
import { redactionRulesText } from './privacy.ts';
import { authText } from './server-auth.ts';
import { limitsText } from './server-limits.ts';

/** Says what was registered. */
export const addedServerLines = (added: ServerRecord): string[] => [
  `${added.name}: ${countWithNoun(added.tools, 'tool')}, survey: ${surveyOutcomeText(added.survey)} (${added.id})`,
  `categories: ${countsByNameText(added.categories)}`,
  `effects: ${countsByNameText(added.effects)}; calls may go up to: ${added.allows}`,
  `limits: ${limitsText(added.limits)}`,
  serverIsolationText(added),
  `secrets: ${authText(added)}`,
  `${redactionRulesText(added.redact)}${added.private ? '; private' : ''}`,
  ...added.leftOut.map(({ tool, problem }) => `left out: ${makePrintableLine(tool)} (${makePrintableLine(problem)})`),
  ...added.longDescriptions.map(
    ({ tool, chars }) =>
      `warning: the description of ${makePrintableLine(tool)} has ${chars} characters; models get the first ${shownDescriptionChars}`,
  ),
  `description: ${descriptionText(added.description)}`,
];

/** Returns what a server is for, and who says so unless it is its owner. */
export const descriptionText = (description: ServerRecord['description']): string =>
  description === null
    ? 'none'
    : `${makePrintableLine(description.text)}${description.source === 'owner' ? '' : ` (by ${description.source === 'model' ? 'a model' : 'the server'})`}`;

/** Says in a few words what a survey found. */
export function surveyOutcomeText({ on, at, entries, failed, problem }: ServerRecord['survey']): string {
  if (!on) return 'off';
  if (at === null) return 'none yet';
  if (problem !== null) return `failed: ${problem}`;
  return failed === 0 ? countWithNoun(entries, 'text') : `${countWithNoun(entries, 'text')}, ${failed} failed`;
}
