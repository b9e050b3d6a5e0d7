import { sgvef } from '#core/benchmarks/protocols/sgvef.ts';
import { z } from 'zod';
import { attemptScorerKeys, scorerKeys } from './scorers.ts';
import { makeUnscored } from '#core/scoring/score.ts';
import { evaluationCase } from './case.ts';

/**
 * Converts a stored case of an earlier release to the present form. Release 0.2.0 stored scores without parts, and no earlier
 * release has scores of newer scorers. Cases without `requests` are of the protocol `sgvef` and have null for an attempt that
 * was not made. Attempts of earlier releases were not searched for values that no tool returned.
 */
export function upgradeStoredCase(stored: unknown): unknown {
  if (!isObject(stored) || !isObject(stored['attempts'])) return stored;
  const { requests = sgvef.requests.pair, attempts } = stored;
  const made = Object.entries(attempts).filter(([, attempt]) => attempt !== null);
  return {
    ...stored,
    requests,
    attempts: Object.fromEntries(made.map(([name, attempt]) => [name, upgradeAttempt(attempt)])),
    scores: storedScoresOfKnownScorers(stored['scores']),
  };
}

export const storedCase = z.preprocess(upgradeStoredCase, evaluationCase);

/** Leaves out the scores of scorers that no longer exist. */
function storedScoresOfKnownScorers(stored: unknown): unknown {
  if (stored === undefined) return {};
  if (!isObject(stored)) return stored;
  return Object.fromEntries(scorerKeys.flatMap((key) => (key in stored ? [[key, stored[key]]] : [])));
}

function upgradeAttempt(stored: unknown): unknown {
  if (!isObject(stored) || !isObject(stored['scores'])) return stored;
  const { scores, unreturned = null } = stored;
  const hasScores = attemptScorerKeys.every(
    (key) => isObject(scores[key]) && 'value' in scores[key] && 'parts' in scores[key],
  );
  if (hasScores) return 'unreturned' in stored ? stored : { ...stored, unreturned };
  const upgraded = attemptScorerKeys.map((key) => [key, upgradeScore(scores[key])]);
  return { ...stored, unreturned, scores: Object.fromEntries(upgraded) };
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
