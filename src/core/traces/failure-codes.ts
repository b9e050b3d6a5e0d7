import type { FailureClass } from './failure.ts';

/** HTTP statuses whose meaning is the same everywhere; 400 and 422 say only that the request was refused. */
export const classByHttpStatus: ReadonlyMap<number, FailureClass> = new Map([
  [401, 'authentication-deficit'],
  [402, 'service-scope-limitation'],
  [403, 'access-policy-rejection'],
  [404, 'invalid-artifact-reference'],
  [408, 'asynchronous-indeterminacy'],
  [409, 'resource-contention'],
  [410, 'invalid-artifact-reference'],
  [412, 'precondition-violation'],
  [413, 'implicit-business-constraint'],
  [423, 'resource-contention'],
  [428, 'precondition-violation'],
  [429, 'service-scope-limitation'],
  [451, 'access-policy-rejection'],
  [501, 'service-scope-limitation'],
  [502, 'network-instability'],
  [503, 'network-instability'],
  [504, 'network-instability'],
]);

/** The classes of error codes, written in lower case; the first pattern that matches decides. */
const classesOfCodes: readonly (readonly [pattern: RegExp, failure: FailureClass])[] = [
  [
    /^(?:unauthori[sz]ed|unauthenticated|not_authed|invalid_auth|(?:token|session|key)_(?:expired|revoked)|invalid_(?:api_?)?(?:key|token|grant|credentials)|authentication_\w+|account_inactive)$/,
    'authentication-deficit',
  ],
  [
    /^(?:forbidden|permission_?denied|access_?denied|restricted_\w+|missing_scope|insufficient_(?:permissions?|scope|privileges?)|not_allowed\w*|no_permission|policy_\w+)$/,
    'access-policy-rejection',
  ],
  [
    /^(?:rate_?limit(?:ed|_exceeded)?|ratelimited|too_many_requests|resource_exhausted|quota_\w+|insufficient_quota|payment_required|unimplemented|not_implemented|not_supported|unsupported_\w+)$/,
    'service-scope-limitation',
  ],
  [
    /^(?:not_?found|\w+_not_?found|no_such_\w+|resource_missing|unknown_(?!error|state|status)\w+)$/,
    'invalid-artifact-reference',
  ],
  [/^(?:unavailable|service_unavailable|bad_gateway|network_\w+|connection_\w+)$/, 'network-instability'],
  [/^(?:deadline_exceeded|timeout|timed_out|\w+_timeout)$/, 'asynchronous-indeterminacy'],
  [
    /^(?:failed_precondition|precondition_failed|not_(?:connected|initiali[sz]ed|started|ready|in_\w+))$/,
    'precondition-violation',
  ],
  [/^(?:conflict|conflict_error|aborted|locked|\w+_locked|resource_busy)$/, 'resource-contention'],
  [
    /^(?:already_exists|out_of_range|duplicate_\w+|too_(?:long|short|large|many)\w*|\w+_too_(?:long|short|large|many))$/,
    'implicit-business-constraint',
  ],
  [/^(?:internal|internal_error|internal_server_error|server_error|fatal_error)$/, 'server-defect'],
  [/^(?:unrecognized_keys|unknown_parameter|unexpected_\w+)$/, 'undefined-parameter-key'],
];

/** Returns the class of the first code that has one. */
export const failureClassOfFirstKnownCode = (codes: readonly string[]): FailureClass | undefined => {
  for (const code of codes) {
    const found = classesOfCodes.find(([pattern]) => pattern.test(code));
    if (found !== undefined) return found[1];
  }
  return undefined;
};

/** Codes that say only that the arguments were refused. */
export const refusalCodes =
  /^(?:validation_(?:error|failed)|invalid_(?:argument|arguments|input|parameters?|request|type|literal|union|string|format|value|enum_value|json|blocks|\w+)|bad_request|badrequest|(?:validation|invalid_?(?:param(?:eter)?|argument|input|request|value|type)s?)_?(?:error|exception)?)$/;

/** The classes of SQLSTATEs: whole ones first, then by their first two characters. Source: ISO/IEC 9075, PostgreSQL appendix A. */
const classBySqlState: ReadonlyMap<string, FailureClass> = new Map([
  ['42601', 'syntactic-malformation'],
  ['42501', 'access-policy-rejection'],
  ['25006', 'access-policy-rejection'],
  ['42P01', 'invalid-artifact-reference'],
  ['42703', 'invalid-artifact-reference'],
  ['42704', 'invalid-artifact-reference'],
  ['42883', 'invalid-artifact-reference'],
  ['3D000', 'invalid-artifact-reference'],
  ['3F000', 'invalid-artifact-reference'],
  ['22P02', 'syntactic-malformation'],
  ['57014', 'asynchronous-indeterminacy'],
  ['55P03', 'resource-contention'],
  ['08', 'network-instability'],
  ['22', 'implicit-business-constraint'],
  ['23', 'implicit-business-constraint'],
  ['25', 'precondition-violation'],
  ['28', 'authentication-deficit'],
  ['40', 'resource-contention'],
  ['42', 'implicit-business-constraint'],
  ['53', 'service-scope-limitation'],
  ['54', 'implicit-business-constraint'],
  ['55', 'precondition-violation'],
  ['57', 'network-instability'],
  ['XX', 'server-defect'],
]);

export const failureClassOfSqlState = (state: string): FailureClass | undefined =>
  classBySqlState.get(state) ?? classBySqlState.get(state.slice(0, 2));
