import { z } from 'zod';

/** The service's agent loops: the ways in which a model can call tools. */
export const modelLoop = z.enum(['function-calling', 'prompted-calling', 'planning', 'routing', 'tool-search', 'code']);
export type ModelLoop = z.infer<typeof modelLoop>;

/** The loop of an agent that names none. */
export const defaultLoop: ModelLoop = 'function-calling';

/** Returns whether agents of a loop see no tools, and have to search for them. */
export const doesLoopSearch = (loop: string): boolean => loop === 'routing' || loop === 'tool-search';

/** Which models each loop is for. */
export const modelsOfLoop: Readonly<Record<ModelLoop, string>> = {
  'function-calling': 'models with function calling',
  'prompted-calling': 'models without function calling: the prompt describes the tools in words',
  planning: 'any model: it plans in rounds, and the calls of a round are carried out at the same time',
  routing: 'models with function calling that have to search for the tools, as in LiveMCPBench',
  'tool-search': 'models with function calling that load tools by a search, as agents with deferred loading do',
  code: 'models with function calling that write programs, in which they call the tools',
};
