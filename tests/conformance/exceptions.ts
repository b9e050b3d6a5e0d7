/** Scenarios of OAuth in which a person consents, and that Sextant as the client does not pass; the suite runs them to say so. */
export const consentExceptions: readonly Exception[] = [
  {
    because:
      'a run cannot wait for a person: that a token has too little scope is a fault that names the scope, for the next consent',
    scenarios: ['auth/scope-step-up'],
  },
  {
    because:
      'the revision that guessed endpoints without metadata is gone, and without metadata nobody says that PKCE is known',
    scenarios: ['auth/2025-03-26-oauth-endpoint-fallback'],
  },
  {
    because:
      'a consent holds for one authorization server; for another one somebody consents again, and Sextant registers again',
    scenarios: ['auth/authorization-server-migration'],
  },
];

/** Scenarios of the suite that the gateway does not pass. The suite fails on any other failure, and on an exception that passes. */
export interface Exception {
  readonly because: string;
  readonly scenarios: readonly string[];
  /** The revision that it is for; all without it. */
  readonly revision?: string;
}

const inputs = [
  'basic-elicitation',
  'basic-sampling',
  'basic-list-roots',
  'request-state',
  'multiple-input-requests',
  'multi-round',
  'missing-input-response',
  'non-tool-request',
  'result-type',
  'tampered-state',
  'capability-check',
  'ignore-extra-params',
];

/** Scenarios of resources, prompts and completions, which neither of our servers has. */
const resourcesAndPrompts = [
  'completion-complete',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'sep-2164-resource-not-found',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];

export const exceptions: readonly Exception[] = [
  {
    because: 'the gateway passes on tools alone: agents are measured by the tools that they call',
    scenarios: resourcesAndPrompts,
  },
  { because: 'three of its checks are of prompts and resources; those of tools pass', scenarios: ['caching'] },
  {
    because: 'what a server writes to its log is not part of an attempt',
    scenarios: ['logging-set-level', 'tools-call-with-logging'],
  },
  {
    because: 'a server that asks its user asks Sextant, which declines; the answer is not for the agent to give',
    scenarios: [
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      ...inputs.map((name) => `input-required-result-${name}`),
    ],
  },
  {
    because: 'the gateway wants no argument in a header, and writes those that servers want itself',
    scenarios: ['http-custom-header-server-validation'],
  },
  {
    because: 'each request needs the token of its attempt, which no page that a name is rebound for has',
    scenarios: ['dns-rebinding-protection'],
  },
  {
    because: 'the gateway keeps no session and so no stream to resume: an attempt has its state',
    scenarios: ['server-sse-polling', 'server-sse-multiple-streams'],
    revision: '2025-11-25',
  },
];

/** The same for Sextant's own tools at `/mcp`. */
export const offeredExceptions: readonly Exception[] = [
  {
    because:
      'the scenario calls a tool of the suite, which Sextant does not have; our tests call all of its own with clients of both eras',
    scenarios: [
      ...[
        'simple-text',
        'image',
        'audio',
        'embedded-resource',
        'mixed-content',
        'error',
        'with-progress',
        'with-logging',
        'sampling',
        'elicitation',
      ].map((name) => `tools-call-${name}`),
      'json-schema-2020-12',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'http-custom-header-server-validation',
      ...inputs.map((name) => `input-required-result-${name}`),
    ],
  },
  {
    because: 'four of its 28 checks call tools of the suite; the others pass',
    scenarios: ['server-stateless'],
  },
  {
    because: 'Sextant offers tools alone: no resources, prompts, completions or log',
    scenarios: [...resourcesAndPrompts, 'logging-set-level'],
  },
  { because: 'three of its checks are of prompts and resources; those of tools pass', scenarios: ['caching'] },
  {
    because: 'there is no session and so no stream to resume: runs have their state',
    scenarios: ['server-sse-polling', 'server-sse-multiple-streams'],
    revision: '2025-11-25',
  },
];
