import { z } from 'zod';
import { drawTaskText } from './task-texts.ts';
import { readStepsFromRequest } from './recovery.ts';
import type { Dice } from './seeded.ts';
import { toolsOfPrompt, type Cards } from './tools.ts';

/** What people say who want something done and leave the way to others. */
const openings = [
  'How this is done I leave to you, but this is what I am after.',
  'I was asked for this and have no idea where to begin.',
  'You will know the way better than I do. What I need is this.',
] as const;

/**
 * Form `fuzzy-request`: says the request in other words, behind an opening. Where the rules do not understand all of it, its own words stay:
 * no value may be lost.
 */
export const answerFuzzyRequestForm = (variables: ReadonlyMap<string, unknown>, cards: Cards, dice: Dice): unknown => {
  const request = z.string().catch('').parse(variables.get('request'));
  const kept = z.array(z.string()).catch([]).parse(variables.get('kept'));
  const tools = toolsOfPrompt(variables.get('tools'), cards);
  const steps = readStepsFromRequest(request, tools);
  const reworded = drawTaskText(steps, dice);
  const isWhole = steps.length === tools.length && kept.every((value) => reworded.includes(value));
  return { request: `${dice.pick(openings) ?? ''} ${isWhole ? reworded : request}` };
};
