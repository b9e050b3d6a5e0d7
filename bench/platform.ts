import { createClient, type Client } from '../client/client.ts';
import type { Development } from '../engine/development.ts';
import { platformEntry, readReport, resetObjectAt, type Report } from '../tests/support/platform/report.ts';
import { makeStubBenchmarkFile } from './stubs/stub-benchmark-file.ts';
import { readBenchOptions, makeLogOutsideJson } from './shared/options.ts';
import { startStubModels } from './stubs/stub-models.ts';
import { startStubServers } from './stubs/stub-mcp-server.ts';
import { measureOnTemporaryWorker } from './shared/with-worker.ts';

/**
 * `npm run bench:platform`: how close a default exploration and an evaluation come to the limits of the platform,
 * counted by the simulated platform of the tests: docs/measurements.md. Fails if a rule was broken.
 */
const options = readBenchOptions(
  'Measures how close two large runs come to the limits of the platform; fails if they exceed one.',
);
const say = makeLogOutsideJson(options);
const servers = 10;
const toolsPerServer = 10;
const exploration = { rounds: options.smallest ? 3 : 60, batch: 10 };
/** A unit has two attempts. */
const evaluation = { units: options.smallest ? 60 : 1_000, concurrency: 50 };
/** Long enough that requests really wait in parallel. */
const answerMs = 40;
/** After these shares of a run, its object is reset in the middle of a call. */
const resetAfter = [1 / 3, 2 / 3];

const stubs = await startStubServers({ servers, toolsPerServer, sessions: true });
const models = await startStubModels({ delayMs: answerMs });

/** The maxima of a run, in one invocation. */
interface PlatformFigures {
  readonly subrequestsPerInstance: number;
  readonly waitingConnections: number;
  readonly stubsReused: number;
  readonly stepsPerInstance: number;
  readonly messageBytes: number;
  readonly rowsReadPerCall: number;
  readonly rowsWrittenPerCall: number;
  readonly invocations: number;
  /** Objects that were reset in the middle of the run. */
  readonly resets: number;
  readonly breaches: Report['breaches'];
}

try {
  await measureOnTemporaryWorker({ ...options, entry: platformEntry }, async (worker, restart) => {
    await runExplorationWithResets(worker);
    const explored = platformFiguresOfReportOrThrow(await readReport(worker.url));
    say(`exploration: ${JSON.stringify(explored)}`);
    // The counts are lost with the process.
    const again = await restart();
    await runEvaluationWithResets(again);
    const evaluated = platformFiguresOfReportOrThrow(await readReport(again.url));
    say(`evaluation: ${JSON.stringify(evaluated)}`);
    reportAndSetExitCode({ exploration: explored, evaluation: evaluated });
  });
} finally {
  await Promise.all([stubs.close(), models.close()]);
}

async function runExplorationWithResets(worker: Development): Promise<void> {
  const client = createClient(worker);
  const { rounds, batch } = exploration;
  const model = { baseUrl: models.url, model: 'stub' };
  const { id } = await client.explorations.create({
    catalog: (await registerStubsAndCreateCatalog(client)).id,
    strategy: 'hierarchical',
    batch,
    budget: { rounds },
    models: { writer: model, critic: model, agent: model },
  });
  const committed = makeProgressLogWithResets(rounds, 'rounds', () =>
    resetObjectAt(worker.url, 'ExplorationRun.rounds.commitStage'),
  );
  for await (const { event } of client.explorations.events(id)) {
    if (event.type === 'round.committed') await committed(event.round);
    if (event.type === 'run.ended') break;
  }
  const { status, reason, units } = await client.explorations.get(id);
  if (status !== 'completed' || units.accepted !== rounds * batch || units.probes !== rounds)
    throw new Error(`not every unit was executed: ${JSON.stringify({ status, reason, units })}`);
}

async function runEvaluationWithResets(worker: Development): Promise<void> {
  const client = createClient(worker);
  const { units, concurrency } = evaluation;
  const { id, tools } = await registerStubsAndCreateCatalog(client);
  const benchmark = await client.benchmarks.importFile(await makeStubBenchmarkFile(id, tools, units), { floor: false });
  const model = { baseUrl: models.url, model: 'stub' };
  const run = await client.evaluations.create({
    benchmark: benchmark.id,
    agents: [{ name: 'stub', model: 'stub', endpoint: { baseUrl: models.url } }],
    judge: model,
    embedder: model,
    concurrency,
  });
  const made = makeProgressLogWithResets(2 * units, 'attempts', () =>
    resetObjectAt(worker.url, 'EvaluationRun.lanes.commit'),
  );
  let attempts = 0;
  for await (const { event } of client.evaluations.events(run.id)) {
    if (event.type === 'attempt.ended') await made((attempts += 1));
    if (event.type === 'run.ended') break;
  }
  const { status, reason, progress } = await client.evaluations.get(run.id);
  if (status !== 'completed' || progress.made !== 2 * units || progress.notEvaluated > 0)
    throw new Error(`not every attempt was made: ${JSON.stringify({ status, reason, progress })}`);
}

/** Receives the progress of a run; reports it occasionally, and resets the object when due. */
function makeProgressLogWithResets(
  all: number,
  what: string,
  reset: () => Promise<void>,
): (done: number) => Promise<void> {
  const places = new Set(resetAfter.map((share) => Math.round(share * all)));
  return async (done) => {
    if (done % (all / 10) === 0) say(`${done} ${what}`);
    if (places.delete(done)) await reset();
  };
}

/** The catalog of all stub servers, which may be registered already. */
async function registerStubsAndCreateCatalog(client: Client) {
  const known = new Map((await Array.fromAsync(client.servers.list())).map(({ name, id }) => [name, id]));
  const ids: string[] = [];
  for (let n = 0; n < servers; n += 1) {
    const name = `s${n}`;
    ids.push(
      known.get(name) ??
        (await client.servers.add({ name, domain: 'bench', url: stubs.urlOf(n), allows: 'destroys' })).id,
    );
  }
  const { id } = await client.catalogs.create(ids);
  return { id, tools: (await client.catalogs.get(id)).tools };
}

function platformFiguresOfReportOrThrow({ invocations, resets, figures, breaches }: Report): PlatformFigures {
  if (resets !== resetAfter.length)
    throw new Error(
      `${resets} of ${resetAfter.length} resets were seen: the Worker was started again, and its counts are gone`,
    );
  const kinds = Object.entries(figures);
  const most = (figure: keyof (typeof kinds)[number][1], of = kinds): number =>
    Math.max(0, ...of.map(([, each]) => each[figure] ?? 0));
  const instances = kinds.filter(([kind]) => kind.endsWith('Workflow'));
  return {
    subrequestsPerInstance: most('subrequests', instances),
    waitingConnections: most('waitingConnections'),
    stubsReused: breaches.reduce((sum, { rule, times }) => sum + (rule === 'stubsReused' ? times : 0), 0),
    stepsPerInstance: most('steps', instances),
    messageBytes: most('messageBytes'),
    rowsReadPerCall: most('rowsRead'),
    rowsWrittenPerCall: most('rowsWritten'),
    invocations,
    resets,
    breaches,
  };
}

function reportAndSetExitCode(figures: Readonly<Record<'exploration' | 'evaluation', PlatformFigures>>): void {
  if (options.json) console.log(JSON.stringify(figures));
  else console.table(figures);
  if (Object.values(figures).some(({ breaches }) => breaches.length > 0)) process.exitCode = 1;
}
