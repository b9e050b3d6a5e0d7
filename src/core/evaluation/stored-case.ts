import { z } from 'zod';
import { attemptScorerKeys, scorerKeys } from '#core/scoring/scorers.ts';
import { makeUnscored } from '#core/scoring/score.ts';
import { evaluationCase } from './case.ts';

/**
 * Converts a stored case of an earlier release to the present form. Release 0.2.0 stored scores without parts, and no earlier
 * release has scores of newer scorers.
 */
export function upgradeStoredCase(stored: unknown): unknown {
  if (!isObject(stored) || !isObject(stored['attempts'])) return stored;
  const attempts = Object.entries(stored['attempts']).map(([name, attempt]) => [name, upgradeAttempt(attempt)]);
  return { ...stored, attempts: Object.fromEntries(attempts), scores: keepKnownScores(stored['scores']) };
}

export const storedCase = z.preprocess(upgradeStoredCase, evaluationCase);

/** Leaves out the scores of scorers that no longer exist. */
function keepKnownScores(stored: unknown): unknown {
  if (stored === undefined) return {};
  if (!isObject(stored)) return stored;
  return Object.fromEntries(scorerKeys.flatMap((key) => (key in stored ? [[key, stored[key]]] : [])));
}

function upgradeAttempt(stored: unknown): unknown {
  if (!isObject(stored) || !isObject(stored['scores'])) return stored;
  const { scores } = stored;
  if (attemptScorerKeys.every((key) => isObject(scores[key]) && 'value' in scores[key] && 'parts' in scores[key]))
    return stored;
  return { ...stored, scores: Object.fromEntries(attemptScorerKeys.map((key) => [key, upgradeScore(scores[key])])) };
}

function upgradeScore(stored: unknown): unknown {
  if (stored === undefined) return makeUnscored('earlier-release', {});
  if (!isObject(stored) || 'parts' in stored) return stored;
  const { scored, value, reason } = stored;
  const made = { parts: {}, explanation: '' };
  return scored === true ? { value, ...made } : { value: null, reason, ...made };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
