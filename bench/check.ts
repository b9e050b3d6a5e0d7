import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorText, exitCodeFor } from '../client/command-line/error-output.ts';
import { flagOption, optionalOption } from '../client/command-line/options.ts';
import { makePrintableLine } from '../client/command-line/text.ts';
import { mapInParallel } from '../client/map-in-parallel.ts';
import { UsageError } from '../engine/usage-error.ts';
import { isSetAside } from '../tests/fixtures/servers/fixture.ts';
import { listFixtureServers, listUnseenServers } from '../tests/support/fixture-servers.ts';
import { checkFixture } from './check/check-fixture.ts';
import { scoreChecks } from './check/score.ts';
import { checkFigureLines } from './check/text.ts';
import { parseBenchOptionsOrHelp } from './shared/bench-line.ts';
import { roundedJsonLine } from './shared/json-line.ts';

/**
 * `npm run bench:check`: how many planted faults a check of a server finds, and how often it complains of what is clean. Half of the
 * servers are set aside: rules are written without a look at them.
 */
const atOnce = 2;
/** Quick ones, with faults and without. */
const smallest = ['rounding', 'tickets', 'shelter'];

const options = {
  server: optionalOption('server', 'NAME', 'checks this server alone', (name) => name),
  setAside: flagOption('set-aside', 'checks the half that is set aside instead of the other one'),
  all: flagOption('all', 'checks both halves'),
  unseen: flagOption('unseen', 'checks those by an author who has not seen the check'),
  smallest: flagOption('smallest', 'measure as little as shows that it works; the figures say nothing'),
  json: flagOption('json', 'end with one line of JSON; progress goes to the standard error'),
  help: flagOption('help', 'this text'),
};

interface Wanted {
  readonly server: string | undefined;
  readonly setAside: boolean;
  readonly all: boolean;
  readonly unseen: boolean;
  readonly smallest: boolean;
}

try {
  const asked = parseBenchOptionsOrHelp(process.argv.slice(2), {
    verb: 'bench:check',
    about: 'Checks servers with planted faults, and counts what was found and what was a false alarm.',
    more: 'bench/README.md explains the figures. Options stand behind two hyphens.',
    options: Object.values(options),
  });
  if ('help' in asked) console.log(asked.help);
  else {
    const names = chooseServers({
      server: asked.parseOptionValue(options.server),
      setAside: asked.parseOptionValue(options.setAside),
      all: asked.parseOptionValue(options.all),
      unseen: asked.parseOptionValue(options.unseen),
      smallest: asked.parseOptionValue(options.smallest),
    });
    await checkAndPrintFigures(names, asked.parseOptionValue(options.json));
  }
} catch (error) {
  console.error(errorText(error));
  process.exitCode = exitCodeFor(error);
}

/** Throws a UsageError if options exclude each other, or name a server that is not among those that they ask for. */
function chooseServers({ server, setAside, all, unseen, smallest: few }: Wanted): readonly string[] {
  if ([setAside, all, unseen, few].filter(Boolean).length > 1 || (few && server !== undefined))
    throw new UsageError('give one of --set-aside, --all, --unseen and --smallest, and no --server with the last one');
  if (few) return smallest;
  const names = unseen
    ? listUnseenServers()
    : listFixtureServers().filter((name) => all || isSetAside(name) === setAside);
  if (server === undefined) return names;
  const asked = unseen ? `unseen/${server}` : server;
  if (!names.includes(asked))
    throw new UsageError(
      `there is no server "${server}" among these${all || setAside || unseen ? '' : '; half of them are set aside (--set-aside)'}`,
    );
  return [asked];
}

async function checkAndPrintFigures(names: readonly string[], json: boolean): Promise<void> {
  const log = (line: string): void =>
    void (json ? process.stderr : process.stdout).write(`${makePrintableLine(line)}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-check-'));
  try {
    const checked = await mapInParallel(names, atOnce, (name) => checkFixture(name, folder, log));
    const figures = scoreChecks(checked);
    if (json) console.log(roundedJsonLine(figures));
    else for (const line of ['', ...checkFigureLines(figures)]) console.log(line);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
