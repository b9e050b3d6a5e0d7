import { splitWords } from './text-likeness.ts';

/**
 * Returns whether two requests go opposite ways between the same two things: from savings to rent, from rent to
 * savings.
 */
export function hasOppositeDirection(a: string, b: string): boolean {
  const left = findDirectionEnds(a);
  const right = findDirectionEnds(b);
  return areEndsSwapped(left.from, left.to, right) && areEndsSwapped(right.from, right.to, left);
}

/** Words for the start and the target of a way. */
interface Ends {
  readonly from: ReadonlySet<string>;
  readonly to: ReadonlySet<string>;
}

/** Returns whether each end of one way contains something that appears only at the other end of the other way. */
const areEndsSwapped = (from: ReadonlySet<string>, to: ReadonlySet<string>, other: Ends): boolean =>
  [...from].some((word) => !to.has(word) && other.to.has(word) && !other.from.has(word)) &&
  [...to].some((word) => !from.has(word) && other.from.has(word) && !other.to.has(word));

const starts = new Set(['from', 'out', '从', '把', '将']);
const targets = new Set(['to', 'into', 'onto', '到', '至', '成', '往', '为']);
/** These words mark a target only after an explicit start: there are 1,609 metres in a mile. */
const places = new Set(['in', 'on']);
const passedOver = new Set('of the a an my our your this that these those its and then put it them'.split(' '));
const breaks = new Set('for at with by when while as if is are was after before which who what how'.split(' '));

/** Without a word for the start, it is what comes before the target: convert yen to won. */
function findDirectionEnds(text: string): Ends {
  const from = new Set<string>();
  const to = new Set<string>();
  let since: string[] = [];
  let end: Set<string> | null = null;
  for (const word of splitWords(text)) {
    if (passedOver.has(word)) continue;
    if (starts.has(word)) end = from;
    else if (targets.has(word) || (places.has(word) && end === from)) {
      if (end !== from) for (const before of since) from.add(before);
      end = to;
    } else if (breaks.has(word) || places.has(word)) end = null;
    else {
      end?.add(word);
      since.push(word);
      continue;
    }
    since = [];
  }
  return { from, to };
}
