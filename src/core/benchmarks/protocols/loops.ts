import { z } from 'zod';

/** The service's agent loops: the ways in which a model can call tools. */
export const modelLoop = z.enum(['function-calling', 'prompted-calling', 'planning', 'routing']);
export type ModelLoop = z.infer<typeof modelLoop>;

/** The loop of an agent that names none. */
export const defaultLoop: ModelLoop = 'function-calling';

/** Which models each loop is for. */
export const modelsOfLoop: Readonly<Record<ModelLoop, string>> = {
  'function-calling': 'models with function calling',
  'prompted-calling': 'models without function calling: the prompt describes the tools in words',
  planning: 'any model: it plans in rounds, and the calls of a round are carried out at the same time',
  routing: 'models with function calling that have to search for the tools, as in LiveMCPBench',
};
