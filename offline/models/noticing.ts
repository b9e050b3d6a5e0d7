import { z } from 'zod';
import { textOfVariable } from './coverage.ts';

const shownCall = z.looseObject({ call: z.number(), tool: z.string() });
const spoilt = z.looseObject({ call: z.number() });

const words =
  /\b(?:fail\w*|error|could not|couldn't|unable|not sure|uncertain|verify|incomplete|missing|unusual|unexpected)\b/iu;

/** Form `noticing`: whether the tool was called again, or the answer has a word of doubt or failure. */
export const answerNoticingForm = (variables: ReadonlyMap<string, unknown>): unknown => {
  const calls = z.array(shownCall).catch([]).parse(variables.get('calls'));
  const { call: at } = spoilt.catch({ call: 0 }).parse(variables.get('changed'));
  const met = calls.find(({ call }) => call === at);
  const again = calls.find(({ call, tool }) => call > at && tool === met?.tool);
  if (again !== undefined) return { why: `Call ${again.call} tries it again.`, noticed: true };
  const word = words.exec(textOfVariable(variables, 'response'))?.[0];
  return word === undefined
    ? { why: 'Nothing in the answer says that anything was wrong.', noticed: false }
    : { why: `The answer says "${word}".`, noticed: true };
};
