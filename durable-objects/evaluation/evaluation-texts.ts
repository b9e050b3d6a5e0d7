import { RpcTarget } from 'cloudflare:workers';
import { z } from 'zod';
import type { Sight } from '#core/access/access.ts';
import { refuse } from '#core/values/errors.ts';
import {
  caseWithoutTextsOfAttempts,
  traceWithoutTexts,
  listRequestsWhoseTextsRemain,
  type DeletedTexts,
} from '#core/evaluation/delete-texts.ts';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import { recordedAttemptName } from '#core/evaluation/new-cases.ts';
import { ok, type Result } from '#core/values/result.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { Recording } from '#durable-objects/recording/recording.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import { refuseUnlessSeesUnits, type EvaluationLife } from './evaluation-life.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** Cases whose texts one alarm deletes. */
const casesPerAlarm = 50;
const dayMs = 24 * 60 * 60_000;
const countRow = z.object({ n: z.int() });

/** Deletes the texts of an evaluation's attempts: on request, and when the days are over for which they are kept. Figures stay. */
export class EvaluationTexts extends RpcTarget {
  readonly #store: EvaluationStore;
  readonly #life: EvaluationLife;
  readonly #storage: DurableObjectStorage;
  readonly #recording: (id: string) => RpcOf<Recording, 'deleteAttemptCalls'>;
  readonly #singletons: SingletonTable;

  constructor(
    store: EvaluationStore,
    life: EvaluationLife,
    storage: DurableObjectStorage,
    recording: (id: string) => RpcOf<Recording, 'deleteAttemptCalls'>,
  ) {
    super();
    this.#store = store;
    this.#life = life;
    this.#storage = storage;
    this.#recording = recording;
    this.#singletons = new SingletonTable(storage.sql);
  }

  /** Deletes the texts of a case's attempts, or of the one at a request; their figures stay. Repeating it changes nothing. */
  async delete(id: string, request: RequestName | null, sight: Sight): Promise<Result<DeletedTexts>> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    return allowed.ok ? this.#deleteOfCaseAndRecording(id, request, new Date().toISOString()) : allowed;
  }

  /** Sets the alarm for the day on which texts are deleted, if there is one. */
  async schedule(): Promise<void> {
    const dueMs = this.#dueMs;
    if (dueMs !== null) await this.#storage.setAlarm(dueMs);
  }

  /** Deletes the texts of some cases, if they are due, and sets the alarm for the next ones. */
  async deleteSomeDueAndSetAlarm(now: number): Promise<void> {
    const dueMs = this.#dueMs;
    if (dueMs === null) return;
    if (now < dueMs) return this.#storage.setAlarm(dueMs);
    const after = this.#singletons.read('textsDeletedUpTo', z.string()) ?? '';
    const cases = this.#store.listCases(after, casesPerAlarm);
    for (const { id } of cases) {
      const deleted = await this.#deleteOfCaseAndRecording(id, null, new Date(now).toISOString());
      if (!deleted.ok) throw new Error(deleted.problem.detail);
    }
    const last = cases.at(-1);
    if (last === undefined) return;
    this.#singletons.write('textsDeletedUpTo', last.id);
    await this.#storage.setAlarm(now);
  }

  /** Refuses what is read from the texts of an agent's attempts, or of all, if some are deleted. */
  refuseIfDeleted(agent: string | null): Result<null> {
    const without = this.#life.exists ? this.#countAttemptsWithoutTexts(agent) : 0;
    return without === 0 ? ok(null) : refuse('texts-deleted', `the texts of ${attemptCountText(without)} are deleted`);
  }

  /** Returns what a report says of deleted texts. */
  makeReportSection(): string[] {
    const without = this.#countAttemptsWithoutTexts(null);
    return without === 0
      ? []
      : [
          '## Deleted texts',
          '',
          `The texts of ${attemptCountText(without)} are deleted; the figures are as before.`,
          '',
        ];
  }

  async #deleteOfCaseAndRecording(id: string, request: RequestName | null, at: string): Promise<Result<DeletedTexts>> {
    const found = this.#store.findCase(id);
    const requests = found === null ? [] : found.requests.filter((name) => request === null || name === request);
    if (found === null || requests.length === 0)
      return refuse(
        'not-found',
        request === null ? `there is no case ${id}` : `there is no case ${id} with a request ${request}`,
      );
    if (found.stage.kind !== 'done' && !isOver(this.#life.standing.status))
      return refuse('wrong-state', `the case is at its ${found.stage.kind}; its texts can be deleted when it is done`);
    // The recording first: what is still marked as there is deleted again after a crash.
    await this.#deleteCallsFromOwnRecording(found, listRequestsWhoseTextsRemain(found, requests));
    this.#life.transaction(() => this.#deleteStoredTexts(id, requests, at));
    const attempts = requests.flatMap((name) => {
      const since = this.#store.findCase(id)?.attempts[name]?.textsDeleted;
      return since === undefined ? [] : [{ request: name, textsDeleted: since }];
    });
    return ok({ case: id, attempts });
  }

  /** Counts the attempts without texts, of an agent or of all. */
  #countAttemptsWithoutTexts(agent: string | null): number {
    const rows = this.#storage.sql.exec(
      `SELECT COUNT(*) AS n FROM cases, json_each(cases.json, '$.attempts') AS attempt
         WHERE (?1 IS NULL OR agent = ?1) AND attempt.type = 'object' AND json_extract(attempt.value, '$.textsDeleted') IS NOT NULL`,
      agent,
    );
    return parseRows(countRow, rows)[0]?.n ?? 0;
  }

  /** When texts are deleted; null if they are kept, or as long as the run is not over. */
  get #dueMs(): number | null {
    const { creation, standing } = this.#life;
    const { keepTextsDays } = creation.config;
    if (keepTextsDays === undefined || standing.endedAt === null) return null;
    return Date.parse(standing.endedAt) + keepTextsDays * dayMs;
  }

  /** The recording that another evaluation made stays as it is. */
  async #deleteCallsFromOwnRecording(
    each: { readonly unit: string; readonly agent: string; readonly trial: number },
    requests: readonly RequestName[],
  ): Promise<void> {
    const { recording, recordingId } = this.#life.creation.config;
    if (recording !== 'record' || recordingId === undefined) return;
    for (const name of requests)
      await this.#recording(recordingId).deleteAttemptCalls(each.unit, recordedAttemptName(each, name));
  }

  #deleteStoredTexts(id: string, requests: readonly RequestName[], at: string): void {
    const present = this.#store.getCaseOrThrow(id);
    const traces = this.#store.readTracesOfCase(id);
    for (const name of listRequestsWhoseTextsRemain(present, requests)) {
      const trace = traces[name];
      if (trace !== undefined) this.#store.writeTrace(id, name, traceWithoutTexts(trace, at));
      this.#storage.sql.exec("UPDATE votes SET why = '' WHERE evaluated = ? AND request = ?", id, name);
      this.#storage.sql.exec(
        "UPDATE labels SET note = '' WHERE unit = ? AND agent = ? AND trial = ? AND request = ?",
        present.unit,
        present.agent,
        present.trial,
        name,
      );
    }
    this.#store.updateCase(caseWithoutTextsOfAttempts(present, requests, at), null);
  }
}

const attemptCountText = (attempts: number): string => `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
