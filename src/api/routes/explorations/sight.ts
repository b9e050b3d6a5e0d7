import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { allows } from '#core/access.ts';
import { unitSummary, type Sight } from '#core/exploration/record.ts';
import type { ApiEnv } from '../../context.ts';
import { pageOf } from '../../pages.ts';

/** Whether the caller may see units that a benchmark holds out. */
export const sightOf = (c: Context<ApiEnv>): Sight => (allows(c.var.caller, 'admin') ? 'everything' : 'public');

/** What lists of units say of those that are not in them. */
export const withheldUnits =
  'Units that a benchmark holds out, their variants and near-duplicates are left out without the scope `admin`.';

/** A page of units as the caller sees them. */
export const seenPage = pageOf(unitSummary.openapi('UnitSummary')).extend({
  withheld: z
    .int()
    .min(0)
    .openapi({ description: 'How many units of the whole run the key does not see, whatever the filter' }),
});
