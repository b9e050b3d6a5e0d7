import { z } from 'zod';
import { serverTextChars } from '#core/catalog/server-description.ts';

/** Empty where there is none. */
const description = z
  .string()
  .max(100_000)
  .nullish()
  .transform((text) => text ?? '');

/** Nothing where there is none: the file's Python wrote `null`, or `"None"` as a text. */
const optionalFields = z
  .union([z.record(z.string(), z.unknown()), z.null(), z.literal('None')])
  .optional()
  .transform((fields) => (fields === null || fields === 'None' ? undefined : fields));

const publishedTool = z.object({
  name: z.string().min(1).max(300),
  description,
  inputSchema: z.record(z.string(), z.unknown()).default({ type: 'object' }),
  outputSchema: optionalFields,
  annotations: optionalFields,
});

const listing = z.object({
  version: z.string().nullish(),
  tools: z.array(publishedTool).max(1_000).default([]),
});

/** A server of LiveMCPBench's list (`tools/LiveMCPTool/tools.json`), with its tools as they were listed under its own name. */
export const publishedServer = z
  .object({
    name: z.string().min(1).max(300),
    description,
    category: z.string().max(100).default(''),
    tools: z.record(z.string(), listing).nullish(),
  })
  .transform(({ tools, ...server }) => {
    const listings = Object.entries(tools ?? {});
    const [first] = listings;
    return {
      ...server,
      description: server.description.trim().slice(0, serverTextChars),
      /** What it is called where it runs; in the published file each server has one listing. */
      ownName: first?.[0] ?? server.name,
      version: first?.[1].version ?? undefined,
      tools: listings.flatMap(([, { tools: listed }]) => listed),
    };
  });
export type PublishedServer = z.infer<typeof publishedServer>;
