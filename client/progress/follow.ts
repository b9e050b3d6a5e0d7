import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { RunEvent } from '#core/reports/events.ts';
import type { EvolutionRecord } from '#core/exploration/evolution/record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { RunStatus } from '#core/exploration/runs.ts';
import type { SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../../engine/usage-error.ts';
import type { EventOptions } from '../http/event-stream.ts';
import { makeProgressDisplay, type Drawing } from './display.ts';
import { makeExplorationDrawing } from './exploration-drawing.ts';
import { makeEvaluationDrawing } from './evaluation.ts';
import { makeEvolutionDrawing } from './evolution-drawing.ts';
import { makeSubmissionDrawing } from './submission.ts';
import { eventsUntilModerationOrEnd } from './events-until-decision.ts';

/** Shows an exploration until it is over, and returns its final state. */
export async function showExplorationUntilEnd(
  client: Client,
  run: ExplorationRecord,
  sink: Sink,
): Promise<ExplorationRecord> {
  const read = () => client.explorations.get(run.id);
  await showEventsOrThrowIfSelfPaused(
    (options) => client.explorations.events(run.id, options),
    makeExplorationDrawing(run),
    sink,
    read,
  );
  return read();
}

/** Shows an evaluation until it is over, and returns its final state. `afterEvent` is awaited after each event. */
export async function showEvaluationUntilEnd(
  client: Client,
  run: EvaluationRecord,
  sink: Sink,
  afterEvent?: (event: RunEvent) => Promise<void>,
): Promise<EvaluationRecord> {
  const read = () => client.evaluations.get(run.id);
  async function* events(options: EventOptions) {
    for await (const event of client.evaluations.events(run.id, options)) {
      yield event;
      await afterEvent?.(event);
    }
  }
  await showEventsOrThrowIfSelfPaused(events, makeEvaluationDrawing(run), sink, read);
  return read();
}

/** Shows an evolution until it is over, and returns its final state. */
export async function showEvolutionUntilEnd(
  client: Client,
  run: EvolutionRecord,
  sink: Sink,
): Promise<EvolutionRecord> {
  const { exploration, number } = run;
  const read = () => client.evolutions.get(exploration, number);
  await showEventsOrThrowIfSelfPaused(
    (options) => client.evolutions.events(exploration, number, options),
    makeEvolutionDrawing(run),
    sink,
    read,
  );
  return read();
}

/** Shows a submission until it is settled or a moderator has to decide, and returns its state then. */
export async function showSubmissionUntilModerationOrEnd(
  client: Client,
  submitted: SubmissionRecord,
  sink: Sink,
): Promise<SubmissionRecord> {
  await showEventsOrThrowIfSelfPaused(
    (options) => eventsUntilModerationOrEnd(client, submitted.id, options),
    makeSubmissionDrawing(submitted),
    sink,
  );
  return client.submissions.get(submitted.id);
}

/** Throws if the run has paused by itself, since nothing happens until a person has corrected its settings. */
async function showEventsOrThrowIfSelfPaused<View>(
  events: (options: EventOptions) => AsyncIterable<RunEvent>,
  drawing: Drawing<View>,
  sink: Sink,
  read?: () => Promise<{ readonly status: RunStatus }>,
): Promise<void> {
  const display = makeProgressDisplay(drawing, sink);
  try {
    const onLost = (why: string): void => display.showNote(`${makePrintableLine(why)}; trying again until it answers`);
    for await (const event of events({ onLost })) {
      display.showEvent(event);
      if (event.event.type === 'run.waiting' && Date.parse(event.event.until) > Date.now())
        display.showNote(`${makePrintableLine(event.event.model)} takes no requests until ${event.event.until}`);
      if (event.event.type !== 'run.paused' || event.event.reason === undefined) continue;
      // The event may be an old one.
      const now = await read?.();
      if (now?.status === 'paused')
        throw new CommandError(`the run has paused: ${makePrintableLine(event.event.reason)}`);
    }
  } finally {
    display.end();
  }
}
