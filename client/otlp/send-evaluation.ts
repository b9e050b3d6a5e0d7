import { encodeTraceRequest, type EncodedSpan } from '#core/reports/otlp/encoding.ts';
import { makeSpansOfCase } from '#core/reports/otlp/attempt-spans.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { Client } from '../client.ts';
import { readRecordOfEachItem } from '../http/read-each.ts';
import { CommandError } from '../../engine/usage-error.ts';
import { sendToCollector, type CollectorOptions, type Taken } from './collector.ts';

/** Spans in one request: what exporters of OpenTelemetry send at most by default. */
const spansPerRequest = 512;
/** Characters of one request, far below what collectors take by default. */
const charsPerRequest = 1024 * 1024;

/** What was sent, and what the collector did not take. */
export interface SentSpans {
  readonly attempts: number;
  readonly spans: number;
  readonly rejected: number;
  /** What the collector said, each once. */
  readonly messages: readonly string[];
}

/** Which attempts are sent, with what, and where. */
export interface WantedSpans {
  /** Undefined for all agents. */
  readonly agent: string | undefined;
  readonly withTexts: boolean;
  readonly collector: CollectorOptions;
}

/** Sends the attempts of an evaluation that were made. Holds a few cases and one request in memory. Throws a CommandError. */
export async function sendEvaluation(client: Client, run: EvaluationRecord, wanted: WantedSpans): Promise<SentSpans> {
  let [attempts, spans, rejected] = [0, 0, 0];
  const messages = new Set<string>();
  for await (const batch of batchSpans(readSpans(client, run, wanted))) {
    const taken = await sendBatch(run, batch, wanted.collector).catch((error: unknown) => {
      if (!(error instanceof CommandError) || spans === 0) throw error;
      throw new CommandError(`${error.message}. It took ${spans} spans before; sent again, they have the same ids`, {
        cause: error,
      });
    });
    attempts += batch.filter((span) => !('parentSpanId' in span)).length;
    spans += batch.length;
    rejected += taken.rejected;
    if (taken.message !== '') messages.add(taken.message);
  }
  return { attempts, spans, rejected, messages: [...messages] };
}

function sendBatch(
  { provenance }: EvaluationRecord,
  batch: readonly EncodedSpan[],
  collector: CollectorOptions,
): Promise<Taken> {
  const version = provenance.harness.replace(/^sextant@/, '');
  const resource = { 'service.name': 'sextant', 'service.version': version };
  return sendToCollector(JSON.stringify(encodeTraceRequest(resource, { name: 'sextant', version }, batch)), collector);
}

async function* readSpans(
  client: Client,
  run: EvaluationRecord,
  { agent, withTexts }: WantedSpans,
): AsyncGenerator<EncodedSpan, void, undefined> {
  const agents = new Map(run.agents.map((each) => [each.name, each]));
  const details = readRecordOfEachItem(casesWithAttempts(client, run.id, agent), ({ id }) =>
    client.evaluations.case(run.id, id),
  );
  for await (const detail of details) {
    const shown = agents.get(detail.case.agent);
    if (shown !== undefined) yield* (await makeSpansOfCase(detail, { run, agent: shown, withTexts })).flat();
  }
}

async function* casesWithAttempts(client: Client, id: string, agent: string | undefined) {
  for await (const each of client.evaluations.cases(id, { filter: { agent } }))
    if (Object.keys(each.attempts).length > 0) yield each;
}

/** Joins spans to requests; only a span that exceeds the limit alone makes a request that does. */
async function* batchSpans(spans: AsyncIterable<EncodedSpan>): AsyncGenerator<EncodedSpan[], void, undefined> {
  let batch: EncodedSpan[] = [];
  let chars = 0;
  for await (const span of spans) {
    const size = JSON.stringify(span).length;
    if (batch.length > 0 && (batch.length >= spansPerRequest || chars + size > charsPerRequest)) {
      yield batch;
      [batch, chars] = [[], 0];
    }
    batch.push(span);
    chars += size;
  }
  if (batch.length > 0) yield batch;
}
