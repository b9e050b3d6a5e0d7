import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { ExportFormat, MountedInAttempt } from '#core/evaluation/breakdown-record.ts';
import {
  listExportedAttemptsOfCase,
  exportedCase,
  exportHeaderLineText,
  exportLineText,
} from '#core/evaluation/export.ts';
import { upgradeStoredCase } from '#core/evaluation/stored-case.ts';
import { compileSchemaCheck } from '#core/values/form-check.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** Number of cases in memory at once, and characters per page. */
const casesPerRead = 8;
const charsPerPage = 32 * 1024;

/** Returns which tools an agent saw in the unit with this id. */
type MountedIn = (agent: string, unit: string) => MountedInAttempt;

const isExportedCase = compileSchemaCheck(exportedCase);

/** The form of a file, and the protocol whose scorers it has. */
interface ExportedFile {
  readonly format: ExportFormat;
  readonly protocol: ProtocolKey;
}

/**
 * Returns the attempts so far as a file, by case. The object writes it in one stream, because a call for each page
 * would cost more memory and time than the page. A page is read when the reader needs it, so nothing waits for a slow
 * client, and no cursor stays open in between.
 */
export function makeExportStream(
  file: ExportedFile,
  store: EvaluationStore,
  mountedIn: MountedIn,
): ReadableStream<Uint8Array> {
  return makeStreamOfTexts(generateExportTexts(file, store, mountedIn));
}

/** Returns a stream of texts that are made when the reader needs them, joined to pages. */
export function makeStreamOfTexts(texts: Iterator<string, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      let page = '';
      while (page.length < charsPerPage) {
        const { done, value } = texts.next();
        if (done === true) break;
        page += value;
      }
      if (page === '') controller.close();
      else controller.enqueue(encoder.encode(page));
    },
  });
}

/** The text of what is read at once. */
function* generateExportTexts(
  { format, protocol }: ExportedFile,
  store: EvaluationStore,
  mountedIn: MountedIn,
): Generator<string, undefined> {
  yield exportHeaderLineText(format, protocol);
  let last = '';
  for (;;) {
    const texts = store.listCaseJsons(last, casesPerRead);
    let page = '';
    for (const text of texts) {
      const each = upgradeStoredCase(JSON.parse(text));
      if (!isExportedCase(each)) throw new Error(`what is stored behind case ${last} is no case`);
      const mounted = mountedIn(each.agent, each.unit);
      for (const attempt of listExportedAttemptsOfCase(each, mounted))
        page += exportLineText(format, protocol, attempt);
      last = each.id;
    }
    yield page;
    if (texts.length < casesPerRead) return undefined;
  }
}
