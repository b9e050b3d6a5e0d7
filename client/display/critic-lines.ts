import type { ExplorationRecord } from '#core/exploration/record.ts';
import { makePrintableLine } from '../command-line/text.ts';

/** Returns a warning where the critic of a run is the writer's own model; no lines if it is another. */
export const selfAuditWarningLines = ({
  criticIsWriter,
  models,
}: Pick<ExplorationRecord, 'criticIsWriter' | 'models'>): string[] =>
  criticIsWriter
    ? [`The critic audited its own units: ${makePrintableLine(models.critic.model)} is the writer's model too.`]
    : [];
