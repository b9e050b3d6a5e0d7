import { err, ok, type Result } from '#core/values/result.ts';
import type { AskedConsent } from './consent.ts';

/** Why the answer of an authorization server gives no code. */
export type AnswerProblem =
  /** Somebody else may have answered: nothing of the answer is shown. */
  | { readonly reason: 'another-browser' | 'another-issuer' | 'no-issuer' | 'repeated-parameter' | 'no-code' }
  /** The authorization server, or the person, refused. Both texts come from outside. */
  | { readonly reason: 'refused'; readonly error: string; readonly description: string | null };

const longestCode = 4_000;
const longestText = 300;

/**
 * Returns the code of an authorization response. The issuer is compared first, character by character, so that nothing of the answer of
 * another authorization server is used or shown. Source: RFC 6749, 4.1.2; RFC 9207, 2.4; MCP 2026-07-28, "Authorization Response
 * Validation".
 */
export function readAuthorizationAnswer(
  { issuer, sendsIssuer }: Pick<AskedConsent, 'issuer' | 'sendsIssuer'>,
  query: URLSearchParams,
): Result<string, AnswerProblem> {
  for (const name of query.keys()) if (query.getAll(name).length > 1) return err({ reason: 'repeated-parameter' });
  const by = query.get('iss');
  if (by === null && sendsIssuer) return err({ reason: 'no-issuer' });
  if (by !== null && by !== issuer) return err({ reason: 'another-issuer' });
  const error = query.get('error');
  if (error !== null)
    return err({
      reason: 'refused',
      error: error.slice(0, longestText),
      description: query.get('error_description')?.slice(0, longestText) ?? null,
    });
  const code = query.get('code') ?? '';
  return code === '' || code.length > longestCode ? err({ reason: 'no-code' }) : ok(code);
}

/** What the errors of RFC 6749, 4.1.2.1 and RFC 8707, 2 mean. */
const meanings = new Map([
  ['access_denied', 'consent was denied'],
  ['unauthorized_client', 'the client may not ask for consent in a browser'],
  ['invalid_request', 'it does not understand the request'],
  ['unsupported_response_type', 'it gives no authorization codes'],
  ['invalid_scope', 'it does not know the scope'],
  ['invalid_target', 'it gives no tokens for this server'],
  ['server_error', 'it failed; ask again later'],
  ['temporarily_unavailable', 'it is busy; ask again later'],
]);

/** Says in words why there is no code. What an authorization server says itself is quoted, and has to be escaped where it is shown. */
export function explainAnswerProblem(problem: AnswerProblem, { issuer }: Pick<AskedConsent, 'issuer'>): string {
  switch (problem.reason) {
    case 'another-browser':
      return 'the answer came from another browser than the one in which somebody continued from the page of the consent, so it was not used';
    case 'another-issuer':
      return `the answer names another authorization server than ${issuer}, so it was not used`;
    case 'no-issuer':
      return `the answer does not say that it is from ${issuer}, as that promises, so it was not used`;
    case 'repeated-parameter':
      return 'the answer says something twice, so it was not used';
    case 'no-code':
      return 'the answer has no code that could be used';
    case 'refused': {
      const meaning = meanings.get(problem.error);
      const quoted = problem.description === null ? '' : `: "${problem.description}"`;
      return `the authorization server ${issuer} refused: ${meaning ?? 'for another reason'} (${problem.error})${quoted}`;
    }
  }
}
