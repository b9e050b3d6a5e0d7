import { estimateTokens } from '#core/models/estimate-tokens.ts';
import type { ChatModel, ChatTurn, RenderedPrompt } from '#core/ports.ts';
import { firstCharacters, textWithMarkIfCut } from '#core/values/excerpt.ts';
import { summaryChars, type Step } from '#core/traces/trace.ts';
import type { CarriedOutCall } from './attempt.ts';
import type { AttemptLog } from './attempt-log.ts';
import { awaitAllOrThrow } from './await-all.ts';

/** Longer results are summarised: about 1,000 tokens, as in the code that MCP-Bench (2025) published. */
export const longResultChars = 4_000;
/** Characters of a result that are summarised at most. */
export const summarisedChars = 100_000;

/** What the model sees of a call's outcome: the result, or the summary of a long one. */
export interface ShownResult {
  readonly result?: string;
  readonly summary?: string;
  /** What the model has to know besides. */
  readonly note?: string;
}

/** How the agent's model summarises long results. */
export interface ResultSummariser {
  readonly model: ChatModel;
  readonly seed: number;
  readonly now: () => number;
  makePrompt(values: {
    readonly call: Pick<Step, 'tool' | 'arguments'>;
    readonly longResult: string;
    readonly characters: number;
  }): RenderedPrompt;
}

/**
 * Returns what the model sees of each call. Long results are summarised at the same time, in order as long as the
 * attempt's tokens last; the log has these model calls. Where no summary comes back, the model sees the beginning of the
 * result, and is told.
 */
export async function makeShownResultsSummarisingLong(
  made: readonly CarriedOutCall[],
  log: AttemptLog,
  summariser: ResultSummariser,
): Promise<readonly ShownResult[]> {
  const prompts = makeAffordableSummaryPrompts(made, log, summariser);
  const begun = summariser.now();
  const asked = await awaitAllOrThrow(prompts.map((prompt) => askForSummaryIfPrompted(prompt, log.leftMs, summariser)));
  const tookMs = asked.map((each) => each?.tookMs ?? 0);
  log.excludeQueuedMs(Math.max(0, summariser.now() - begun - Math.max(...tookMs)));
  return made.map(({ step, reply, wholeText }, index) => {
    const answer = asked[index]?.answer;
    if (answer?.ok === true) log.addModelCall(answer.call);
    if (wholeText.length <= longResultChars) return { result: reply };
    const summary = answer === undefined ? null : summaryTextOrNull(answer);
    if (summary === null) return { result: reply, note: 'There is no summary of this long result.' };
    return { summary, ...(step.outcome === 'failure' ? { note: 'The call failed.' } : {}) };
  });
}

/** Returns the prompt for each long result for which there are tokens left; null for all others. */
function makeAffordableSummaryPrompts(
  made: readonly CarriedOutCall[],
  log: AttemptLog,
  { makePrompt }: ResultSummariser,
): readonly (RenderedPrompt | null)[] {
  let left = log.leftTokens;
  return made.map(({ step, wholeText }) => {
    if (wholeText.length <= longResultChars || log.leftMs <= 0) return null;
    const beginning = firstCharacters(wholeText, summarisedChars);
    const prompt = makePrompt({
      call: { tool: step.tool, arguments: step.arguments },
      longResult: textWithMarkIfCut(beginning, beginning.length < wholeText.length),
      characters: summaryChars,
    });
    left -= estimateTokens(prompt.messages.map(({ content }) => content).join('\n'));
    return left > 0 ? prompt : null;
  });
}

async function askForSummaryIfPrompted(
  prompt: RenderedPrompt | null,
  timeoutMs: number,
  { model, seed, now }: ResultSummariser,
): Promise<{ readonly answer: ChatTurn; readonly tookMs: number } | null> {
  if (prompt === null) return null;
  const begun = now();
  const answer = await model.completeTurn({
    role: 'agent',
    prompt: prompt.id,
    messages: prompt.messages,
    functions: [],
    parallelCalls: false,
    seed,
    timeoutMs,
  });
  return { answer, tookMs: now() - begun - (answer.queuedMs ?? 0) };
}

function summaryTextOrNull(answer: ChatTurn): string | null {
  if (!answer.ok || answer.finish !== 'stop' || answer.content.trim() === '') return null;
  return firstCharacters(answer.content.trim(), summaryChars);
}
