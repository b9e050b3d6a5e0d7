import { firstCharacters } from '#core/values/excerpt.ts';

/** Characters of a judge's reason that a score keeps. */
const reasonChars = 600;

/** Returns a judge's reason as a score keeps it. */
export const cutReason = (why: string): string =>
  why.length <= reasonChars ? why : `${firstCharacters(why, reasonChars)}…`;
