import { z } from 'zod';
import { examineRequestForChain, suggestionForIssue } from './critic.ts';
import { collectSeenValues } from './seen-values.ts';
import { toolsOfPrompt, type Cards } from './tools.ts';

const shownTask = z.looseObject({ request: z.string(), chain: z.array(z.string()) }).catch({ request: '', chain: [] });

/**
 * Form `task-quality`: solvability by what the critic finds in the request, utility by how many steps use what an earlier one returns.
 * Rules cannot tell whether anybody would want the rest.
 */
export const answerTaskQualityForm = (variables: ReadonlyMap<string, unknown>, cards: Cards): unknown => {
  const { request, chain } = shownTask.parse(variables.get('task'));
  const tools = toolsOfPrompt(variables.get('tools'), cards, collectSeenValues(variables));
  const { findings, fedSteps } = examineRequestForChain(request, chain, tools);
  const faults = [...findings.parameterFaults, ...findings.meaningFaults];
  return {
    solvabilityReason: [...faults, ...findings.doubts][0]?.detail ?? 'Everything that the tools need is said.',
    solvability: gradeSolvability(faults.length, findings.doubts.length),
    utilityReason: `${fedSteps} of ${chain.length} steps use what an earlier one returns.`,
    utility: gradeUtility(fedSteps, chain.length - 1),
    suggestions: [...new Set(faults.map(suggestionForIssue))].slice(0, 20),
  };
};

/** Returns 10 without a fault, 9 with doubts alone, and two less for each further fault from 8 on. */
const gradeSolvability = (faults: number, doubts: number): number =>
  faults > 0 ? Math.max(1, 10 - 2 * faults) : doubts > 0 ? 9 : 10;

/** Returns 4 for steps that have nothing to do with each other, and up to 10 for steps that all build on earlier ones. */
const gradeUtility = (fed: number, most: number): number =>
  fed === 0 ? 4 : Math.min(10, 5 + Math.ceil((5 * fed) / most));
