import type { InfrastructureFault } from '#core/models/faults.ts';
import type { AgentLimits } from '#core/models/limits.ts';
import { adaptationsPropertyWithoutRepeats } from '#core/models/usage.ts';
import type { ChatModel, ChatTurn } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import {
  countJsonBytesOfStepOrRoute,
  traceBytes,
  type ProgramRun,
  type Route,
  type Step,
  type Trace,
} from '#core/traces/trace.ts';
import { cutFinalText } from './steps.ts';

export interface LoopResult {
  readonly trace: Trace;
  readonly calls: readonly ModelCall[];
  /** What broke, if that ended the attempt; the trace has the steps until then. */
  readonly fault: InfrastructureFault | null;
  /** Set if the endpoint takes fewer functions than there are tools, so that the attempt could not begin. */
  readonly tooManyFunctions?: true;
}

/** A request to the agent's model, except its time limit. */
type Question = Omit<Parameters<ChatModel['completeTurn']>[0], 'role' | 'timeoutMs'>;

/** The steps and model calls of an attempt so far, and what is left of its limits. Waiting in queues takes none of its time. */
export class AttemptLog {
  readonly #limits: Pick<AgentLimits, 'tokens' | 'timeMs'>;
  readonly #now: () => number;
  readonly #start: number;
  readonly #toolsByFunction: ReadonlyMap<string, string>;
  readonly #calls: ModelCall[] = [];
  readonly #steps: Step[] = [];
  readonly #routes: Route[] = [];
  readonly #programs: ProgramRun[] = [];
  #bytes = 0;
  #queuedMs = 0;
  #turns = 0;
  /** Tokens that count against the limit, and the prompt tokens of the longest turn among them. */
  #newTokens = 0;
  #longestPrompt = 0;
  #overflowed = false;
  #tooManyFunctions = false;

  /** `now` is a clock in milliseconds; the attempt's time starts with the log. `toolsByFunction` names tools by the functions that stand for them. */
  constructor(
    limits: Pick<AgentLimits, 'tokens' | 'timeMs'>,
    now: () => number,
    toolsByFunction: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#limits = limits;
    this.#toolsByFunction = toolsByFunction;
    this.#now = now;
    this.#start = now();
  }

  /** The model's turns so far. */
  get turns(): number {
    return this.#turns;
  }

  /** The bytes of the steps and routes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether no step may be added. */
  get isFull(): boolean {
    return this.#bytes > traceBytes;
  }

  /**
   * What is left of the attempt's tokens; negative if the last call took more. A turn's prompt repeats the turns before
   * it and counts only by what it is longer than the longest of them; all completions and all other calls count whole.
   */
  get leftTokens(): number {
    return this.#limits.tokens - this.#newTokens;
  }

  /** What is left of the attempt's time; negative if it is over. */
  get leftMs(): number {
    return this.#limits.timeMs - this.#elapsedMs;
  }

  get #elapsedMs(): number {
    return this.#now() - this.#start - this.#queuedMs;
  }

  /** Returns the limit that is used up, if any. */
  findReachedLimit(): 'token-limit' | 'time-limit' | null {
    if (this.leftTokens <= 0) return 'token-limit';
    return this.leftMs <= 0 ? 'time-limit' : null;
  }

  /** Asks the model for its next turn, with all of the time that is left. */
  async askModelForTurn(model: ChatModel, question: Question): Promise<ChatTurn> {
    const answer = await this.askModelWithoutCountingTurn(model, question);
    if (!answer.ok) return answer;
    this.#turns += 1;
    const { promptTokens } = answer.call;
    this.#newTokens -= Math.min(promptTokens, this.#longestPrompt);
    this.#longestPrompt = Math.max(promptTokens, this.#longestPrompt);
    return answer;
  }

  /** Asks the model for something that is no turn of its own. */
  async askModelWithoutCountingTurn(model: ChatModel, question: Question): Promise<ChatTurn> {
    const answer = await model.completeTurn({ ...question, role: 'agent', timeoutMs: this.leftMs });
    this.excludeQueuedMs(answer.queuedMs ?? 0);
    if (answer.ok) {
      this.addModelCall(answer.call);
      this.#overflowed ||= answer.overflowed === true;
    } else {
      this.#tooManyFunctions = answer.tooManyFunctions === true && this.#calls.length === 0;
      if (answer.call !== undefined) this.addModelCall(answer.call);
    }
    return answer;
  }

  addModelCall(call: ModelCall): void {
    this.#calls.push(call);
    this.#newTokens += sumTokensOfCalls([call]);
  }

  addStep(step: Step): void {
    this.#steps.push(step);
    this.#bytes += countJsonBytesOfStepOrRoute(step);
  }

  /** Adds a search for tools, at its place among the steps. */
  addRoute(made: Omit<Route, 'after'>): void {
    const route = { ...made, after: this.#steps.length };
    this.#routes.push(route);
    this.#bytes += countJsonBytesOfStepOrRoute(route);
  }

  /** Adds the run of a program, whose calls are the last steps. */
  addProgram(made: Omit<ProgramRun, 'after'>): void {
    this.#programs.push({ ...made, after: this.#steps.length - made.calls });
  }

  /** Takes time off that was spent in a queue. */
  excludeQueuedMs(ms: number): void {
    this.#queuedMs += ms;
  }

  /** Returns the attempt as it ended. */
  makeResult(end: Trace['end'], finalText = '', fault: InfrastructureFault | null = null): LoopResult {
    const calls = this.#calls;
    const trace: Trace = {
      steps: this.#steps,
      ...(this.#routes.length === 0 ? {} : { routes: this.#routes }),
      ...(this.#programs.length === 0 ? {} : { programs: this.#programs }),
      finalText: cutFinalText(finalText),
      end,
      fault,
      turns: this.#turns,
      promptTokens: calls.reduce((sum, call) => sum + call.promptTokens, 0),
      completionTokens: calls.reduce((sum, call) => sum + call.completionTokens, 0),
      costUsd: calls.reduce((sum, call) => sum + call.costUsd, 0),
      durationMs: Math.max(0, this.#elapsedMs),
      startedAt: new Date(this.#start).toISOString(),
      ...(this.#overflowed ? { overflowed: true } : {}),
      ...adaptationsPropertyWithoutRepeats(calls.flatMap(({ adaptations = [] }) => adaptations)),
      ...this.#leftOutFunctionsField(),
    };
    return { trace, calls, fault, ...(this.#tooManyFunctions ? { tooManyFunctions: true } : {}) };
  }

  /** Returns each function once that a turn was not offered, under the name of its tool. */
  #leftOutFunctionsField(): Pick<Trace, 'leftOut'> {
    const byTool = new Map(
      this.#calls
        .flatMap(({ leftOut = [] }) => leftOut)
        .map(({ name, reason, pointer }) => [name, { tool: this.#toolsByFunction.get(name) ?? name, reason, pointer }]),
    );
    return byTool.size === 0 ? {} : { leftOut: [...byTool.values()] };
  }

  /** Returns the attempt as a fault ended it, or the end of its time, which breaks requests off. */
  makeResultOfFaultOrTimeLimit(fault: InfrastructureFault): LoopResult {
    return this.leftMs <= 0 ? this.makeResult('time-limit') : this.makeResult('fault', '', fault);
  }
}

/** Returns prompt and completion tokens of calls together. */
export const sumTokensOfCalls = (calls: readonly ModelCall[]): number =>
  calls.reduce((sum, call) => sum + call.promptTokens + call.completionTokens, 0);
