import type { Output } from '../cards/card.ts';
import { listOutputsForSlot, type Filling, type Step } from './chaining.ts';
import type { KnownTool } from './tools.ts';
import { nounWithoutArticle, isPronounPhrase, interpretRequest, recognised, type Meant } from './understanding.ts';

/** Returns the steps that a request asks for, as its words are understood with the available tools; no tool twice. */
export const readStepsFromRequest = (request: string, tools: readonly KnownTool[]): Step[] => {
  const steps: Step[] = [];
  for (const clause of interpretRequest(request, tools)) {
    const reading = clause.readings.find(
      ({ tool, score }) => score >= recognised && !steps.some((step) => step.tool === tool),
    );
    if (reading === undefined) continue;
    const fillings: Record<string, Filling> = {};
    for (const [slot, meant] of Object.entries(reading.slots)) {
      const filling = makeFillingOfMeantValueOrNull(meant, reading.tool, slot, steps);
      if (filling !== null) fillings[slot] = filling;
    }
    steps.push({ tool: reading.tool, fillings });
  }
  return steps;
};

const makeFillingOfMeantValueOrNull = (
  meant: Meant,
  tool: KnownTool,
  slot: string,
  before: readonly Step[],
): Filling | null => {
  if (meant.kind === 'stated') return { kind: 'stated', value: meant.value };
  for (let step = before.length - 1; step >= 0; step -= 1) {
    const from = before[step]?.tool;
    const output = from === undefined ? undefined : findOutputNamedByWords(meant.words, from, tool, slot);
    if (output !== undefined) return { kind: 'given', step, output };
  }
  return null;
};

const findOutputNamedByWords = (words: string, from: KnownTool, to: KnownTool, slot: string): Output | undefined =>
  isPronounPhrase(words)
    ? listOutputsForSlot(from, to, slot)[0]
    : from.card.gives.find((output) => nounWithoutArticle(output.noun) === nounWithoutArticle(words));
