import { readFileSync, writeFileSync } from 'node:fs';
import { differencesOf, dialect as dialectSchema, dialectOf, type DialectSetting } from '#core/models/dialect.ts';
import { createClient, type Client } from '../client/client.ts';
import { flagOption } from '../client/command-line/options.ts';
import { makePrintableLine } from '../client/command-line/text.ts';
import { CommandError } from '../client/command-line/usage-error.ts';
import { listenForInterruption } from '../client/demo/interruption.ts';
import { mapInParallel } from '../client/demo/map-in-parallel.ts';
import type { Development } from '../scripts/development.ts';
import type { Profile } from '../tests/support/endpoints/profile.ts';
import { gpt56WithoutResponses } from '../tests/support/endpoints/openai.ts';
import { profiles } from '../tests/support/endpoints/profiles.ts';
import { serveProfile } from '../tests/support/endpoints/serve.ts';
import { answerOffline } from './endpoints/offline-answers.ts';
import { replaceTable, rowOf, type EndpointRun } from './endpoints/table.ts';
import { parseBench } from './shared/bench-line.ts';
import { roundedJsonLine } from './shared/json-line.ts';
import { measureOnServers } from './shared/measure-on-servers.ts';

/**
 * `npm run bench:endpoints`: an exploration and an evaluation at the stand-in of each endpoint, whose model answers as the
 * offline ones do; writes the table of docs/models.md.
 */
const page = 'docs/models.md';
const rounds = 2;
const batch = 3;
const serverNames: readonly string[] = ['calc', 'files', 'thinking', 'planning', 'charts'];
const atOnce = 3;

const options = {
  json: flagOption('json', 'end with one line of JSON; progress goes to the standard error'),
  help: flagOption('help', 'this text'),
};

const { ending, reportFailure } = listenForInterruption();

try {
  const asked = parseBench(process.argv.slice(2), {
    verb: 'bench:endpoints',
    about: `Explores and evaluates at a stand-in for each endpoint, and writes the table of ${page}.`,
    more: 'Options stand behind two hyphens: npm run bench:endpoints -- --json',
    options: Object.values(options),
  });
  if ('help' in asked) console.log(asked.help);
  else await measureAndReport(asked.value(options.json));
} catch (error) {
  reportFailure(error);
}

async function measureAndReport(json: boolean): Promise<void> {
  const progress = json ? process.stderr : process.stdout;
  const log = (line: string): void => void progress.write(`${line}\n`);
  const runs = await measureOnServers({ json, log, ending }, (worker) => runAll(worker, log));
  writeFileSync(page, replaceTable(readFileSync(page, 'utf8'), runs.map(rowOf)));
  if (json) console.log(roundedJsonLine({ endpoints: runs }));
}

async function runAll(worker: Development, log: (line: string) => void): Promise<EndpointRun[]> {
  const client = createClient({ url: worker.url, key: worker.key, signal: ending.signal });
  const wanted = worker.servers.filter(({ name }) => serverNames.includes(name));
  const servers = await mapInParallel(wanted, atOnce, (server) => client.servers.add(server));
  const { id: catalog } = await client.catalogs.create(servers.map(({ id }) => id));
  const [first, ...others] = profiles;
  if (first === undefined) return [];
  const run = async (profile: Profile): Promise<EndpointRun> => {
    const done = await runAt(client, catalog, profile);
    log(rowOf(done));
    return done;
  };
  // Its requests name each form beside its schema; those of others may only show the schema.
  return [await run(first), ...(await mapInParallel(others, atOnce, run))];
}

/** What the table of dialects and the client's setting say of an endpoint, which the address of a stand-in does not. */
function settingOf({ baseUrl, model, name }: Profile): DialectSetting {
  // A gateway, of which nothing is published.
  if (name === gpt56WithoutResponses.name) return {};
  const wanted = name === 'Anthropic (compatibility layer)' ? { wire: 'chat' as const } : {};
  const published = dialectOf({ baseUrl, model }, wanted);
  const standard = dialectOf({ baseUrl: 'http://localhost', model });
  const different = new Set(differencesOf(standard, published).map((each) => each.split(':')[0]));
  const set = Object.fromEntries(Object.entries(published).filter(([field]) => different.has(field)));
  return dialectSchema.partial().parse({ ...set, ...wanted });
}

async function runAt(client: Client, catalog: string, profile: Profile): Promise<EndpointRun> {
  const served = await serveProfile(profile, answerOffline);
  const { pathname, search } = new URL(profile.baseUrl);
  const endpoint = {
    baseUrl: `${served.url}${pathname}${search}`,
    apiKey: 'sk-test',
    dialect: settingOf(profile),
  };
  const model = { ...endpoint, model: profile.model };
  const outcome = { name: profile.name, accepted: 0, units: 0, native: '', prompted: '', said: '' };
  const counts = () => ({
    refused: served.refusals.length,
    taken: served.accepted.length + served.others.length,
    refusals: [...new Set(served.refusals.map(({ message }) => message.slice(0, 200)))],
  });
  try {
    const run = await client.explorations.create({
      name: profile.name,
      catalog,
      batch,
      seed: 1,
      budget: { rounds },
      review: 'accept',
      models: { writer: model, critic: model, agent: model },
    });
    const record = await client.explorations.wait(run.id);
    const { accepted, dropped, lost, rejected } = record.units;
    outcome.accepted = accepted;
    outcome.units = accepted + dropped + lost + rejected;
    const benchmark = await client.benchmarks.freeze({
      explorations: [run.id],
      unproven: 'keep',
      privateShare: 0,
      floor: false,
    });
    const { id } = await client.evaluations.create({
      benchmark: benchmark.id,
      name: profile.name,
      agents: [
        { name: 'native', loop: 'function-calling', model: profile.model, endpoint },
        { name: 'prompted', loop: 'prompted-calling', model: profile.model, endpoint },
      ],
    });
    const evaluation = await client.evaluations.wait(id);
    if (evaluation.status !== 'completed')
      throw new CommandError(`the evaluation is ${evaluation.status}: ${evaluation.reason ?? ''}`);
    const { agents } = await client.evaluations.results(id);
    const tell = (name: string): string => {
      const { attempts = 0, notEvaluated = 0 } = agents.find((each) => each.name === name) ?? {};
      return `${attempts - notEvaluated} of ${attempts}`;
    };
    return { ...outcome, native: tell('native'), prompted: tell('prompted'), ...counts() };
  } catch (error) {
    // A refusal at creation is a result.
    if (ending.signal.aborted || !(error instanceof Error)) throw error;
    return { ...outcome, said: makePrintableLine(error.message).slice(0, 300), ...counts() };
  } finally {
    await served.close();
  }
}
