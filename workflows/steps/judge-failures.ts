import { prompts, render } from '#adapters/prompts/index.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { failureAnswer } from '#core/traces/failure-answer.ts';
import type { Questioner } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { deriveModelSeedFromKeys } from '#core/models/seed.ts';
import { mayJudgeDecideStep, type JudgedFailure } from '#core/traces/classify-trace.ts';
import type { Step, Trace } from '#core/traces/trace.ts';

/** Maximum number of questions for one trace; further failures stay undecided. */
const mostQuestions = 20;
/** Number of parallel questions. */
const together = 4;
/** Characters of an error, a tool's description, arguments and a schema that the judge sees. */
const errorChars = 1_500;
const descriptionChars = 1_500;
const argumentChars = 4_000;
const schemaChars = 8_000;

/** The services of a run that judging needs. */
interface JudgingServices {
  context(): Promise<{ readonly seed: number }>;
  judges(): Promise<Questioner>;
}

/** A trace with undecided failures or reported errors. */
export interface FailuresToJudge {
  readonly trace: Trace;
  /** The mounted tools. */
  readonly tools: readonly Tool[];
  /** Identifies the trace within the run; the seeds of the questions depend on it. */
  readonly place: readonly (string | number)[];
  /** Who is asked: the judge of an evaluation, the critic of an exploration. */
  readonly role: 'judge' | 'critic';
}

/**
 * Asks the judge for the classes of the failures that no rule decided, and whether reported errors are errors, once for
 * the same text of the same tool. Failures without a usable answer are left out; if the judge cannot be reached, no more questions are asked.
 */
export async function judgeFailuresAndReportedErrors(
  services: JudgingServices,
  { trace, tools, place, role }: FailuresToJudge,
): Promise<{ readonly classes: readonly JudgedFailure[]; readonly calls: readonly ModelCall[] }> {
  const alike = groupAlikeUndecidedCalls(trace).slice(0, mostQuestions);
  if (alike.length === 0) return { classes: [], calls: [] };
  const { seed } = await services.context();
  const judges = await services.judges();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const ask = async ({ step, places }: AlikeCalls) => {
    const answer = await judges.askForJson({
      role,
      prompt: render(prompts.judgeFailure, {
        tool: describeToolForJudge(step, byName.get(step.tool)),
        call: describeCallForJudge(step),
      }),
      form: 'failure',
      schema: failureAnswer,
      seed: deriveModelSeedFromKeys(seed, 'failure', ...place, places[0] ?? 0),
    });
    return { answer, places };
  };
  const classes: JudgedFailure[] = [];
  const calls: ModelCall[] = [];
  for (let from = 0; from < alike.length; from += together) {
    const asked = await Promise.all(alike.slice(from, from + together).map(ask));
    for (const { answer, places } of asked) {
      calls.push(...answer.calls);
      if (answer.ok) classes.push(...places.map((step) => ({ step, ...answer.value })));
    }
    if (asked.some(({ answer }) => !answer.ok && answer.reason === 'fault')) break;
  }
  return { classes, calls };
}

/** Calls of one tool with the same text: the first of them, and the indexes of all. */
interface AlikeCalls {
  readonly step: Step;
  readonly places: number[];
}

function groupAlikeUndecidedCalls({ steps }: Trace): AlikeCalls[] {
  const found = new Map<string, AlikeCalls>();
  for (const [place, step] of steps.entries()) {
    if (!mayJudgeDecideStep(step)) continue;
    const key = JSON.stringify([step.tool, step.outcome, step.text]);
    const same = found.get(key);
    if (same === undefined) found.set(key, { step, places: [place] });
    else same.places.push(place);
  }
  return [...found.values()];
}

const describeToolForJudge = ({ tool }: Step, known: Tool | undefined) =>
  known === undefined
    ? { name: tool }
    : {
        name: tool,
        description: known.description?.slice(0, descriptionChars) ?? '',
        inputSchema: valueOrJsonBeginning(known.inputSchema, schemaChars),
      };

const describeCallForJudge = ({ arguments: args, outcome, code, text }: Step) => ({
  marked: outcome === 'success' ? 'success' : 'error',
  arguments: valueOrJsonBeginning(args, argumentChars),
  ...(code === undefined ? {} : { code }),
  text: text.slice(0, errorChars),
});

/** Returns a value, or the beginning of its JSON if that is longer than `chars`. */
function valueOrJsonBeginning(value: unknown, chars: number): unknown {
  const json = JSON.stringify(value);
  return json.length <= chars ? value : json.slice(0, chars);
}
