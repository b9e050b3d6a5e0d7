import { z } from 'zod';
import type { Program, ProgramEnd, ProgramReply, RunProgram } from '#core/ports.ts';
import { firstCharacters } from '#core/values/excerpt.ts';

/** CPU time of a program where the platform limits it, as Cloudflare does; workerd itself does not. */
const cpuMs = 10_000;

/** Globals that programs keep: those of the language that cannot take memory outside of the heap, and few of the web. */
const keptGlobals = [
  'Object Function Array Number Boolean String Symbol BigInt Date Promise RegExp Math JSON Map Set WeakMap',
  'WeakSet Proxy Reflect Iterator Intl globalThis NaN Infinity Error AggregateError EvalError RangeError',
  'ReferenceError SyntaxError TypeError URIError undefined parseInt parseFloat isNaN isFinite',
  'structuredClone setTimeout clearTimeout encodeURI encodeURIComponent decodeURI decodeURIComponent URL',
  'URLSearchParams',
].flatMap((line) => line.split(' '));

/** The module of the program, whose lines are those of its code. */
const programModule = 'program.js';

/** Runs beside the program in its isolate. What it sends is read as data: the program may have changed everything here. */
const harness = String.raw`
import { WorkerEntrypoint } from 'cloudflare:workers';
const { stringify, parse } = JSON;
const kept = new Set(${JSON.stringify(keptGlobals)});
const show = (value) => {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return String(value);
  try { return stringify(value) ?? String(value); } catch { return String(value); }
};
const valueOf = ({ text, json }) => {
  if (json !== null) return parse(json);
  if (!/^\s*[\[{]/.test(text)) return text;
  try { return parse(text); } catch { return text; }
};
export default class extends WorkerEntrypoint {
  async run(call, outputChars) {
    for (let at = globalThis; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
      for (const name of Object.getOwnPropertyNames(at)) if (!kept.has(name)) delete at[name];
    let printed = '';
    const print = (...values) => {
      if (printed.length < outputChars) printed += (values.map(show).join(' ') + '\n').slice(0, outputChars - printed.length);
    };
    const console = { log: print, info: print, warn: print, error: print, debug: print };
    const tools = new Proxy({}, {
      get: (_, name) => typeof name !== 'string' || name === 'then' ? undefined : async (args) => {
        const reply = await call(name, stringify(args ?? {}) ?? '{}');
        if (!reply.ok) throw new Error(reply.message);
        return valueOf(reply);
      },
    });
    try {
      const { default: program } = await import('${programModule}');
      const value = await program(tools, console);
      if (value === undefined) return stringify({ kind: 'returned', text: null, truncated: false, printed });
      const text = show(value);
      const truncated = text.length > outputChars;
      return stringify({ kind: 'returned', text: text.slice(0, outputChars), truncated, printed });
    } catch (error) {
      const stack = String(error?.stack ?? '').slice(0, outputChars);
      return stringify({ kind: 'threw', message: show(error).slice(0, outputChars), stack, printed });
    }
  }
}
`;

const programEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('returned'), text: z.string().nullable(), truncated: z.boolean(), printed: z.string() }),
  z.object({ kind: z.literal('threw'), message: z.string(), stack: z.string(), printed: z.string() }),
]);

/** The entrypoint of the harness. */
interface ProgramIsolate extends Rpc.WorkerEntrypointBranded {
  run(call: (name: unknown, argumentsText: unknown) => Promise<ProgramReply>, outputChars: number): Promise<string>;
}

/**
 * Returns what runs programs in isolates that a Worker Loader makes. Nothing ends an isolate from outside: when the signal aborts,
 * its calls stay unanswered, and the platform's limit of CPU time ends a program that does not wait. Where there is no such limit,
 * a program without end takes the whole process with it, so there each one needs a process (`process.ts`).
 */
export const makeIsolateRunner =
  (loader: WorkerLoader): RunProgram =>
  async (program, call, signal) => {
    const stopped = new Promise<ProgramEnd>((resolve) => {
      const stop = (): void => resolve({ kind: 'stopped', why: 'signal', printed: '' });
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    const answer = async (name: unknown, argumentsText: unknown): Promise<ProgramReply> =>
      call(z.string().catch('').parse(name), z.string().catch('').parse(argumentsText));
    return Promise.race([stopped, loadAndRun(loader, program, answer)]);
  };

async function loadAndRun(
  loader: WorkerLoader,
  { code, outputChars }: Program,
  call: (name: unknown, argumentsText: unknown) => Promise<ProgramReply>,
): Promise<ProgramEnd> {
  const isolate = loader.load({
    compatibilityDate: '2026-10-01',
    compatibilityFlags: ['no_nodejs_compat', 'no_nodejs_compat_v2'],
    limits: { cpuMs },
    mainModule: 'harness.js',
    modules: { 'harness.js': harness, [programModule]: moduleOfProgram(code) },
    env: {},
    globalOutbound: null,
  });
  try {
    const end = programEnd.parse(JSON.parse(await isolate.getEntrypoint<ProgramIsolate>().run(call, outputChars)));
    const printed = firstCharacters(end.printed, outputChars);
    if (end.kind === 'returned')
      return { ...end, printed, text: end.text === null ? null : firstCharacters(end.text, outputChars) };
    const message = firstCharacters(end.message, outputChars);
    return { kind: 'threw', message, line: findLine(end.stack, code), printed };
  } catch (error) {
    return endOfBrokenIsolate(error instanceof Error ? error.message : String(error), code);
  }
}

/** Reads what the loader says of code that is none, and what is said of an isolate that has ended without an answer. */
function endOfBrokenIsolate(message: string, code: string): ProgramEnd {
  const syntax = /SyntaxError: [^\n]*/u.exec(message)?.[0];
  if (syntax !== undefined) return { kind: 'threw', message: syntax, line: findLine(message, code), printed: '' };
  // workerd notices where nothing is left to wait for.
  if (/\bnever generate a response\b/u.test(message))
    return { kind: 'threw', message: 'it waits for something that never comes', line: null, printed: '' };
  return { kind: 'stopped', why: 'resources', printed: '' };
}

/** Makes a module of the code, without adding a line before it. Models also write a whole function, or fence the code. */
function moduleOfProgram(code: string): string {
  const plain = withoutFence(code);
  const body = /^\s*(?:async\s*)?(?:\([^()]*\)\s*=>|function\b\s*\()/u.test(plain)
    ? `return await (${plain.replace(/[\s;]+$/u, '')}\n)();`
    : plain;
  return `export default async (tools, console) => { ${body}\n}`;
}

/** Takes the marks of a fence away and keeps their lines. */
const withoutFence = (code: string): string => code.replace(/^\s*```\w*(?=\n)/u, '').replace(/```\s*$/u, '');

/** Returns the first line of the code that a stack or message names. */
function findLine(text: string, code: string): number | null {
  const line = Number(/\bprogram\.js:(\d+)/u.exec(text)?.[1] ?? 0);
  return line === 0 ? null : Math.min(line, code.split('\n').length);
}
