import { z } from 'zod';
import { split } from '#core/units/split.ts';
import { taskUnit } from '#core/units/task-unit.ts';
import { relationKind } from '#core/units/relation-kinds.ts';
import { chainSteps, witness } from '#core/units/witness.ts';
import { jsonColumnSchema } from '#durable-objects/shared/rows.ts';

/** Reads what results need to know about each unit, by id, without the units' texts. */
export const chainQuery = `SELECT id, json_extract(json, '$.chain') AS chain, json_extract(json, '$.split') AS split,
         json_extract(json, '$.witness') AS witness, json_extract(json, '$.provenElsewhere') AS provenElsewhere,
         json_extract(json, '$.relation') AS relation, json_extract(json, '$.servers') AS servers,
         json_extract(json, '$.looksLike') AS looksLike, json_extract(json, '$.level') AS level FROM units ORDER BY id`;

export const chainRow = z.object({
  id: z.string(),
  chain: jsonColumnSchema(taskUnit.shape.chain),
  split,
  servers: jsonColumnSchema(taskUnit.shape.servers)
    .nullable()
    .transform((known) => known ?? []),
  relation: relationKind.nullable().transform((known) => known ?? undefined),
  looksLike: z
    .string()
    .nullable()
    .transform((known) => known ?? undefined),
  level: taskUnit.shape.level
    .unwrap()
    .nullable()
    .transform((known) => known ?? undefined),
  witness: jsonColumnSchema(witness)
    .nullable()
    .transform((known) => known ?? undefined),
  provenElsewhere: jsonColumnSchema(chainSteps)
    .nullable()
    .transform((known) => known ?? undefined),
});
/** Everything that results need to know about a unit. */
export type ChainOfUnit = z.infer<typeof chainRow>;
