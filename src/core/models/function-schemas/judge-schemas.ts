import { z } from 'zod';
import type { Tool } from '#core/catalog/tool.ts';
import { schemaProfileName } from './profiles.ts';
import { convertFunctionSchemaForProfile } from './write-function-schema.ts';
import { schemaRefusal, schemaRewrite } from './writing.ts';

/** What becomes of the schemas of tools under each profile that refuses some; tools whose schema stays as it is are in no list. */
export const profileVerdicts = z.array(
  z.object({
    profile: schemaProfileName,
    /** Tools whose schema is rewritten so that the same arguments fit. */
    rewritten: z.array(z.object({ tool: z.string(), rewrites: z.array(schemaRewrite) })),
    /** Tools that cannot be offered as functions, because their schema cannot be written with the same meaning. */
    leftOut: z.array(schemaRefusal.extend({ tool: z.string() })),
  }),
);
export type ProfileVerdicts = z.infer<typeof profileVerdicts>;

/** Says what becomes of the schemas of tools under each profile. */
export const checkSchemasUnderProfiles = (tools: readonly Pick<Tool, 'name' | 'inputSchema'>[]): ProfileVerdicts =>
  schemaProfileName.exclude(['any']).options.map((profile) => {
    const all = tools.map(({ name, inputSchema }) => ({
      name,
      written: convertFunctionSchemaForProfile(inputSchema, profile),
    }));
    return {
      profile,
      rewritten: all.flatMap(({ name, written }) =>
        written.ok && written.rewrites.length > 0 ? [{ tool: name, rewrites: [...written.rewrites] }] : [],
      ),
      leftOut: all.flatMap(({ name, written }) => (written.ok ? [] : [{ tool: name, ...written.refusal }])),
    };
  });
