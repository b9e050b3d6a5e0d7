import { findApiAddressAndKey } from './http/access.ts';
import { createClient } from './client.ts';
import { exitCodeFor, exitCodes, errorText, errorJson } from './command-line/error-output.ts';
import { programOrVerbHelpText } from './command-line/help.ts';
import { Output } from './command-line/output.ts';
import { parseLine } from './command-line/parse-line.ts';
import { UsageError } from './command-line/usage-error.ts';
import { commonOptions, program } from './command-line/program.ts';

/** `npm run sextant -- <verb>`: the command line on top of the client. */
const name = 'npm run sextant --';
const about = 'Sextant charts the tool space of MCP servers.';

/** A person at the command line should not wait long for an unavailable service. */
const retries = 2;

const argv = process.argv.slice(2);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interruption.abort());

// The reader of our output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : exitCodes.failed),
);

try {
  const request = parseLine(argv, program);
  if (request.kind === 'help') {
    console.log(programOrVerbHelpText(name, about, program, request.commands));
  } else {
    const { command, given } = request;
    const named = { url: given.value(commonOptions.url), key: given.value(commonOptions.key) };
    const { url, key } = findApiAddressAndKey(named, process.env, command.open === true);
    const { signal } = interruption;
    const client = createClient({ url, key, retries, signal });
    const output = new Output(given.value(commonOptions.json), process.stdout, process.stderr);
    const isServiceNamed = (named.url ?? process.env['SEXTANT_URL']) !== undefined;
    await command.run(given, { client, isServiceNamed, output, signal });
  }
} catch (error) {
  if (interruption.signal.aborted) {
    console.error('interrupted; a run that is under way goes on by itself');
    process.exitCode = exitCodes.interrupted;
  } else {
    const hint = error instanceof UsageError ? `\n"${name} --help" shows what there is.` : '';
    console.error(argv.includes('--json') ? JSON.stringify(errorJson(error)) : `${errorText(error)}${hint}`);
    process.exitCode = exitCodeFor(error);
  }
}
