import { z } from 'zod';
import { declareTool, makeIdentifiersOfTools } from '#core/catalog/type-declarations.ts';
import { cutDescription } from '#core/catalog/shown-description.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { estimateTokens } from '#core/models/estimate-tokens.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import type { FunctionDefinition, ProgramEnd, ProgramReply, RunProgram, ToolCallRequest } from '#core/ports.ts';
import { excerptChars, type ProgramRun } from '#core/traces/trace.ts';
import { firstCharacters, textWithMarkIfCut } from '#core/values/excerpt.ts';
import type { AttemptLog, LoopResult } from './attempt-log.ts';
import {
  forwardOrRefuseCall,
  runAgentLoop,
  type AttemptInput,
  type CallContext,
  type Calling,
  type IssuedCall,
  type IssuedWork,
  type Reply,
} from './attempt.ts';
import { parseIssuedCall } from './function-calling.ts';
import type { Opening } from './opening.ts';
import { argumentChars, parseArgumentsOrNull } from './steps.ts';

/** Calls that one program may make. */
export const mostCallsOfProgram = 100;
/** How long a program may run without waiting for a call. */
export const ownTimeMs = 10_000;
/** Tokens of declarations that a prompt lists whole. Of more tools it lists names, and the model asks for the rest. */
const listedTokens = 4_000;
/** Characters of a description in a list of names. */
const listedDescriptionChars = 120;
/** Tools that are described at once. */
const mostDescribed = 30;

const runCode: FunctionDefinition = {
  name: 'run_code',
  description:
    'Runs JavaScript: the body of an async function in which `await tools.<name>({...})` calls a tool. Returns what the code returns and what it prints with console.log, or its error with the line.',
  parameters: {
    type: 'object',
    properties: {
      code: {
        type: 'string',
        description:
          'Statements of plain JavaScript, without type annotations; `return` the values that you need to see.',
      },
    },
    required: ['code'],
  },
};

const describeTools: FunctionDefinition = {
  name: 'describe_tools',
  description: 'Returns descriptions of tools, with the types of their arguments and results.',
  parameters: {
    type: 'object',
    properties: {
      names: { type: 'array', items: { type: 'string' }, description: 'Names of the list of tools.' },
    },
    required: ['names'],
  },
};

/** The tools as a program sees them: how each is declared, by its identifier. */
interface Declared {
  readonly toolsByIdentifier: ReadonlyMap<string, string>;
  readonly declarations: ReadonlyMap<string, string>;
  /** What the prompt lists: declarations, or names with the beginnings of descriptions if those are too long. */
  readonly listed: readonly string[];
  readonly isWhole: boolean;
}

function declareTools(tools: readonly Tool[]): Declared {
  const identifiers = makeIdentifiersOfTools(tools.map(({ name }) => name));
  const named = tools.map((tool) => ({ tool, identifier: identifiers.get(tool.name) ?? tool.name }));
  const declarations = new Map(named.map(({ tool, identifier }) => [identifier, declareOnce(tool, identifier)]));
  const isWhole = estimateTokens([...declarations.values()].join('\n')) <= listedTokens;
  return {
    toolsByIdentifier: new Map(named.map(({ tool, identifier }) => [identifier, tool.name])),
    declarations,
    listed: isWhole ? [...declarations.values()] : named.map(({ tool, identifier }) => nameTool(tool, identifier)),
    isWhole,
  };
}

/** Every attempt of an instance has the same tools. */
const declared = new WeakMap<Tool, { readonly identifier: string; readonly declaration: string }>();

function declareOnce(tool: Tool, identifier: string): string {
  const known = declared.get(tool);
  if (known?.identifier === identifier) return known.declaration;
  const declaration = declareTool(tool, identifier);
  declared.set(tool, { identifier, declaration });
  return declaration;
}

function nameTool({ description = '' }: Tool, identifier: string): string {
  const [sentence = ''] = description
    .replace(/\s+/gu, ' ')
    .trim()
    .split(/(?<=[.!?])\s/u);
  return sentence === '' ? identifier : `${identifier}: ${cutDescription(sentence, listedDescriptionChars)}`;
}

export const codePromptVariables = ({ request, date, tools, instructions }: Opening) => {
  const { listed, isWhole } = declareTools(tools);
  const how = isWhole
    ? 'Each is declared as in TypeScript; what a call resolves to stands behind the colon.'
    : 'These are their names. `describe_tools` returns what their arguments and results are: ask for all that you may need at once.';
  return { request, date, instructions, how, tools: listed };
};

/** Returns the functions of the model: one, and a second one where the prompt lists names. */
export const codeFunctions = (tools: readonly Tool[]): readonly FunctionDefinition[] =>
  declareTools(tools).isWhole ? [runCode] : [runCode, describeTools];

/**
 * Runs an attempt of a model that calls tools in programs. Programs run one after the other, each in an isolate; their calls are
 * steps of the trace, carried out one by one in the order in which the program issued them, so that no server's speed changes it.
 */
export const runCodeAttempt = (input: AttemptInput): Promise<LoopResult> =>
  runAgentLoop(makeCallingByCode(input), input);

function makeCallingByCode({ tools, limits, runProgram }: AttemptInput): Calling {
  if (runProgram === undefined) throw new Error('the loop code needs isolates for programs');
  const declared = declareTools(tools);
  const functions = declared.isWhole ? [runCode] : [runCode, describeTools];
  return {
    listFunctions: () => functions,
    parallelCalls: limits.parallelCalls,
    readMove({ content, toolCalls, own }) {
      if (toolCalls.length === 0) return { kind: 'answer', text: content };
      const said = { role: 'assistant', content, toolCalls, own } as const;
      return { kind: 'calls', said, calls: toolCalls.map((call) => parseCall(call, declared, runProgram)) };
    },
    unfinishedText: (content) => content,
  };
}

const runForm = z.object({ code: z.string().trim().min(1) });
const describeForm = z.object({ names: z.array(z.string()).min(1) });

function parseCall(call: ToolCallRequest, declared: Declared, runProgram: RunProgram): IssuedCall | IssuedWork {
  const { makeReplyMessage } = parseIssuedCall(call, new Map());
  const args = call.argumentsText.length > argumentChars ? null : parseArgumentsOrNull(call.argumentsText);
  const tell = (reply: string): IssuedWork => ({
    kind: 'work',
    carryOut: async () => ({ reply, ending: null }),
    makeReplyMessage,
  });
  if (call.name === runCode.name) {
    const given = runForm.safeParse(args);
    if (!given.success)
      return tell(`Nothing was run: the arguments are not {"code": "<text>"} of at most ${argumentChars} characters.`);
    return {
      kind: 'work',
      carryOut: (log, context) => new ProgramAttempt(given.data.code, declared, log, context).runAndLog(runProgram),
      makeReplyMessage,
    };
  }
  if (call.name === describeTools.name && !declared.isWhole) {
    const given = describeForm.safeParse(args);
    return tell(
      given.success ? describe(given.data.names, declared) : 'The arguments are not {"names": ["<name>", ...]}.',
    );
  }
  const parsed = parseIssuedCall(call, declared.toolsByIdentifier);
  const text = `There is no function called ${JSON.stringify(call.name.slice(0, 300))}. Tools are called in code that ${runCode.name} runs.`;
  return { ...parsed, problem: { text } };
}

function describe(names: readonly string[], { declarations }: Declared): string {
  const described = [...new Set(names)].slice(0, mostDescribed).map((name) => {
    const plain = name.replace(/^tools\./u, '');
    return declarations.get(plain) ?? `There is no tool called ${JSON.stringify(name.slice(0, 300))}.`;
  });
  const left =
    names.length > mostDescribed ? [`${mostDescribed} are described at once; ask for the others again.`] : [];
  return [...described, ...left].join('\n');
}

/** One run of a program: it answers the program's calls, one after the other, and ends a program that goes too far. */
class ProgramAttempt {
  readonly #code: string;
  readonly #tools: ReadonlyMap<string, string>;
  readonly #log: AttemptLog;
  readonly #context: CallContext;
  readonly #stop = new AbortController();
  #why: Exclude<ProgramRun['end'], 'returned' | 'threw'> | null = null;
  #ending: InfrastructureFault | null = null;
  /** A defect of ours, or of the platform. */
  #thrown: { readonly error: unknown } | null = null;
  #calls = 0;
  #isOver = false;
  /** Resolves when the calls issued so far are carried out. */
  #carriedOut: Promise<unknown> = Promise.resolve();
  /** Calls without an answer, and the clock of the time without any. */
  #unanswered = 0;
  #ownMs = 0;
  #runsSince = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(code: string, { toolsByIdentifier }: Declared, log: AttemptLog, context: CallContext) {
    this.#code = code;
    this.#tools = toolsByIdentifier;
    this.#log = log;
    this.#context = context;
  }

  async runAndLog(runProgram: RunProgram): Promise<Reply> {
    this.#startClock();
    const program = { code: this.#code, outputChars: excerptChars };
    let end: ProgramEnd;
    try {
      end = await runProgram(program, (name, args) => this.#takeCall(name, args), this.#stop.signal);
    } finally {
      this.#isOver = true;
      if (this.#unanswered === 0) this.#stopClock();
      clearTimeout(this.#timer);
      await this.#carriedOut;
    }
    if (this.#thrown !== null) throw this.#thrown.error;
    const why = end.kind === 'stopped' ? (this.#why ?? 'too-much-time-or-memory') : end.kind;
    this.#log.addProgram({
      chars: this.#code.length,
      end: why,
      line: end.kind === 'threw' ? end.line : null,
      calls: this.#calls,
      turn: this.#context.turn,
      ownMs: this.#ownMs,
    });
    return { reply: replyText(end, why, this.#code), ending: this.#ending };
  }

  #takeCall(name: string, argumentsText: string): Promise<ProgramReply> {
    if (this.#unanswered === 0) this.#stopClock();
    this.#unanswered += 1;
    const answered = this.#carriedOut.then(async () => {
      const reply = await this.#carryOut(name, argumentsText);
      this.#unanswered -= 1;
      if (this.#unanswered === 0 && !this.#isOver) this.#startClock();
      return reply;
    });
    this.#carriedOut = answered;
    return answered;
  }

  async #carryOut(name: string, argumentsText: string): Promise<ProgramReply> {
    const log = this.#log;
    if (this.#isOver || this.#why !== null) return isEnded;
    if (this.#calls >= mostCallsOfProgram || log.isFull) return this.#end('too-many-calls');
    if (log.leftMs <= 0) return this.#end('attempt-over');
    this.#calls += 1;
    try {
      const call = parseIssuedCall({ id: '', name, argumentsText }, this.#tools);
      const made = await forwardOrRefuseCall(call, { ...this.#context, timeLeft: log.leftMs });
      log.excludeQueuedMs(made.queued);
      log.addStep(made.step);
      this.#ending = made.ending;
      if (made.ending !== null) return this.#end('attempt-over');
      const { step, reply, wholeText: text, json } = made;
      return step.outcome === 'success' ? { ok: true, text, json } : { ok: false, message: reply };
    } catch (error) {
      this.#thrown = { error };
      return this.#end('attempt-over');
    }
  }

  #end(why: Exclude<ProgramRun['end'], 'returned' | 'threw'>): ProgramReply {
    this.#why ??= why;
    this.#stop.abort();
    return isEnded;
  }

  #startClock(): void {
    const [own, left] = [ownTimeMs - this.#ownMs, this.#log.leftMs];
    this.#runsSince = this.#context.now();
    this.#timer = setTimeout(
      () => this.#end(own < left ? 'too-much-time-or-memory' : 'attempt-over'),
      Math.max(0, Math.min(own, left)),
    );
  }

  #stopClock(): void {
    clearTimeout(this.#timer);
    this.#ownMs += Math.max(0, this.#context.now() - this.#runsSince);
  }
}

const isEnded: ProgramReply = { ok: false, message: 'The program has ended.' };

const stoppedTexts: Readonly<Record<Exclude<ProgramRun['end'], 'returned' | 'threw'>, string>> = {
  'too-many-calls': `it called tools more than ${mostCallsOfProgram} times`,
  'too-much-time-or-memory': `it ran for more than ${ownTimeMs / 1000} seconds without waiting for a tool, or took too much memory`,
  'attempt-over': 'no time is left',
};

/** Returns what the model reads about a program that has ended. */
function replyText(end: ProgramEnd, why: ProgramRun['end'], code: string): string {
  const printed = end.printed === '' ? [] : [`Printed:\n${end.printed.trimEnd()}`];
  return [howProgramEnded(end, why, code), ...printed].join('\n');
}

function howProgramEnded(end: ProgramEnd, why: ProgramRun['end'], code: string): string {
  if (end.kind === 'returned')
    return end.text === null
      ? 'The code returned nothing. Return what you want to see.'
      : `Returned: ${textWithMarkIfCut(end.text, end.truncated)}`;
  if (end.kind === 'threw') {
    const source = firstCharacters(code.split('\n')[(end.line ?? 0) - 1]?.trim() ?? '', 200);
    const place = end.line === null ? '' : ` (line ${end.line}${source === '' ? '' : `: ${source}`})`;
    return `The code failed: ${end.message}${place}. Calls before that were carried out.`;
  }
  const text = why === 'returned' || why === 'threw' ? '' : stoppedTexts[why];
  return `The code was stopped: ${text}. Calls before that were carried out.`;
}
