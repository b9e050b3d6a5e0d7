import { refuse } from '#core/errors.ts';
import { ok, type Result } from '#core/result.ts';
import { parseJsonLine } from '#core/json-line.ts';
import {
  lineDigest,
  sealBegin,
  sealNext,
  traceFileLine,
  type TraceHeader,
  type WholeUpload,
} from '#core/submissions/trace-file.ts';
import { abandonedMs } from '#core/runs.ts';
import type { Facts } from '#durable-objects/shared/facts.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Submission } from './submission.ts';
import {
  placeOfLine,
  uploadState,
  type LinePlace,
  type NumberedLine,
  type SubmissionStore,
  type UploadState,
} from './submission-store.ts';

/** What fits into a row, which holds 2 MB. */
const mostLineBytes = 1_900_000;
/** Characters of lines that are handed on at once. */
const charsPerRead = 4 * 1024 * 1024;

const nothingYet: UploadState = { header: null, seal: '', sealed: false, attempts: 0 };

/** Takes a file of traces, line by line: whether it is whole and unchanged, not whether it keeps the rules. */
export class SubmissionUpload {
  readonly #storage: DurableObjectStorage;
  readonly #store: SubmissionStore;
  readonly #facts: Facts;

  constructor(storage: DurableObjectStorage, store: SubmissionStore, facts: Facts) {
    this.#storage = storage;
    this.#store = store;
    this.#facts = facts;
  }

  get header(): TraceHeader | null {
    return this.state.header;
  }

  /** Whether all of the file is here, as its seal says. */
  get isWhole(): boolean {
    const { sealed, attempts } = this.state;
    return sealed && attempts === this.#store.count();
  }

  /** Adds lines; the first one that is not what it should be is named. */
  async add(lines: readonly { readonly number: number; readonly text: string }[]): Promise<Result<null>> {
    let state = this.state;
    for (const { number, text } of lines) {
      const parsed = parseJsonLine(traceFileLine, text);
      if (!parsed.ok) return bad('invalid-line', number, parsed.problem);
      const { value } = parsed;
      if ((value.type === 'traces') !== (state.header === null))
        return bad('invalid-line', number, 'the header is the first line and no other');
      if (state.sealed) return bad('invalid-line', number, 'the seal is the last line');
      if (value.type === 'traces') {
        state = { ...state, header: value, seal: await sealBegin(value) };
      } else if (value.type === 'seal') {
        const count = this.#store.count();
        if (value.attempts !== count)
          return bad('content-mismatch', number, `the seal is of ${value.attempts} attempts; the file has ${count}`);
        if (value.sha256 !== state.seal)
          return bad(
            'content-mismatch',
            number,
            'the seal does not fit the lines before: one was changed, added or taken out',
          );
        state = { ...state, sealed: true, attempts: value.attempts };
      } else {
        const { sha256, ...line } = value;
        if ((await lineDigest(line)) !== sha256)
          return bad('content-mismatch', number, 'the digest of the line does not fit it: it was changed');
        // Numbers may be longer than they were written: 1e20 has 21 digits.
        const json = JSON.stringify(value);
        if (new TextEncoder().encode(json).byteLength > mostLineBytes)
          return bad('invalid-line', number, `written out, it has more than ${mostLineBytes} bytes`);
        this.#store.addLine({ number, line: value }, json);
        state = { ...state, seal: await sealNext(state.seal, sha256) };
      }
    }
    this.#facts.write('upload', state);
    return ok(null);
  }

  /** What the file is, where all of it is there. */
  finish(): Result<WholeUpload> {
    const { header, seal, sealed } = this.state;
    if (header === null) return refuse('invalid-line', 'the file is empty');
    return sealed
      ? ok({ header, seal })
      : refuse('content-mismatch', 'the file ends without a seal: a part of it is missing');
  }

  /** Forgets what came so far. */
  clear(): void {
    this.#store.clear();
    this.#facts.write('upload', nothingYet);
  }

  /** Makes room for a file. One that is broken off and never begun again is forgotten. */
  async begin(): Promise<void> {
    await this.#storage.setAlarm(Date.now() + abandonedMs);
  }

  /** Forgets a file that nobody came back to; it may be sent again. */
  async abandon(): Promise<void> {
    this.clear();
    await this.#storage.deleteAlarm();
  }

  /** Deletes the object's storage. The object cannot be used again. */
  async discard(): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }

  /** Copies a file that was uploaded to another object. False where it was given up meanwhile: only a whole file is a submission. */
  async adoptFrom(source: RpcOf<Submission, 'uploaded'>, mayAbandon: () => boolean): Promise<boolean> {
    this.clear();
    // A crash before the submission is created would leave the lines behind.
    await this.begin();
    for (let after: LinePlace | null = null; ;) {
      const { state, lines } = await source.uploaded(after);
      for (const line of lines) this.#store.addLine(line);
      this.#facts.write('upload', state);
      const last = lines.at(-1);
      if (last === undefined) break;
      after = placeOfLine(last);
    }
    const { isWhole } = this;
    if (!isWhole && mayAbandon()) await this.abandon();
    return isWhole;
  }

  /** Lines by place, after one (null: from the first): as many as one call carries; none at the end. */
  linesAfter(after: LinePlace | null): NumberedLine[] {
    return this.#store.linesAfter(after, charsPerRead);
  }

  get state(): UploadState {
    return this.#facts.read('upload', uploadState) ?? nothingYet;
  }
}

const bad = (code: 'invalid-line' | 'content-mismatch', number: number, problem: string) =>
  refuse(code, `line ${number}: ${problem}`, [{ where: `line ${number}`, message: problem }]);
