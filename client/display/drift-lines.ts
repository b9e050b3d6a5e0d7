import { driftClasses, type Drift } from '#core/reports/lock/drift.ts';
import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import { makePrintableLine } from '../command-line/text.ts';

/** Characters of a changed text that are shown. */
const shownChars = 400;

/** Says in one line how much has changed, such as `3 changes: 1 breaking, 2 words`. */
export function driftSentence(drift: readonly Drift[]): string {
  const counts = driftClasses.flatMap((name) => {
    const count = drift.filter((each) => each.class === name).length;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return `${drift.length} ${drift.length === 1 ? 'change' : 'changes'}: ${counts.join(', ')}`;
}

/** Lists what differs from a lock, the gravest first; hidden characters are shown. */
export const driftLines = (drift: readonly Drift[]): string[] =>
  drift.flatMap(({ server, tool, class: name, what, texts, call }) => [
    `${name}: ${makePrintableLine(tool === null ? server : `${server}/${tool}`)}: ${makePrintableLine(showHiddenCharacters(what))}`,
    ...(texts === undefined ? [] : [`  - ${textLine(texts.before)}`, `  + ${textLine(texts.now)}`]),
    ...(call === undefined ? [] : [`  ${makePrintableLine(`${call.tool} ${JSON.stringify(call.arguments)}`)}`]),
  ]);

const textLine = (text: string): string => makePrintableLine(showHiddenCharacters(text.slice(0, shownChars)));
