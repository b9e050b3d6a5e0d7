import { z } from 'zod';

const text = z.string().optional().catch(undefined);
const object = z.record(z.string(), z.unknown());

/** A tool as its server lists it. What is of a wrong form is left out: rules find that. */
export const listedTool = z.object({
  name: z.string(),
  title: text,
  description: text,
  inputSchema: object.catch({}),
  outputSchema: object.optional().catch(undefined),
  annotations: object.optional().catch(undefined),
});
export type ListedTool = Readonly<z.infer<typeof listedTool>>;

/** A server as far as its list shows it. */
export interface ListedServer {
  readonly name: string;
  readonly instructions: string | undefined;
  readonly tools: readonly ListedTool[];
}
