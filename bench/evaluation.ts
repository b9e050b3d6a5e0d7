import { quantileOfSorted } from '#core/statistics/quantile.ts';
import { flagOption } from '../client/command-line/options.ts';
import { createClient, type Client } from '../client/client.ts';
import type { Development } from '../engine/development.ts';
import { makeStubBenchmarkFile } from './stubs/stub-benchmark-file.ts';
import { installPeer, measurePeerMs, type PeerAttempt } from './evaluation/peer.ts';
import { evaluateAndMeasureCost, type AttemptCost, type MeasuredEvaluation } from './evaluation/measured-evaluation.ts';
import { readBenchOptions, makeLogOutsideJson } from './shared/options.ts';
import { watchPeakMemory } from './shared/peak-memory.ts';
import { roundToHundredths } from './shared/rounded.ts';
import { startStubModels } from './stubs/stub-models.ts';
import { startStubServers, type StubServers } from './stubs/stub-mcp-server.ts';
import { measureOnTemporaryWorker } from './shared/with-worker.ts';

/**
 * `npm run bench:evaluation`: the overhead of an attempt without its models and tools, how close an evaluation comes to
 * the time that its models need, and whether attempts get more expensive with their number: docs/measurements.md.
 */
const peerFlag = flagOption('peer', 'also let another library make the same attempts, in turns with us');
const options = readBenchOptions('Measures the overhead of an attempt of an evaluation.', [peerFlag]);
const say = makeLogOutsideJson(options);
const servers = 10;
const toolsPerServer = 10;
/** A unit has two attempts. */
const units = options.smallest ? { warmUp: 2, few: 4, many: 8 } : { warmUp: 30, few: 100, many: 1_000 };
const concurrency = 16;
/** How often the small evaluation is measured; the median counts. */
/** How often we and the peer take turns. */
const pairs = options.smallest ? 1 : 5;
const repeats = options.smallest ? 1 : 5;
const slow = {
  concurrency: 50,
  answerMs: 1_000,
  /** Sequential answers that one attempt waits for: two turns, the derived requests, their vectors. */
  chain: 4,
} as const;

const stubs = await startStubServers({ servers, toolsPerServer, sessions: true });
const modernStubs = await startStubServers({ servers, toolsPerServer, modern: true });
const models = await startStubModels();
const plainModels = await startStubModels({ plain: true });
const slowModels = await startStubModels({ delayMs: slow.answerMs });
const countStubRequests = (): number =>
  stubs.requests() + modernStubs.requests() + models.requests() + slowModels.requests();
try {
  await measureOnTemporaryWorker(options, measureAndPrintAttemptCosts);
} finally {
  await Promise.all([stubs.close(), modernStubs.close(), models.close(), slowModels.close(), plainModels.close()]);
}

async function measureAndPrintAttemptCosts(worker: Development): Promise<void> {
  const client = createClient(worker);
  const upload = await makeStubBenchmarkUploader(client, 's', stubs);
  const uploadModern = await makeStubBenchmarkUploader(client, 'm', modernStubs);
  const instant = { models: models.url, concurrency, judges: false, requests: countStubRequests };
  const waiting = { models: slowModels.url, concurrency: slow.concurrency, judges: true, requests: countStubRequests };

  const warmUp = await upload(units.warmUp);
  await evaluateAndMeasureCost(client, { ...instant, benchmark: warmUp });
  await evaluateAndMeasureCost(client, { ...instant, judges: true, benchmark: warmUp });
  say('warm');

  const few = await upload(units.few);
  const memory = watchPeakMemory(process.pid, worker.runtime());
  const measureOnce = (benchmark: string): Promise<MeasuredEvaluation> =>
    evaluateAndMeasureCost(client, { ...instant, benchmark });
  const measure = async (benchmark: string): Promise<MeasuredEvaluation> => {
    const runs: MeasuredEvaluation[] = [];
    for (let n = 0; n < repeats; n += 1) {
      const run = await measureOnce(benchmark);
      say(`${run.attempts} attempts: ${roundToHundredths(msPerAttempt(run))} ms each`);
      runs.push(run);
    }
    return medianRun(runs);
  };
  const typical = await measure(few);
  const peakMb = memory.stop();
  const modern = await measure(await uploadModern(units.few));
  const toPeer = options.isGiven(peerFlag) ? await compareWithPeer(() => measureOnce(few)) : undefined;

  const judged = await evaluateAndMeasureCost(client, { ...waiting, benchmark: few });
  const idealMs = Math.ceil(judged.attempts / slow.concurrency) * slow.chain * slow.answerMs;
  say(
    `${judged.attempts} judged attempts: ${roundToHundredths(judged.wallMs / 1_000)} s, ideally ${idealMs / 1_000} s`,
  );

  const large = await evaluateAndMeasureCost(client, { ...instant, benchmark: await upload(units.many) });
  say(`${large.attempts} attempts: ${roundToHundredths(msPerAttempt(large))} ms each`);

  printFigures({
    attemptsPerSecond: roundToHundredths(1_000 / msPerAttempt(typical)),
    ownMsPerAttempt: roundToHundredths(msPerAttempt(typical)),
    peakMb: roundToHundredths(peakMb),
    makespanToIdeal: roundToHundredths(judged.wallMs / idealMs),
    ...(toPeer !== undefined && { toPeer }),
    withoutSessions: { ownMsPerAttempt: roundToHundredths(msPerAttempt(modern)), ...modern.perAttempt },
    costPerAttempt: Object.fromEntries([typical, large].map((run) => [run.attempts, run.perAttempt])),
  });
}

/** Takes turns with the peer on the same number of attempts at the same stubs; returns the median of the ratios of the times. */
async function compareWithPeer(measureOurs: () => Promise<MeasuredEvaluation>): Promise<number> {
  const folder = await installPeer();
  const attempts = Array.from({ length: 2 * units.few }, (_, n): PeerAttempt => {
    const server = n % servers;
    const place = `${server}.${String(Math.floor(n / servers) % toolsPerServer).padStart(2, '0')}`;
    return { server: stubs.urlOf(server), request: `For matter ${n}, do with "alpha" what stands at ${place}.` };
  });
  const ratios: number[] = [];
  for (let n = 0; n < pairs; n += 1) {
    const ours = msPerAttempt(await measureOurs());
    const peerMs = (await measurePeerMs(folder, { models: plainModels.url, concurrency, attempts })) / attempts.length;
    say(`${roundToHundredths(ours)} ms an attempt, the peer ${roundToHundredths(peerMs)} ms`);
    ratios.push(ours / peerMs);
  }
  return roundToHundredths(
    quantileOfSorted(
      ratios.toSorted((a, b) => a - b),
      0.5,
    ),
  );
}

/**
 * Registers stub servers; returns a function that uploads a benchmark of a number of units on their tools and
 * returns its id.
 */
async function makeStubBenchmarkUploader(
  client: Client,
  prefix: string,
  stubServers: StubServers,
): Promise<(count: number) => Promise<string>> {
  const ids: string[] = [];
  for (let n = 0; n < servers; n += 1) {
    ids.push(
      (
        await client.servers.add({
          name: `${prefix}${n}`,
          domain: 'bench',
          url: stubServers.urlOf(n),
          allows: 'destroys',
        })
      ).id,
    );
  }
  const { catalog, tools } = await client.catalogs.get((await client.catalogs.create(ids)).id);
  return async (count) =>
    (await client.benchmarks.importFile(await makeStubBenchmarkFile(catalog.id, tools, count), { floor: false })).id;
}

function msPerAttempt({ wallMs, attempts }: MeasuredEvaluation): number {
  return wallMs / attempts;
}

function medianRun(runs: readonly MeasuredEvaluation[]): MeasuredEvaluation {
  const middle = runs.toSorted((a, b) => a.wallMs - b.wallMs)[Math.floor(runs.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}

interface Figures {
  /** The median over pairs of our time to the peer's. */
  readonly toPeer?: number;
  readonly attemptsPerSecond: number;
  readonly ownMsPerAttempt: number;
  readonly peakMb: number;
  readonly makespanToIdeal: number;
  readonly withoutSessions: AttemptCost & { readonly ownMsPerAttempt: number };
  readonly costPerAttempt: Readonly<Record<string, AttemptCost>>;
}

function printFigures(figures: Figures): void {
  if (options.json) return console.log(JSON.stringify(figures));
  const { costPerAttempt, withoutSessions, ...single } = figures;
  console.table(single);
  console.table({ withoutSessions });
  console.table(costPerAttempt);
}
