import type { Filling, Step } from './chaining.ts';
import type { KnownTool } from './tools.ts';

/** Combines the chain's steps from the two requests; if they differ, the source is believed. */
export const mergeStepsOfRequests = (
  chain: readonly string[],
  tools: readonly KnownTool[],
  source: readonly Step[],
  followUp: readonly Step[],
): Step[] => {
  const found = chain.flatMap((name) => {
    const tool = tools.find((one) => one.name === name);
    const tellings = [source, followUp].flatMap((steps) => {
      const step = steps.find((one) => one.tool.name === name);
      return step === undefined ? [] : [{ step, steps }];
    });
    return tool === undefined || tellings.length === 0 ? [] : [{ tool, tellings }];
  });
  const place = new Map(found.map(({ tool }, index) => [tool.name, index]));
  return found.map(({ tool, tellings }) => {
    const fillings: Record<string, Filling> = {};
    for (const { step, steps } of tellings) {
      for (const [slot, filling] of Object.entries(step.fillings)) {
        const moved = filling.kind === 'given' ? place.get(steps[filling.step]?.tool.name ?? '') : undefined;
        if (filling.kind === 'stated') fillings[slot] ??= filling;
        else if (moved !== undefined) fillings[slot] ??= { ...filling, step: moved };
      }
    }
    return { tool, fillings };
  });
};
