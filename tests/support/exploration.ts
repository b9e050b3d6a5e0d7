import type { z } from 'zod';
import { exports } from 'cloudflare:workers';
import { createParser } from 'eventsource-parser';
import { runEvent, type RunEvent } from '#core/reports/events.ts';
import {
  explorationRecord,
  unitDetail,
  unitSummary,
  type ExplorationRecord,
  type UnitSummary,
} from '#core/exploration/record.ts';
import type { Unit } from '#core/units/unit.ts';
import type { Rule, ServerSpec } from './script.ts';
import { expectStatus, newWorkspace, pageOf, type TestWorkspace } from './workspace.ts';
import { startModel, startServer, tools, type OutsideModel, type OutsideServer } from './world.ts';

/** Runs of the real workflow over scripted models and real servers. For tests inside workerd. */

export interface Ground {
  readonly workspace: TestWorkspace;
  readonly catalog: string;
  readonly model: OutsideModel;
  readonly servers: Readonly<Record<string, OutsideServer>>;
}

export const threeServers: Readonly<Record<string, ServerSpec>> = {
  fruit: { tools: tools('apple', 'pear', 'plum', 'quince') },
  trees: { tools: tools('alder', 'birch', 'cedar') },
  winds: { tools: tools('mistral', 'sirocco', 'zephyr') },
};

export interface GroundOptions {
  readonly servers?: Readonly<Record<string, ServerSpec>>;
  readonly rules?: readonly Rule[];
  /** Secret headers of all servers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A workspace with a catalog over fresh servers and its own model. */
export async function prepare({
  servers: specs = threeServers,
  rules = [],
  headers = {},
}: GroundOptions = {}): Promise<Ground> {
  const workspace = await newWorkspace();
  const model = await startModel(rules);
  const started = await Promise.all(
    Object.entries(specs).map(async ([name, spec]) => ({ name, server: await startServer(spec) })),
  );
  const records = await Promise.all(
    started.map(({ name, server }) => workspace.server(name, server.url, { domain: `the ${name}`, headers })),
  );
  const { id: catalog } = await workspace.catalog(...records);
  return { workspace, catalog, model, servers: Object.fromEntries(started.map(({ name, server }) => [name, server])) };
}

export interface RunOptions {
  readonly rounds?: number;
  readonly batch?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Any other field of the request. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export const modelKey = 'key-that-the-client-brought';

/** The body of a request for a run. */
export function runBody(
  { catalog, model }: Pick<Ground, 'catalog' | 'model'>,
  { rounds = 1, batch = 2, more = {} }: RunOptions = {},
) {
  const choice = {
    baseUrl: model.baseUrl,
    model: 'scripted',
    apiKey: modelKey,
    promptPricePerMTok: 1,
    completionPricePerMTok: 2,
  };
  return {
    catalog,
    batch,
    budget: { rounds },
    models: { writer: choice, critic: choice, agent: choice },
    agent: { timeMs: 5_000, callTimeoutMs: 2_000 },
    ...more,
  };
}

export async function explore(ground: Ground, options: RunOptions = {}): Promise<string> {
  const answer = await ground.workspace.post('/v1/explorations', runBody(ground, options), {
    headers: options.headers ?? {},
  });
  return explorationRecord.parse(expectStatus(answer, 202)).id;
}

/** Reads the event stream until it ends, or until `enough` says so. */
export async function follow(
  key: string,
  run: string,
  {
    after = 0,
    enough = () => false,
    of = 'explorations',
  }: {
    readonly after?: number;
    readonly enough?: (event: RunEvent) => boolean;
    readonly of?: 'explorations' | 'evaluations' | 'knowledge' | 'submissions';
  } = {},
): Promise<{ readonly events: RunEvent[]; readonly ended: boolean }> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (after > 0) headers['last-event-id'] = String(after);
  const response = await exports.default.fetch(new Request(`http://sextant.test/v1/${of}/${run}/events`, { headers }));
  if (response.status === 204) return { events: [], ended: true };
  if (response.body === null || response.status !== 200)
    throw new Error(`no stream: ${response.status} ${await response.text()}`);
  const events: RunEvent[] = [];
  let ended = false;
  let full = false;
  const parser = createParser({
    onEvent({ id, event, data }) {
      if (event === 'end') ended = true;
      if (event === 'end' || event === 'withheld' || full) return;
      const parsed = runEvent.parse(JSON.parse(data));
      if (String(parsed.id) !== id || parsed.event.type !== event)
        throw new Error(`event ${id} is not what its frame says`);
      events.push(parsed);
      full = enough(parsed);
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (full) break;
  }
  return { events, ended };
}

export async function recordOf({ workspace }: Ground, run: string): Promise<ExplorationRecord> {
  return explorationRecord.parse(expectStatus(await workspace.get(`/v1/explorations/${run}`), 200));
}

/** All units of a run, as they are listed. */
export async function unitsOf({ workspace }: Ground, run: string): Promise<UnitSummary[]> {
  return pageOf(unitSummary).parse(expectStatus(await workspace.get(`/v1/explorations/${run}/units?limit=500`), 200))
    .items;
}

/** All units of a run, whole. */
export async function wholeUnitsOf(ground: Ground, run: string): Promise<z.infer<typeof unitDetail>[]> {
  const units = await unitsOf(ground, run);
  return Promise.all(
    units.map(async ({ id }) =>
      unitDetail.parse(expectStatus(await ground.workspace.get(`/v1/explorations/${run}/units/${id}`), 200)),
    ),
  );
}

/** Runs an exploration to its end. */
export async function exploreToEnd(ground: Ground, options: RunOptions = {}) {
  const run = await explore(ground, options);
  const { events } = await follow(ground.workspace.key, run);
  const [record, units] = await Promise.all([recordOf(ground, run), wholeUnitsOf(ground, run)]);
  return { run, events, record, units };
}

/** Returns the final state of a unit with its reason. */
export const endOf = ({ stage }: Unit): { readonly status: string; readonly reason: string } =>
  stage.kind === 'done' ? stage : { status: stage.kind, reason: '' };
