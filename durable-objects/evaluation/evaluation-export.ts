import type { ProtocolKey } from '#core/protocols/protocols.ts';
import type { ExportFormat, MountedInAttempt } from '#core/evaluation/breakdown-record.ts';
import { listExportedAttemptsOfCase, exportedCase, exportHeadText, exportLineText } from '#core/evaluation/export.ts';
import { upgradeStoredCase } from '#core/evaluation/stored-case.ts';
import { compileSchemaCheck } from '#core/form-check.ts';
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
  const encoder = new TextEncoder();
  const pages = generateExportPages(file, store, mountedIn);
  return new ReadableStream({
    pull(controller) {
      const { done, value } = pages.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

/** Non-empty pieces of text. */
function* generateExportPages(
  { format, protocol }: ExportedFile,
  store: EvaluationStore,
  mountedIn: MountedIn,
): Generator<string, undefined> {
  let page = exportHeadText(format, protocol);
  let last = '';
  for (;;) {
    const texts = store.listCaseJsons(last, casesPerRead);
    for (const text of texts) {
      const each = upgradeStoredCase(JSON.parse(text));
      if (!isExportedCase(each)) throw new Error(`what is stored behind case ${last} is no case`);
      const mounted = mountedIn(each.agent, each.unit);
      for (const attempt of listExportedAttemptsOfCase(each, mounted))
        page += exportLineText(format, protocol, attempt);
      last = each.id;
    }
    const isEnd = texts.length < casesPerRead;
    if (page !== '' && (isEnd || page.length >= charsPerPage)) {
      yield page;
      page = '';
    }
    if (isEnd) return undefined;
  }
}
