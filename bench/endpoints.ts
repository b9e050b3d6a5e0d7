import { readFileSync, writeFileSync } from 'node:fs';
import { createClient } from '../client/client.ts';
import { flagOption } from '../client/command-line/options.ts';
import { makeInterruptionOnEndSignals } from '../client/demo/interruption.ts';
import { mapInParallel } from '../client/map-in-parallel.ts';
import type { Development } from '../engine/development.ts';
import type { Profile } from '../tests/support/endpoints/profile.ts';
import { profiles } from '../tests/support/endpoints/profiles.ts';
import { troubles } from '../tests/support/endpoints/troubles.ts';
import { exploreAndEvaluateAtEndpoint, type Correction } from './endpoints/run-at-endpoint.ts';
import { pageWithTableReplaced, endpointTableRow, type EndpointRun } from './endpoints/table.ts';
import { parseBenchOptionsOrHelp } from './shared/bench-line.ts';
import { roundedJsonLine } from './shared/json-line.ts';
import { measureOnTemporaryWorkerOnFreePorts } from './shared/measure-on-servers.ts';

/**
 * `npm run bench:endpoints`: an exploration and an evaluation at the stand-in of each endpoint, whose model answers as the
 * offline ones do, and at one that makes trouble; writes the tables of docs/models.md.
 */
const page = 'docs/models.md';
/** How long models may take; one of the troubles is an answer that never ends. */
const timeoutMs = 10_000;
const serverNames: readonly string[] = ['calc', 'files', 'thinking', 'planning', 'charts'];
const atOnce = 3;

const options = {
  smallest: flagOption('smallest', `measure at one endpoint, and leave ${page} as it is`),
  json: flagOption('json', 'end with one line of JSON; progress goes to the standard error'),
  help: flagOption('help', 'this text'),
};

const { ending, reportFailure } = makeInterruptionOnEndSignals();

try {
  const asked = parseBenchOptionsOrHelp(process.argv.slice(2), {
    verb: 'bench:endpoints',
    about: `Explores and evaluates at a stand-in for each endpoint and in each trouble, and writes the tables of ${page}.`,
    more: 'Options stand behind two hyphens: npm run bench:endpoints -- --json',
    options: Object.values(options),
  });
  if ('help' in asked) console.log(asked.help);
  else
    await measureEndpointsAndWriteTables(
      asked.parseOptionValue(options.json),
      asked.parseOptionValue(options.smallest),
    );
} catch (error) {
  reportFailure(error);
}

async function measureEndpointsAndWriteTables(json: boolean, smallest: boolean): Promise<void> {
  const progress = json ? process.stderr : process.stdout;
  const log = (line: string): void => void progress.write(`${line}\n`);
  const vars = { MODEL_TIMEOUT_MS: String(timeoutMs) };
  const { endpoints, inTrouble } = await measureOnTemporaryWorkerOnFreePorts({ json, log, ending, vars }, (worker) =>
    runAtEndpointsAndInTroubles(worker, log, smallest),
  );
  if (!smallest) writeTables(endpoints, inTrouble);
  if (json) console.log(roundedJsonLine({ endpoints, inTrouble }));
}

function writeTables(endpoints: readonly EndpointRun[], inTrouble: readonly EndpointRun[]): void {
  const filled = pageWithTableReplaced(
    readFileSync(page, 'utf8'),
    'runs at endpoints',
    endpoints.map(endpointTableRow),
  );
  writeFileSync(page, pageWithTableReplaced(filled, 'runs in trouble', inTrouble.map(endpointTableRow)));
}

async function runAtEndpointsAndInTroubles(worker: Development, log: (line: string) => void, smallest: boolean) {
  const client = createClient({ url: worker.url, key: worker.key, signal: ending.signal });
  const wanted = worker.servers.filter(({ name }) => serverNames.includes(name));
  const servers = await mapInParallel(wanted, atOnce, (server) => client.servers.add(server));
  const { id: catalog } = await client.catalogs.create(servers.map(({ id }) => id));
  const ground = { client, catalog, signal: ending.signal };
  const run = async (profile: Profile, correct?: Correction): Promise<EndpointRun> => {
    const done = await exploreAndEvaluateAtEndpoint(ground, profile, correct);
    log(endpointTableRow(done));
    return done;
  };
  const [first, ...others] = profiles;
  if (first === undefined) throw new Error('there is no profile');
  if (smallest) return { endpoints: [await run(first)], inTrouble: [] };
  // Its requests name each form beside its schema; those of others may only show the schema.
  const endpoints = [await run(first), ...(await mapInParallel(others, atOnce, (profile) => run(profile)))];
  const inTrouble = await mapInParallel(troubles, atOnce, ({ name, change, lasts }) => {
    let isCorrected = false;
    const { fail, ...more } = change;
    const meets: Profile['fail'] = (place, request) => (isCorrected ? null : (fail?.(place, request) ?? null));
    const correct = lasts === true ? () => void (isCorrected = true) : undefined;
    return run({ ...first, ...more, fail: meets, name }, correct);
  });
  return { endpoints, inTrouble };
}
