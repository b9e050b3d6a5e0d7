import { errorText, exitCodeFor } from '../client/command-line/error-output.ts';
import { useFolderOfCaller } from '../engine/folder-of-caller.ts';
import { runSextantUntilStopped } from '../client/start/run-until-stopped.ts';
import { parseStartOptionsOrHelp } from '../client/start/start-options.ts';

/** `npm start`: runs everything on this machine until Ctrl-C. */

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());

try {
  useFolderOfCaller();
  const asked = parseStartOptionsOrHelp(process.argv.slice(2));
  if ('help' in asked) console.log(asked.help);
  else await runSextantUntilStopped(asked, interrupted.signal, (line) => console.log(line));
} catch (error) {
  console.error(errorText(error));
  process.exitCode = exitCodeFor(error);
}
