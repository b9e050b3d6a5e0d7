import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Admission } from '#adapters/network/admission.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';
import { err } from '#core/values/result.ts';
import { cutEntriesToTotal, maxSurveyChars } from '#core/units/survey/bound-entries.ts';
import { chooseSurveyedTools } from '#core/units/survey/choose-tools.ts';
import { makeServerRedaction, type Redaction } from '#core/traces/redaction/redaction.ts';
import type { RedactionRules } from '#core/catalog/redaction/rules.ts';
import { hideHeaderValuesInText } from '#core/traces/redaction/hide-header-values.ts';
import type { Survey, SurveyEntry } from '#core/catalog/survey.ts';
import { findRuleOfReportedErrorOrNull } from '#core/traces/reported-error.ts';
import { CallUser } from './call-user.ts';
import { callToolAndRedact } from './redacted-call.ts';
import { toMcpProblemOrRethrowPlatformError } from './problems.ts';
import { convertReplyToOutcome } from './results.ts';
import { recentTokensAsHeaderValues } from './oauth/tokens.ts';
import { openServer, type OpenServerOptions } from './open-server.ts';
import { sendWithinLimitsAndRetryWhenBusy, type ServerGate } from './server-gate.ts';
import { makeTraceContextMaker } from './trace-context.ts';

/** Resources that are named, and those of them that are read. */
const maxListedResources = 40;
const maxReadResources = 6;

export interface SurveyOptions extends Omit<OpenServerOptions, 'timeoutMs' | 'maxBytes' | 'signal'> {
  /** What is kept out of the texts. */
  readonly redact: RedactionRules;
  /** The server's tools as they were just listed. */
  readonly tools: readonly Tool[];
  /** Time limit for the whole survey. */
  readonly timeoutMs?: number;
  /** Time limit for one call or read. */
  readonly callTimeoutMs?: number;
  /** Maximum size of one answer. */
  readonly maxBytes?: number;
}

/** What a survey finds; the caller adds the date. */
type Findings = Omit<Survey, 'at'>;

/** A text, or undefined if the server returned none. */
interface Finding {
  readonly kind: SurveyEntry['kind'];
  readonly from: string;
  readonly text: string | undefined;
}

/**
 * Calls a server's read-only tools that need no arguments once, lists its resources and reads the first of them. Keeps
 * the bounded texts of what succeeded, without the values of the server's headers. A server that fails gives an empty
 * survey with a problem. Rejects only with PlatformErrors.
 */
export async function surveyServer(options: SurveyOptions): Promise<Findings> {
  const { admission, gate, headers, timeoutMs = 10_000, maxBytes = 1024 * 1024 } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  const opened = await openServer({ ...options, timeoutMs, maxBytes, signal });
  if (!opened.ok) return makeFailedFindings(opened.problem);
  const { client, end } = opened.value;
  const made = makeServerRedaction(options.redact, headers);
  const redaction = (): Redaction => made.hiding(recentTokensAsHeaderValues(options.auth));
  const asking: Asking = {
    client,
    admission,
    gate,
    signal,
    maxBytes,
    callTimeoutMs: options.callTimeoutMs ?? 5_000,
    redaction,
    traceContext: makeTraceContextMaker(crypto.randomUUID()),
  };
  try {
    const [called, read] = await Promise.all([
      Promise.all(chooseSurveyedTools(options.tools).map((tool) => callToolAndMakeFinding(tool, asking))),
      listAndReadResources(asking),
    ]);
    return makeFindingsHidingHeaderValues([...called, ...read], headers);
  } finally {
    await admission.runHoldingPlace(() => end(1_000));
  }
}

interface Asking {
  readonly client: Client;
  readonly gate: ServerGate | undefined;
  readonly admission: Admission;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly callTimeoutMs: number;
  /** Present when an answer has come: tokens that it may repeat change. */
  readonly redaction: () => Redaction;
  readonly traceContext: ReturnType<typeof makeTraceContextMaker>;
}

async function callToolAndMakeFinding(tool: Tool, asking: Asking): Promise<Finding> {
  const { client, callTimeoutMs, redaction, traceContext, ...limits } = asking;
  const params = { name: toolNameWithoutServer(tool.name), arguments: {}, _meta: await traceContext(undefined) };
  const needsTask = tool.taskSupport === 'required';
  const user = new CallUser(null, redaction);
  const calling = { ...limits, timeoutMs: callTimeoutMs, needsTask, user };
  const called = await callToolAndRedact(client, params, calling, redaction);
  const outcome = called.ok ? await convertReplyToOutcome(called.reply, tool.outputSchema) : undefined;
  const text = outcome?.kind === 'success' ? outcome.text : undefined;
  const failed = text === undefined || findRuleOfReportedErrorOrNull(text, tool.name, {}) !== null;
  return { kind: 'tool', from: tool.name, text: failed ? undefined : text };
}

const resourceList = z.looseObject({
  resources: z.array(
    z.looseObject({ uri: z.string().max(2_000), name: z.string().optional(), mimeType: z.string().optional() }),
  ),
});
type Listed = z.infer<typeof resourceList>['resources'][number];

const resourceContents = z.looseObject({ contents: z.array(z.looseObject({ text: z.string().optional() })) });

async function listAndReadResources(asking: Asking): Promise<Finding[]> {
  if (asking.client.getServerCapabilities()?.resources === undefined) return [];
  const answer = await requestOrUndefined(asking, { method: 'resources/list', params: {} }, resourceList);
  if (answer === undefined) return [{ kind: 'resource-list', from: 'resources/list', text: undefined }];
  const listed = answer.resources.slice(0, maxListedResources);
  if (listed.length === 0) return [];
  const names = listed.map(({ uri, name }) => (name === undefined ? uri : `${uri} ${name}`)).join('\n');
  const readable = listed.filter(mayBeTextResource).slice(0, maxReadResources);
  return [
    { kind: 'resource-list', from: 'resources/list', text: asking.redaction().text(names) },
    ...(await Promise.all(readable.map(({ uri }) => readResource(uri, asking)))),
  ];
}

const mayBeTextResource = ({ mimeType }: Listed): boolean =>
  mimeType === undefined || /^text\/|json|xml|yaml|csv|markdown/i.test(mimeType);

async function readResource(uri: string, asking: Asking): Promise<Finding> {
  const answer = await requestOrUndefined(asking, { method: 'resources/read', params: { uri } }, resourceContents);
  const { text: redact } = asking.redaction();
  const texts = answer?.contents.flatMap(({ text }) => (text === undefined ? [] : [redact(text)]));
  return { kind: 'resource', from: redact(uri), text: texts?.join('\n') };
}

/** Returns the answer to a request, or undefined if there was none in time, or another than the protocol demands. */
async function requestOrUndefined<T>(
  { client, admission, gate, signal, callTimeoutMs: timeout }: Asking,
  message: Parameters<Client['request']>[0],
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  let answer: T | undefined;
  await sendWithinLimitsAndRetryWhenBusy({ gate, requests: 1, signal }, () =>
    admission.runHoldingPlace(async () => {
      try {
        answer = await client.request(message, schema, { timeout, signal });
        return answered;
      } catch (error) {
        return err(toMcpProblemOrRethrowPlatformError(error));
      }
    }),
  );
  return answer;
}

const answered = { ok: true } as const;

/** Keeps the texts that say something, cut to the size that a survey may have. */
function makeFindingsHidingHeaderValues(found: readonly Finding[], headers: SurveyOptions['headers']): Findings {
  const entries = found.flatMap(({ kind, from, text }): SurveyEntry[] => {
    if (text === undefined || text.trim() === '') return [];
    return [
      { kind, from: hideHeaderValuesInText(from, headers), text: hideHeaderValuesInText(text, headers), cutChars: 0 },
    ];
  });
  return { entries: cutEntriesToTotal(entries, maxSurveyChars), failed: found.length - entries.length, problem: null };
}

const makeFailedFindings = (problem: string): Findings => ({ entries: [], failed: 0, problem });
