import { z } from 'zod';
import { schemaProfileName } from './function-schemas/profiles.ts';

/** What requests may say about the form of their answers, strictest first: a schema, that it is JSON, nothing. */
export const structuredOutput = z.enum(['schema', 'json-object', 'prompt']);
export type StructuredOutput = z.infer<typeof structuredOutput>;

/** How many refused functions are remembered of one endpoint. */
export const mostSetAside = 100;

const extraBodyChars = 10_000;
const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const plainOrList = z.union([plain, z.array(plain)]);
/** JSON of two levels: enough for what endpoints add to OpenAI's fields. */
const extraField = z.union([plainOrList, z.record(z.string().max(100), plainOrList)]);

const fields = {
  /** The name of the limit of completion tokens. */
  tokenLimit: z.enum(['max_completion_tokens', 'max_tokens', 'none']),
  /** The most completion tokens that may be asked for; null if unknown. */
  mostCompletionTokens: z.int().min(1).nullable(),
  /** The tokens that prompt and asked completion may have together; null if unknown. */
  window: z.int().min(1).nullable(),
  /** The completion tokens that a question leaves for the model's thoughts, besides those of its answer. */
  thinkingTokens: z.int().min(0).max(200_000),
  /** The name of the seed. */
  seed: z.enum(['seed', 'random_seed', 'none']),
  structuredOutput,
  /** Whether requests with functions say if calls may be parallel. */
  parallelFlag: z.boolean(),
  /** Whether streams are asked for their usage. */
  streamUsage: z.boolean(),
  /** What `reasoning_effort` is; null leaves it out. */
  effort: z.string().min(1).max(20).nullable(),
  /** Over which API requests go: OpenAI's chat completions or Responses, or Anthropic's Messages. */
  wire: z.enum(['chat', 'responses', 'messages']),
  /** What the effort is in requests with functions, where that differs. */
  effortWithFunctions: z.string().min(1).max(20).nullable(),
  /** More fields for each request. */
  extraBody: z
    .record(z.string().max(100), extraField)
    .refine((body) => JSON.stringify(body).length <= extraBodyChars, `at most ${extraBodyChars} characters`),
  /** The header that carries the key: `Authorization: Bearer`, `api-key` or `x-api-key`. */
  authentication: z.enum(['bearer', 'api-key', 'x-api-key']),
  /** Which JSON schema the parameters of functions may use. */
  functionSchemas: schemaProfileName,
  /** The functions that the endpoint has refused, by name and digest. */
  functionsSetAside: z.array(z.string().max(200)).max(mostSetAside),
  /** The most functions in one request; null if unknown. */
  mostFunctions: z.int().min(1).nullable(),
  /** The most characters of a function's description; null if unknown. */
  longestDescription: z.int().min(1).nullable(),
  /** Whether fields of an answer that we do not know go back with it in the next request. */
  returnsFields: z.boolean(),
  /** Whether functions that a search has loaded are sent as such, so that the conversation before them stays in its cache. */
  deferredFunctions: z.boolean(),
  /** Whether a model that the endpoint does not list does not exist. */
  modelListTrusted: z.boolean(),
};

/** What one endpoint takes for one model, as data. */
export const dialect = z.strictObject(fields);
export type Dialect = Readonly<z.infer<typeof dialect>>;

/** The part of a dialect that a client sets. */
export const dialectSetting = dialect.omit({ functionsSetAside: true }).partial().meta({ id: 'DialectSetting' });
/** The part of a dialect that an endpoint's refusals teach. */
export const learntDialect = dialect.partial();
export type DialectSetting = { readonly [Name in keyof Dialect]?: Dialect[Name] | undefined };

/** Characters of a function's description that Azure OpenAI takes at most. */
export const azureDescriptionChars = 1_024;

/** OpenAI's chat completions, which others are compatible with. */
const standard: Dialect = {
  tokenLimit: 'max_completion_tokens',
  mostCompletionTokens: null,
  window: null,
  thinkingTokens: 8_000,
  seed: 'seed',
  structuredOutput: 'schema',
  parallelFlag: true,
  streamUsage: true,
  effort: null,
  wire: 'chat',
  effortWithFunctions: null,
  extraBody: {},
  authentication: 'bearer',
  functionSchemas: 'any',
  functionsSetAside: [],
  mostFunctions: null,
  longestDescription: null,
  returnsFields: true,
  deferredFunctions: false,
  modelListTrusted: true,
};

interface Row {
  readonly host: RegExp;
  /** Without it the row is for all models of the host. */
  readonly model?: RegExp;
  /** Without it the row is for all wires. */
  readonly wire?: Dialect['wire'];
  readonly dialect: DialectSetting;
}

/** What is published about endpoints, by host and model; later rows add to earlier ones. docs/models.md names the sources. */
const rows: readonly Row[] = [
  { host: /^api\.openai\.com$/, dialect: { mostFunctions: 128, functionSchemas: 'openai' } },
  { host: /^api\.openai\.com$/, model: /^(?:chatgpt-4|gpt-4)/, dialect: { thinkingTokens: 0 } },
  { host: /^api\.openai\.com$/, model: /^o\d/, dialect: { parallelFlag: false } },
  // Take functions in chat completions only without reasoning, or not at all.
  { host: /^api\.openai\.com$/, model: /^gpt-(?:5\.[5-9]|[6-9])/, dialect: { wire: 'responses' } },
  {
    host: /^api\.openai\.com$/,
    model: /^gpt-(?:5\.[4-9]|[6-9])/,
    wire: 'responses',
    dialect: { deferredFunctions: true },
  },
  {
    host: /\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/,
    // Lists base models, not deployments.
    dialect: {
      authentication: 'api-key',
      mostFunctions: 128,
      functionSchemas: 'openai',
      longestDescription: azureDescriptionChars,
      modelListTrusted: false,
    },
  },
  {
    host: /^generativelanguage\.googleapis\.com$/,
    dialect: { seed: 'none', parallelFlag: false, functionSchemas: 'gemini' },
  },
  {
    host: /^api\.deepseek\.com$/,
    dialect: {
      tokenLimit: 'max_tokens',
      seed: 'none',
      structuredOutput: 'json-object',
      parallelFlag: false,
      mostFunctions: 128,
    },
  },
  {
    host: /^api\.mistral\.ai$/,
    dialect: { tokenLimit: 'max_tokens', seed: 'random_seed', streamUsage: false },
  },
  { host: /^/, wire: 'messages', dialect: { authentication: 'x-api-key' } },
  // Its list of models comes in pages.
  {
    host: /^api\.anthropic\.com$/,
    dialect: {
      wire: 'messages',
      authentication: 'x-api-key',
      seed: 'none',
      functionSchemas: 'anthropic',
      modelListTrusted: false,
    },
  },
  {
    host: /^api\.anthropic\.com$/,
    model: /^claude-(?!2|3|instant)/,
    wire: 'messages',
    dialect: { deferredFunctions: true },
  },
  // The compatibility layer ignores response formats.
  {
    host: /^api\.anthropic\.com$/,
    wire: 'chat',
    dialect: { authentication: 'bearer', structuredOutput: 'prompt' },
  },
  // Variants such as `:nitro` are valid without being listed.
  { host: /^openrouter\.ai$/, dialect: { tokenLimit: 'max_tokens', modelListTrusted: false } },
  // Refuses in requests what it writes into answers.
  { host: /^api\.groq\.com$/, dialect: { mostFunctions: 128, returnsFields: false } },
  // Ollama, which passes over fields that it does not know.
  { host: /^(?:.*:11434|ollama\.com)$/, dialect: { tokenLimit: 'max_tokens' } },
];

/** Returns the dialect of a model: what the client set, or else what is published about its endpoint, or else OpenAI's. */
export function dialectOfModel(
  { baseUrl, model }: { readonly baseUrl: string; readonly model: string },
  setting: DialectSetting = {},
): Dialect {
  const host = URL.canParse(baseUrl) ? hostNameWithPortIfOllama(new URL(baseUrl)) : '';
  const published = rows
    .filter((row) => row.host.test(host) && (row.model?.test(model) ?? true))
    .reduce<Dialect>((known, row) => {
      const isOfWire = row.wire === undefined || row.wire === (setting.wire ?? known.wire);
      return isOfWire ? dialectWithChange(known, row.dialect) : known;
    }, standard);
  return dialectWithChange(published, setting);
}

/** Returns a dialect with the fields of a change that are set. */
export const dialectWithChange = (known: Dialect, change: DialectSetting): Dialect =>
  dialect.parse({ ...known, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) });

/** Ollama is known by its port only. */
const hostNameWithPortIfOllama = ({ host, hostname, port }: URL): string => (port === '11434' ? host : hostname);

/** Returns the names of fields in which two dialects differ, each with what the later one has, such as `seed: none`. */
export const listDifferencesOfTwoDialects = (earlier: Dialect, later: Dialect): string[] =>
  dialectSetting
    .keyof()
    .options.filter((name) => JSON.stringify(earlier[name]) !== JSON.stringify(later[name]))
    .map((name) => `${name}: ${JSON.stringify(later[name]).replaceAll('"', '')}`);
