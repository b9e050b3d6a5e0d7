interface CatalogEntry {
  readonly status: number;
  readonly title: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** What to do about it. */
  readonly remedy: string;
}

/**
 * Everything that can be wrong with a request, one entry for each code. The problem documents of the API, the enum in its OpenAPI
 * schema, docs/errors.md and the page of the service derive from this table.
 */
export const errorCatalog = {
  'malformed-json': {
    status: 400,
    title: 'The body is not JSON',
    retryable: false,
    remedy: 'Send one JSON value in UTF-8, with nothing before or after it.',
  },
  'invalid-request': {
    status: 400,
    title: 'The request does not have the required form',
    retryable: false,
    remedy:
      'Each entry of `issues` names a place in the request and what is expected there. Unknown fields are refused too.',
  },
  'invalid-line': {
    status: 400,
    title: 'A line of the upload does not have the required form',
    retryable: false,
    remedy: 'The detail names the line. Nothing of the upload was kept: fix the line and send the file again.',
  },
  'invalid-passage': {
    status: 400,
    title: 'A line of the upload is not a passage',
    retryable: false,
    remedy:
      'The detail names the line. Fix it and upload the file again; passages before it are already loaded and will be skipped.',
  },
  unauthorized: {
    status: 401,
    title: 'A valid key is required',
    retryable: false,
    remedy: 'Send `Authorization: Bearer <key>`. `npm start` prints the key of a local installation.',
  },
  forbidden: {
    status: 403,
    title: 'The key lacks the scope for this',
    retryable: false,
    remedy:
      'Use a key with the scope that the detail names, or ask somebody whose key has the scope `admin` to create one.',
  },
  'origin-forbidden': {
    status: 403,
    title: 'Pages of other sites may not use this',
    retryable: false,
    remedy: 'Call it from a program that sends no `Origin`, or from a page of this deployment.',
  },
  'not-found': {
    status: 404,
    title: 'There is no such thing here',
    retryable: false,
    remedy: 'Check the id. What belongs to another workspace looks as if it did not exist.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The resource does not offer this method',
    retryable: false,
    remedy: 'The header `Allow` lists the methods that it offers.',
  },
  'name-taken': {
    status: 409,
    title: 'The name is in use',
    retryable: false,
    remedy: 'Choose another name, or remove what uses it.',
  },
  'wrong-state': {
    status: 409,
    title: 'The run is not in a state that allows this',
    retryable: false,
    remedy:
      'Read the run: only a running one can be paused, only a paused one can be resumed, and one that has ended never changes.',
  },
  'review-decided': {
    status: 409,
    title: 'The review has been decided',
    retryable: false,
    remedy: 'A decision is final. Read the review to see who decided what, and why.',
  },
  'attempt-over': {
    status: 409,
    title: 'The attempt is already closed',
    retryable: false,
    remedy:
      'An attempt accepts one response, before its deadline. In an evaluation, an attempt whose claim expired returns to the queue, at most twice: claim the next one. In a submission each attempt can be claimed only once, and an expired claim is final.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is larger than allowed',
    retryable: false,
    remedy: 'A JSON body may have up to 1 MiB, an upload up to 64 MiB with lines of up to 1 MiB.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are larger than allowed',
    retryable: false,
    remedy: 'Send fewer or shorter headers: all of them together may have 32,768 characters. Cookies count too.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The content type is not accepted here',
    retryable: false,
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  'idempotency-mismatch': {
    status: 422,
    title: 'The idempotency key was used for another request',
    retryable: false,
    remedy: 'A key always belongs to one request: use a new key.',
  },
  'address-forbidden': {
    status: 422,
    title: 'The address may not be contacted',
    retryable: false,
    remedy:
      'Servers and models must have public http or https addresses. In development, ALLOW_LOCAL_SERVERS admits local ones.',
  },
  'server-unreachable': {
    status: 422,
    title: 'The MCP server could not be reached',
    retryable: true,
    remedy: 'Check that the server runs and that its address is right.',
  },
  'server-timeout': {
    status: 422,
    title: 'The MCP server did not answer in time',
    retryable: true,
    remedy: 'A server has 15 seconds to list its tools. Try again when it is less busy.',
  },
  'server-rate-limited': {
    status: 422,
    title: 'The MCP server takes no requests for now',
    retryable: true,
    remedy:
      'The server answered with 429, or with 503 and a time. Repeat the request after `retryAfter` seconds; without it the server did not say when. Give the server `limits` where it allows only so many requests.',
  },
  'host-not-proven': {
    status: 422,
    title: 'The host is not proven to be yours',
    retryable: true,
    remedy:
      'A deployment may send a host only so many requests a day before its owner proves that it is theirs. `GET /v1/hosts/{host}/proof` says which line to put into a file of the host or a DNS record; `POST` looks for it. The detail says what was found. Without a proof, repeat the request on the next day (UTC).',
  },
  'attack-on-foreign-server': {
    status: 422,
    title: 'Attacks are for servers of your own',
    retryable: false,
    remedy:
      'Under attack an agent may do what nobody asked for, so servers that are not yours are not called then. Prove their hosts (`POST /v1/hosts/{host}/proof`), or evaluate from a recording: `"recording": "replay"`.',
  },
  'server-unauthorized': {
    status: 422,
    title: 'The MCP server refused the credentials',
    retryable: false,
    remedy:
      'Give what the server wants: a key in `headers`, or for OAuth `auth`, which a machine proves by its credentials and a person by a consent. The detail names the authorization server and the scope, or says what is wrong with the credentials.',
  },
  'consent-needed': {
    status: 409,
    title: 'Nobody has consented to this',
    retryable: false,
    remedy:
      'Ask for a consent with `POST /v1/consents`, open its address in a browser, and wait until its state is `given`; or use `sextant servers add --consent`.',
  },
  'not-an-mcp-server': {
    status: 422,
    title: 'The server does not speak MCP over Streamable HTTP',
    retryable: false,
    remedy: 'Check the path: many servers answer at `/mcp`. Servers that speak stdio need a gateway in front of them.',
  },
  'server-not-connected': {
    status: 422,
    title: 'The server is only described',
    retryable: false,
    remedy: 'Register a server of that name with its address: it replaces the described one.',
  },
  'no-tools': {
    status: 422,
    title: 'The MCP server lists no tools',
    retryable: false,
    remedy: 'A server without tools has nothing to explore.',
  },
  'duplicate-tool': {
    status: 422,
    title: 'The MCP server lists a tool twice',
    retryable: false,
    remedy: 'Tool names must be unique on a server; the detail names the one that is not.',
  },
  'broken-tool-schema': {
    status: 422,
    title: 'A tool has a broken JSON schema',
    retryable: false,
    remedy:
      'The detail names the first tool and what is wrong with its schema. It must be fixed on the server. Where a server lists other tools as well, broken ones are left out.',
  },
  'too-many-tools': {
    status: 422,
    title: 'There are more tools than allowed',
    retryable: false,
    remedy: 'A server may list up to 2,000 tools, and a catalog may hold up to 10,000.',
  },
  'tools-too-large': {
    status: 422,
    title: 'The list of tools is larger than allowed',
    retryable: false,
    remedy: 'One tool may have up to 512 KiB, all tools of a server together 4 MiB, and those of a catalog 16 MiB.',
  },
  'mixed-units': {
    status: 422,
    title: 'Some of the runs make tasks, others make pairs',
    retryable: false,
    remedy: 'Freeze explorations of the strategy `chain`, whose units are tasks, apart from the others.',
  },
  'texts-deleted': {
    status: 409,
    title: 'The texts of attempts are deleted',
    retryable: false,
    remedy:
      'Arguments, results, answers and reasons of the attempts were deleted and cannot be restored. Scores, counts and results are still there; what needs the texts has to be evaluated again.',
  },
  'private-server': {
    status: 403,
    title: 'Only figures are public here',
    retryable: false,
    remedy:
      'The owner keeps what agents do on a server within the workspace. Results, entries, records and logs of its leaderboards are public; units, cases and traces need a key of the workspace.',
  },
  'nothing-allowed': {
    status: 422,
    title: 'No tool of the servers may be called',
    retryable: false,
    remedy:
      'A new server allows calls that read, and a tool that does not say what it does counts as one that writes. Correct the effects of its tools, or allow more (`allows`), where nothing can be harmed.',
  },
  'catalog-mismatch': {
    status: 422,
    title: 'The runs explored different catalogs',
    retryable: false,
    remedy: 'Freeze runs over one catalog into one benchmark.',
  },
  'nothing-to-freeze': {
    status: 422,
    title: 'There are no accepted units, or none is proven',
    retryable: false,
    remedy:
      'Look at the units of the run to see why they were not accepted. Units of whose chain some tool never had a success are taken only with `"unproven": "keep"`.',
  },
  'benchmark-too-large': {
    status: 422,
    title: 'The runs have more units than a benchmark is frozen from',
    retryable: false,
    remedy:
      'A benchmark is frozen from at most 50,000 accepted units, also where `sample` draws fewer of them. Freeze fewer explorations at a time.',
  },
  'nothing-to-evolve': {
    status: 422,
    title: 'The run has no accepted units',
    retryable: false,
    remedy: 'An evolution grows from accepted units: approve some of those in review, or explore again.',
  },
  'dimension-mismatch': {
    status: 422,
    title: 'The vectors have another dimension than the index',
    retryable: false,
    remedy: 'Vectors of different models cannot be compared: create a new index for another embedder.',
  },
  'index-full': {
    status: 422,
    title: 'The index has no room for more passages',
    retryable: false,
    remedy: 'An embedded index holds 48 MB of vectors (a byte a dimension). Use Upstash Vector for more.',
  },
  'index-unreachable': {
    status: 422,
    title: 'The vector index does not answer correctly',
    retryable: true,
    remedy: 'The detail says what it answered. Check the address and the token, and try again.',
  },
  'nothing-to-evaluate': {
    status: 422,
    title: 'There are no units to evaluate on',
    retryable: false,
    remedy: 'The split of the benchmark is empty: choose another one.',
  },
  'no-wording': {
    status: 422,
    title: 'There is no wording to propose',
    retryable: false,
    remedy:
      'The detail says why. If agents had no trouble with the tools in the units that were seen, name the `tools`, or take a larger `seenShare` or an evaluation with more units. If the answer of the model cannot be used, take another `seed` or another model.',
  },
  'evaluation-too-large': {
    status: 422,
    title: 'The evaluation has more attempts than one may have',
    retryable: false,
    remedy:
      'An evaluation may have 200,000 attempts: units times agents times trials times the requests of a unit. Set `sample` to the number of units that the detail names, or divide agents or trials over several evaluations. Each submission to a leaderboard is one evaluation: open the leaderboard with as many trials as the detail names.',
  },
  'catalog-changed': {
    status: 409,
    title: "The servers' tools differ from those of the benchmark",
    retryable: false,
    remedy:
      'Each entry of `issues` names a tool and what has changed. Ask again with `catalog` set to `pinned`, for the tools as the benchmark has them, or to `current`, for the tools as the servers list them now.',
  },
  'model-refused': {
    status: 422,
    title: 'A model cannot do what the run needs',
    retryable: false,
    remedy:
      "Each model was asked one test question before anything was stored. The detail names the roles, the model, its endpoint and what that said: fix the key, the name or the endpoint's `dialect`, or choose another model. `sextant models check` asks again without starting a run.",
  },
  'model-unreachable': {
    status: 422,
    title: "The model's endpoint does not answer",
    retryable: true,
    remedy: 'Check the `baseUrl` and that the endpoint runs.',
  },
  'model-requests-spent': {
    status: 403,
    title: 'The attempt may ask no model any more',
    retryable: false,
    remedy:
      "The detail says which limit is used up: the evaluation's budget, or the number of model requests that the record of an attempt can hold.",
  },
  'model-not-answering': {
    status: 502,
    title: "The model's endpoint gave no answer",
    retryable: true,
    remedy:
      'The detail says what broke on the way to the endpoint that the evaluation names for the agent. Try again; what the endpoint itself answers, its refusals too, is passed on as it is.',
  },
  'no-price': {
    status: 422,
    title: 'A budget in dollars needs a price for every model',
    retryable: false,
    remedy:
      "Give the model that the detail names `promptPricePerMTok` and `completionPricePerMTok`, in dollars per million tokens (for the deployment's own models: the variables `..._PRICE_PER_MTOK`), or limit `tokens` instead of `costUsd`.",
  },
  'content-mismatch': {
    status: 422,
    title: 'The content does not match its id',
    retryable: false,
    remedy: 'The file was changed after it was exported, or a part of it is missing. Nothing of it was kept.',
  },
  'benchmark-mismatch': {
    status: 422,
    title: 'The leaderboard belongs to another benchmark',
    retryable: false,
    remedy: 'The detail names the right benchmark: evaluate on it, or submit to the leaderboard of your benchmark.',
  },
  'tier-unmeasurable': {
    status: 422,
    title: 'The leaderboard cannot measure submissions of this tier',
    retryable: false,
    remedy: 'The detail says what the protocol needs to see, and which tiers show it: submit in one of those.',
  },
  'leaderboard-exists': {
    status: 409,
    title: 'The benchmark has a leaderboard already',
    retryable: false,
    remedy: 'Each benchmark has one leaderboard per protocol. The detail names it.',
  },
  'entry-gone': {
    status: 410,
    title: 'The entry is no longer published',
    retryable: false,
    remedy: "The detail says since when and why. The leaderboard's log keeps its line.",
  },
  'private-units-given': {
    status: 409,
    title: 'The workspace was given private units of the leaderboard before',
    retryable: false,
    remedy:
      'A workspace is given a private unit once, on whatever leaderboard and whatever became of that submission: further tries could be made with knowledge of it. A new version of a benchmark keeps its private units, so it does not help. Submit each agent from a workspace of its own, or upload traces of the public units (`self-reported`).',
  },
  'quota-exceeded': {
    status: 429,
    title: 'The workspace has used up its submissions for today',
    retryable: true,
    remedy: 'The detail names the limit. Try again later.',
  },
  'too-many-requests': {
    status: 429,
    title: 'There were too many requests',
    retryable: true,
    remedy:
      'Wait for the number of seconds in `Retry-After`. `RateLimit` and `RateLimit-Policy` show how many requests are left.',
  },
  'ranking-unreachable': {
    status: 503,
    title: 'The ranking cannot be read right now',
    retryable: true,
    remedy: 'Try again; the entries themselves are safe.',
  },
  'storage-full': {
    status: 507,
    title: 'There is no room to keep anything',
    retryable: true,
    remedy:
      'The disk of the deployment is full, or an object of it has all that the platform gives it. What was committed before is safe, and runs wait. Where it is your disk, make room; then send the same request again.',
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong on our side',
    retryable: true,
    remedy: 'Try again. If the error persists, report it with the request id.',
  },
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof errorCatalog;

/** The codes, as a tuple for enums. */
export const errorCodes = Object.keys(errorCatalog).filter((code): code is ErrorCode => code in errorCatalog);

/** Why something was refused: what was wrong, where, and what would be right. */
export interface Problem {
  readonly code: ErrorCode;
  /** For a person: what was wrong and what would be right. Never holds a secret. */
  readonly detail: string;
  /** The places in the request, each as a JSON pointer or a line number. */
  readonly issues?: readonly { readonly where: string; readonly message: string }[];
  /** When the same request may succeed, in milliseconds from now. */
  readonly retryAfterMs?: number;
}

export const refuse = (
  code: ErrorCode,
  detail: string,
  issues?: Problem['issues'],
): { readonly ok: false; readonly problem: Problem } => ({
  ok: false,
  problem: issues === undefined ? { code, detail } : { code, detail, issues },
});
