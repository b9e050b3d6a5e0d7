import { z } from 'zod';

/** Empty where there is none. */
const description = z
  .string()
  .max(100_000)
  .nullish()
  .transform((text) => text ?? '');

/**
 * LiveMCPBench's list of servers and their tools (`tools/LiveMCPTool/tools.json`). Its Python wrote values such as
 * `"None"` and `"False"` as texts; names and descriptions are all that is read here.
 */
const describedTool = z.object({
  name: z.string().min(1).max(300),
  description,
});

const describedServer = z.object({
  name: z.string().min(1).max(300),
  description,
  category: z.string().max(100).default(''),
  tools: z
    .record(z.string(), z.object({ tools: z.array(describedTool).max(1_000).default([]) }))
    .nullish()
    .transform((listings) => Object.values(listings ?? {}).flatMap(({ tools }) => tools)),
});

/** A file of servers. A server is described, not connected: nobody says where it runs. */
export const publishedServers = z.array(describedServer).max(10_000);
export type DescribedServer = z.infer<typeof describedServer>;
