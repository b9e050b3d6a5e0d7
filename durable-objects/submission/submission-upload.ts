import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import { traceLineSortKey, type TraceHeader, type WholeUpload } from '#core/leaderboards/submissions/trace-file.ts';
import {
  initialReadingState,
  verifyNextTraceLine,
  traceReadingState,
  type TraceReadingState,
} from '#core/leaderboards/submissions/trace-line-reader.ts';
import { abandonedMs } from '#core/exploration/runs.ts';
import type { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import { yieldToOtherCalls } from '#durable-objects/shared/yield-thread.ts';
import type { LinePlace, NumberedLine, StoredLine, SubmissionStore } from './submission-store.ts';

/** The object that a file was uploaded to. */
export interface UploadSource {
  /** Returns how far the file is read, and some lines after a place; none at the end. */
  readUploadPage(after: LinePlace | null): Promise<{ state: TraceReadingState; lines: StoredLine[] }>;
}

/** Characters of lines that are handled before other calls have their turn. */
export const charsPerTurn = 256 * 1024;

/** Fits into a row, which holds 2 MB. */
const mostLineBytes = 1_900_000;

/** Receives a trace file line by line, and checks that it is complete and unchanged, but not the rules. */
export class SubmissionUpload {
  readonly #storage: DurableObjectStorage;
  readonly #store: SubmissionStore;
  readonly #singletons: SingletonTable;

  constructor(storage: DurableObjectStorage, store: SubmissionStore, singletons: SingletonTable) {
    this.#storage = storage;
    this.#store = store;
    this.#singletons = singletons;
  }

  get header(): TraceHeader | null {
    return this.state.header;
  }

  /** Whether the whole file is here, as its seal says. */
  get isWhole(): boolean {
    const { sealed, attempts } = this.state;
    return sealed && attempts === this.#store.count();
  }

  /** Adds lines; refuses the first invalid one with its number. */
  async verifyAndAddLines(lines: readonly { readonly number: number; readonly text: string }[]): Promise<Result<null>> {
    // Uploads that release 0.2.0 started have counted no attempts.
    let reading = { ...this.state, attempts: this.#store.count() };
    for (const { number, text } of lines) {
      const read = await verifyNextTraceLine(reading, text);
      if (!read.ok) return lineRefusal(read.problem.code, number, read.problem.problem);
      const { attempt } = read.value;
      if (attempt !== null) {
        // Numbers may become longer than in the file: 1e20 has 21 digits.
        const json = JSON.stringify(attempt);
        if (new TextEncoder().encode(json).byteLength > mostLineBytes)
          return lineRefusal('invalid-line', number, `written out, it has more than ${mostLineBytes} bytes`);
        this.#store.addLine({ n: number, place: traceLineSortKey(attempt), json });
      }
      ({ reading } = read.value);
    }
    this.#singletons.write('upload', reading);
    return ok(null);
  }

  /** Returns the description of the file, once it is complete. */
  describeUploadIfComplete(): Result<WholeUpload> {
    const { header, seal, sealed } = this.state;
    if (header === null) return refuse('invalid-line', 'the file is empty');
    return sealed
      ? ok({ header, seal })
      : refuse('content-mismatch', 'the file ends without a seal: a part of it is missing');
  }

  /** Deletes the lines so far. */
  clear(): void {
    this.#store.deleteLines();
    this.#singletons.write('upload', initialReadingState);
  }

  /** Sets the alarm that deletes an interrupted upload which is never repeated. */
  async scheduleDeletionOfAbandonedUpload(): Promise<void> {
    await this.#storage.setAlarm(Date.now() + abandonedMs);
  }

  /** Deletes an abandoned upload; it may be sent again. */
  async deleteLinesAndAlarm(): Promise<void> {
    this.clear();
    await this.#storage.deleteAlarm();
  }

  /** Deletes the object's storage, tables too. */
  async deleteEverything(): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }

  /**
   * Copies an uploaded file from another object into this one. Returns whether the whole file arrived; an incomplete
   * copy is deleted if `mayAbandon` allows it.
   */
  async copyWholeOrAbandon(source: UploadSource, mayAbandon: () => boolean): Promise<boolean> {
    this.clear();
    // A crash before the submission is created would otherwise leave the lines here.
    await this.scheduleDeletionOfAbandonedUpload();
    for (let after: LinePlace | null = null; ;) {
      const { state, lines } = await source.readUploadPage(after);
      for (const line of lines) this.#store.addLine(line);
      this.#singletons.write('upload', state);
      const last = lines.at(-1);
      if (last === undefined) break;
      after = { place: last.place, number: last.n };
      await yieldToOtherCalls();
    }
    const { isWhole } = this;
    if (!isWhole && mayAbandon()) await this.deleteLinesAndAlarm();
    return isWhole;
  }

  /** Returns some lines by position, after one (null: from the first); none at the end. */
  listSomeLines(after: LinePlace | null): NumberedLine[] {
    return this.#store.listLinesByPlace(after, charsPerTurn);
  }

  /** The same, as they are stored. */
  listSomeStoredLines(after: LinePlace | null): StoredLine[] {
    return this.#store.listStoredLines(after, charsPerTurn);
  }

  get state(): TraceReadingState {
    return this.#singletons.read('upload', traceReadingState) ?? initialReadingState;
  }
}

const lineRefusal = (code: 'invalid-line' | 'content-mismatch', number: number, problem: string) =>
  refuse(code, `line ${number}: ${problem}`, [{ where: `line ${number}`, message: problem }]);
