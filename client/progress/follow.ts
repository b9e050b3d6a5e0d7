import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { RunEvent } from '#core/events.ts';
import type { EvolutionRecord } from '#core/evolution/record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { SubmissionRecord } from '#core/submissions/record.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { makePrintableLine } from '../command-line/text.ts';
import type { EventOptions } from '../http/event-stream.ts';
import { makeProgressDisplay, type Drawing } from './display.ts';
import { explorationDrawing } from './exploration-drawing.ts';
import { evaluationDrawing } from './evaluation.ts';
import { evolutionDrawing } from './evolution-drawing.ts';
import { submissionDrawing } from './submission.ts';
import { eventsUntilDecision } from './events-until-decision.ts';

/** Shows an exploration until it is over, and returns its final state. */
export async function followExploration(
  client: Client,
  run: ExplorationRecord,
  sink: Sink,
): Promise<ExplorationRecord> {
  await showEventsUntilEnd((options) => client.explorations.events(run.id, options), explorationDrawing(run), sink);
  return client.explorations.get(run.id);
}

/** Shows an evaluation until it is over, and returns its final state. */
export async function followEvaluation(client: Client, run: EvaluationRecord, sink: Sink): Promise<EvaluationRecord> {
  await showEventsUntilEnd((options) => client.evaluations.events(run.id, options), evaluationDrawing(run), sink);
  return client.evaluations.get(run.id);
}

/** Shows an evolution until it is over, and returns its final state. */
export async function followEvolution(client: Client, run: EvolutionRecord, sink: Sink): Promise<EvolutionRecord> {
  const { exploration, number } = run;
  await showEventsUntilEnd(
    (options) => client.evolutions.events(exploration, number, options),
    evolutionDrawing(run),
    sink,
  );
  return client.evolutions.get(exploration, number);
}

/** Shows a submission until it is settled or a moderator has to decide, and returns its state then. */
export async function followSubmission(
  client: Client,
  submitted: SubmissionRecord,
  sink: Sink,
): Promise<SubmissionRecord> {
  await showEventsUntilEnd(
    (options) => eventsUntilDecision(client, submitted.id, options),
    submissionDrawing(submitted),
    sink,
  );
  return client.submissions.get(submitted.id);
}

async function showEventsUntilEnd<View>(
  events: (options: EventOptions) => AsyncIterable<RunEvent>,
  drawing: Drawing<View>,
  sink: Sink,
): Promise<void> {
  const display = makeProgressDisplay(drawing, sink);
  try {
    const onLost = (why: string): void => display.showNote(`${makePrintableLine(why)}; trying again until it answers`);
    for await (const event of events({ onLost })) display.showEvent(event);
  } finally {
    display.end();
  }
}
