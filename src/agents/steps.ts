import { z } from 'zod';
import { maxResponseChars } from '#core/evaluation/claim.ts';
import { parseJson } from '#core/parse-json.ts';
import type { ToolOutcome } from '#core/ports.ts';
import { excerptChars, type Step } from '#core/traces/trace.ts';

/** Characters of a tool's result that the model may read. */
const shownChars = 8_000;
const toolNameChars = 300;
/** Maximum characters of a call's arguments, because traces keep them whole. */
export const argumentChars = 32_000;

/** The arguments of a call. */
export type Arguments = Record<string, unknown>;
const argumentObject = z.record(z.string(), z.unknown());

/**
 * Parses the arguments of a call as the model wrote them; null if they are not a JSON object or are nested too deep. An
 * empty text means no arguments.
 */
export function parseArguments(text: string): Arguments | null {
  if (text.trim() === '') return {};
  const json = parseJson(text);
  return json.ok ? (argumentObject.safeParse(json.value).data ?? null) : null;
}

/** Builds the step of a call that reached a server or broke on its way there. */
export function makeStep(made: {
  readonly tool: string;
  readonly arguments: Arguments;
  readonly outcome: ToolOutcome;
  readonly latencyMs: number;
  readonly turn: number;
  readonly turnTokens: number | null;
}): Step {
  const { tool, outcome, latencyMs, turn, turnTokens } = made;
  const place = { tool, arguments: made.arguments, turn, turnTokens, latencyMs };
  if (outcome.kind === 'fault') {
    const { fault } = outcome;
    return { ...place, outcome: 'fault', text: '', truncated: false, sha256: null, fault, failure: null };
  }
  const text = firstCharacters(outcome.text, excerptChars);
  const truncated = outcome.truncated || text.length < outcome.text.length;
  const result = outcome.kind === 'success' ? succeeded : failed;
  const { code, unchecked, sha256 } = outcome;
  return {
    ...place,
    ...result,
    text,
    truncated,
    sha256,
    ...(code === undefined ? {} : { code }),
    ...(unchecked === undefined ? {} : { unchecked }),
    fault: null,
  };
}

/** Builds the step of a call that no tool could take: it was never sent. */
export function makeFailureStep(made: {
  readonly tool: string;
  readonly arguments: Arguments | null;
  readonly text: string;
  readonly code?: number;
  readonly turn: number;
  readonly turnTokens: number | null;
}): Step {
  const tool = firstCharacters(made.tool, toolNameChars);
  return { ...made, ...failed, tool, truncated: false, sha256: null, fault: null, latencyMs: 0 };
}

const succeeded = { outcome: 'success', failure: null } as const;
/** The attempt itself does not classify it. */
const failed = { outcome: 'failure', failure: { source: 'undecided' } } as const;

/** Returns what the model is told about an outcome. */
export function textForModel(outcome: ToolOutcome): string {
  if (outcome.kind === 'fault') return '';
  const shown = firstCharacters(outcome.text, shownChars);
  const cut = outcome.truncated || shown.length < outcome.text.length ? '\n[cut off here]' : '';
  return `${outcome.kind === 'error' ? 'The call failed: ' : ''}${shown}${cut}`;
}

/** Returns the final answer as a trace keeps it. */
export const keptFinalText = (text: string): string => firstCharacters(text, maxResponseChars);

/**
 * Returns the first characters of a text, never half of a surrogate pair. Copies them, because a slice of a text keeps
 * all of it in memory.
 */
function firstCharacters(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const last = text.charCodeAt(chars - 1);
  return text
    .slice(0, last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars)
    .split('')
    .join('');
}
