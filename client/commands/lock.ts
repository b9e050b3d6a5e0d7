import { isSuccess, resultValue } from '#core/reports/check/probes/answer.ts';
import type { LockedCall, LockedServer, LockFile } from '#core/reports/lock/lock-file.ts';
import { shapeOfValues } from '#core/reports/lock/result-shape.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import { readCheckTarget } from '../check/check-target.ts';
import { probeServer } from '../check/probe-servers.ts';
import type { Command } from '../command-line/command.ts';
import { noteNextStep } from '../command-line/next-step.ts';
import { flagOption, optionalOption, parseNonEmptyText } from '../command-line/options.ts';
import { countWithNoun } from '../command-line/text.ts';
import { requireWritable, writeFileAtomically } from '../files/atomic-file.ts';
import { observeServer, type ObservedServer } from '../lock/observe-server.ts';
import type { ServerEntry } from '../serve/server-file.ts';

const target = { name: 'server', about: 'the address of an MCP server, or a file with `mcpServers`' };
const usualFile = 'sextant.lock.json';
const out = optionalOption('out', 'FILE', `where the lock goes (${usualFile} without it)`, parseNonEmptyText);
const staticOption = flagOption('static', 'lock the definitions only, and call nothing');

/** Calls of each tool that are locked. */
const callsOfTool = 3;
/** How often each is made before it counts: what differs by then is no drift later. */
const looks = 3;

const lock: Command = {
  verb: 'lock',
  about: 'Write down what MCP servers offer and how they answer, so that "check --lock" can name what has changed',
  more: 'Tools that only read are called, with good arguments; calls whose results have no steady form are left out. No other tool is called. Commit the file, and write it again when you accept a change.',
  operands: [target],
  options: [out, staticOption],
  open: true,
  async run(given, { output, signal }) {
    const what = given.firstOperandWordOrThrow(target);
    const read = readCheckTarget(what);
    if (read.kind === 'list')
      throw new UsageError(`${what} only lists tools: give the address or the file of the server`);
    const file = given.parseOptionValue(out) ?? usualFile;
    await requireWritable(file);
    const options = {
      allows: 'reads' as const,
      static: given.has(staticOption),
      progress: (line: string): void => output.writeNote(line),
      signal,
    };
    const servers: LockedServer[] = [];
    for (const entry of read.entries)
      servers.push(
        await lockServer(entry, options).catch((cause: unknown) => {
          signal.throwIfAborted();
          throw new CommandError(`${entry.name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
        }),
      );
    const locked: LockFile = { type: 'sextant-lock', format: 1, servers };
    await writeFileAtomically(file, [`${JSON.stringify(locked, null, 2)}\n`]);
    output.writeAsJsonOrLines(locked, () =>
      servers.map(
        ({ name, tools, calls }) =>
          `${name}: ${countWithNoun(tools.length, 'tool')}, ${countWithNoun(calls.length, 'call')} in ${file}`,
      ),
    );
    noteNextStep(output, `check ${what} --lock ${file}`);
  },
};

async function lockServer(entry: ServerEntry, options: Parameters<typeof probeServer>[1]): Promise<LockedServer> {
  const { samples } = await probeServer(entry, options);
  const calls = [...Map.groupBy(samples, ({ tool }) => tool).values()].flatMap((own) => own.slice(0, callsOfTool));
  const unlocked = calls.map((call) => ({ ...call, shape: {} }));
  const first = await observeServer(entry, unlocked, options.signal);
  const further: ObservedServer[] = [];
  for (let look = 1; look < looks && calls.length > 0; look += 1)
    further.push(await observeServer(entry, unlocked, options.signal));
  const steady = first.repeated.flatMap(({ call: { tool, arguments: args } }, at): LockedCall[] => {
    const answers = [first, ...further].map(({ repeated }) => repeated[at]?.answer);
    const values = answers.flatMap((answer) => (isSuccess(answer) ? [resultValue(answer)] : []));
    return values.length < answers.length ? [] : [{ tool, arguments: args, shape: shapeOfValues(values) }];
  });
  return { ...first.definitions, calls: steady };
}

/** The verb that locks servers. */
export const lockCommands: readonly Command[] = [lock];
