import type { Client } from '../../client/client.ts';
import { makePrintableLine } from '../../client/command-line/text.ts';
import type { Profile } from '../../tests/support/endpoints/profile.ts';
import { startEndpointStandIn, type StandIn } from './stand-in.ts';
import type { EndpointRun } from './table.ts';

/** Where runs take place. */
export interface Ground {
  readonly client: Client;
  readonly catalog: string;
  /** Aborted when the measurement ends. */
  readonly signal: AbortSignal;
}

/** Corrects what made a run pause. */
export type Correction = () => void;

const rounds = 2;
const batch = 3;

/**
 * Explores at the stand-in of an endpoint, and evaluates what was accepted with a native and a prompted agent. A run that
 * pauses is corrected and resumed, or cancelled where there is nothing to correct.
 */
export async function exploreAndEvaluateAtEndpoint(
  ground: Ground,
  profile: Profile,
  correct?: Correction,
): Promise<EndpointRun> {
  const standIn = await startEndpointStandIn(profile);
  const done: EndpointRun = { ...standIn.counts(), ...nothingDone, name: profile.name };
  try {
    const explored = await exploreAtStandIn(ground, profile.name, standIn, correct);
    const evaluated =
      explored.accepted === 0 ? {} : await evaluateAtStandIn(ground, profile.name, standIn, explored.id);
    return { ...done, ...explored, ...evaluated, ...standIn.counts() };
  } catch (error) {
    // A refusal at creation is a result.
    if (ground.signal.aborted || !(error instanceof Error)) throw error;
    return { ...done, said: shortenText(error.message), ...standIn.counts() };
  } finally {
    await standIn.close();
  }
}

const nothingDone = { accepted: 0, rejected: 0, dropped: 0, native: '', prompted: '', said: '' };

const shortenText = (text: string): string => makePrintableLine(text).slice(0, 300);

async function exploreAtStandIn({ client, catalog }: Ground, name: string, { model }: StandIn, correct?: Correction) {
  const { id } = await client.explorations.create({
    name,
    catalog,
    batch,
    seed: 1,
    budget: { rounds },
    review: 'accept',
    models: { writer: model, critic: model, agent: model },
  });
  let said = '';
  for await (const { event } of client.explorations.events(id)) {
    if (event.type !== 'run.paused') continue;
    said = `paused: ${shortenText(event.reason ?? '')}`;
    correct?.();
    await (correct === undefined ? client.explorations.cancel(id) : client.explorations.resume(id));
  }
  const { units, status } = await client.explorations.get(id);
  const { accepted, rejected, dropped, lost } = units;
  return { id, accepted, rejected, dropped: dropped + lost, said: said === '' ? '' : `${said}; then ${status}` };
}

async function evaluateAtStandIn({ client }: Ground, name: string, { endpoint, model }: StandIn, exploration: string) {
  const benchmark = await client.benchmarks.freeze({
    explorations: [exploration],
    unproven: 'keep',
    privateShare: 0,
    floor: false,
  });
  const { id } = await client.evaluations.create({
    benchmark: benchmark.id,
    name,
    agents: [
      { name: 'native', loop: 'function-calling', model: model.model, endpoint },
      { name: 'prompted', loop: 'prompted-calling', model: model.model, endpoint },
    ],
  });
  const { status, reason } = await client.evaluations.wait(id);
  if (status !== 'completed') throw new Error(`the evaluation is ${status}: ${reason ?? ''}`);
  const { agents } = await client.evaluations.results(id);
  const tell = (agent: string): string => {
    const { attempts = 0, notEvaluated = 0 } = agents.find((each) => each.name === agent) ?? {};
    return `${attempts - notEvaluated} of ${attempts}`;
  };
  return { native: tell('native'), prompted: tell('prompted') };
}
