import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * Says what is wrong with a value in our words; a message of a schema of ours stays as it is. `where` the value is, the caller says.
 */
export function issueText(issue: Issue): string {
  const isOfZod = /^(?:Invalid|Unrecognized|Too )/.test(issue.message);
  if (!isOfZod) return issue.message;
  switch (issue.code) {
    case 'too_small':
      return `give ${boundRequirementText(issue.origin, issue.minimum, issue.exact === true ? 'exactly' : issue.inclusive === false ? 'more than' : 'at least')}`;
    case 'too_big':
      return `give ${boundRequirementText(issue.origin, issue.maximum, issue.exact === true ? 'exactly' : issue.inclusive === false ? 'less than' : 'at most')}`;
    default:
      return otherIssueText(issue);
  }
}

function boundRequirementText(origin: string, bound: number | bigint, relation: string): string {
  const nouns: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', map: 'entry' };
  const noun = nouns[origin];
  if (noun === undefined) return `a number of ${relation} ${bound}`;
  const many = noun === 'entry' ? 'entries' : `${noun}s`;
  return `${relation} ${bound} ${Number(bound) === 1 ? noun : many}`;
}

const articles: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function otherIssueText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return /received undefined/.test(issue.message)
        ? 'is missing'
        : `give ${articles[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `give ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'unrecognized_keys':
      return `there is no ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    case 'not_multiple_of':
      return `give a multiple of ${issue.divisor}`;
    default:
      return issue.message;
  }
}
