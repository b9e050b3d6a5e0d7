import { harnessVersion } from '#core/values/harness-version.ts';
import { ApiError } from './http/errors.ts';
import { findApiAddressAndKey, keySourceText } from './http/access.ts';
import { createClient } from './client.ts';
import { exitCodeFor, exitCodes, errorText, errorAsJsonObject } from './command-line/error-output.ts';
import { programOrVerbHelpText } from './command-line/help.ts';
import { outputLineWidth, Output } from './command-line/output.ts';
import { findNamedVerb, parseLineToVerbOrHelp } from './command-line/parse-line.ts';
import { UsageError } from '../engine/usage-error.ts';
import { commonOptions, program } from './program.ts';
import { useFolderOfCaller } from '../engine/folder-of-caller.ts';
import { commandName } from '../engine/installation.ts';

/** `sextant <verb>`, and `npm run sextant -- <verb>` in a clone: the command line on top of the client. */
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
  useFolderOfCaller();
  const request = parseLineToVerbOrHelp(argv, program);
  if (argv.length === 1 && argv[0] === '--version') {
    console.log(harnessVersion.replace('@', ' '));
  } else if (request.kind === 'help') {
    console.log(programOrVerbHelpText(commandName, about, program, request.commands, outputLineWidth(process.stdout)));
  } else {
    const { command, given } = request;
    const named = { url: given.parseOptionValue(commonOptions.url), key: given.parseOptionValue(commonOptions.key) };
    const { url, key } = findApiAddressAndKey(named, process.env, command.open === true);
    const { signal } = interruption;
    const client = createClient({ url, key, retries, signal });
    const output = new Output(given.parseOptionValue(commonOptions.json), process.stdout, process.stderr);
    const isServiceNamed = (named.url ?? process.env['SEXTANT_URL']) !== undefined;
    try {
      await command.run(given, { client, isServiceNamed, output, signal });
    } catch (error) {
      if (!output.isJson && error instanceof ApiError && error.code === 'unauthorized')
        output.writeNote(keySourceText(named, process.env));
      throw error;
    }
  }
} catch (error) {
  if (interruption.signal.aborted) {
    const detail = 'interrupted; a run that is under way goes on by itself';
    console.error(argv.includes('--json') ? JSON.stringify({ error: { code: 'interrupted', detail } }) : detail);
    process.exitCode = exitCodes.interrupted;
  } else {
    const hint = error instanceof UsageError ? `\n${helpHint()}` : '';
    console.error(argv.includes('--json') ? JSON.stringify(errorAsJsonObject(error)) : `${errorText(error)}${hint}`);
    process.exitCode = exitCodeFor(error);
  }
}

/** Names the help on the verb that the line names, or on all of them. */
function helpHint(): string {
  const verb = findNamedVerb(argv, program)?.verb;
  return verb === undefined
    ? `"${commandName} --help" shows what there is.`
    : `"${commandName} help ${verb}" shows what it takes.`;
}
