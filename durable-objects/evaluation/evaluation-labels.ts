import { RpcTarget } from 'cloudflare:workers';
import { z } from 'zod';
import type { Sight } from '#core/access/access.ts';
import { refuse } from '#core/values/errors.ts';
import { requestName } from '#core/benchmarks/protocols/case-requests.ts';
import {
  evaluationError,
  labelVerdict,
  type AttemptPlace,
  type Label,
  type NewLabel,
  type NewVotes,
  type StoredCounts,
} from '#core/evaluation/labels.ts';
import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { namePanelMembers } from '#core/scoring/votes.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import type { EarlierVerdict } from '#core/evaluation/judge-again.ts';
import { makeCaseId } from '#core/evaluation/new-cases.ts';
import {
  makeVerdictAgreement,
  type AttemptVerdicts,
  type VerdictAgreement,
} from '#core/evaluation/verdict-agreement.ts';
import { ok, type Result } from '#core/values/result.ts';
import type { Score } from '#core/scoring/score.ts';
import type { VerdictKey } from '#core/evaluation/scorers.ts';
import { CountedSql } from '#durable-objects/shared/counted-sql.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';
import { refuseUnlessCreated, refuseUnlessSeesUnits, type EvaluationLife } from './evaluation-life.ts';

const labelRow = z.object({
  unit: z.string(),
  agent: z.string(),
  trial: z.int(),
  request: requestName,
  labeller: z.string(),
  verdict: labelVerdict,
  error: evaluationError.nullable(),
  note: z.string(),
  key: z.string(),
  at: z.string(),
});
const voteRow = z.object({
  evaluated: z.string(),
  request: requestName,
  judge: z.string(),
  verdict: z.int().nullable(),
});
const attemptRow = z.object({ unit: z.string(), agent: z.string(), trial: z.int(), request: requestName });
/** An evaluated attempt, with what of its score the verdicts are read from. */
const judgedRow = z.object({
  evaluated: z.string(),
  request: requestName,
  value: z.number().nullable(),
  reason: z.string().nullable(),
  /** Whether the parts of the score say that a judge decided; without that a rule did. */
  judged: z.int(),
  votes: jsonColumnSchema(
    z.array(z.object({ judge: z.string(), verdict: z.boolean().nullable() })).readonly(),
  ).nullable(),
});
const judgedAttemptRow = judgedRow.extend({ unit: z.string(), agent: z.string() });
type JudgedRow = Omit<z.infer<typeof judgedRow>, 'evaluated' | 'request'>;
const saidRow = z.object({
  evaluated: z.string(),
  request: requestName,
  labeller: z.string(),
  verdict: labelVerdict,
  error: evaluationError.nullable(),
});

const makeLabel = ({ error, ...rest }: z.infer<typeof labelRow>): Label => ({
  ...rest,
  ...(error === null ? {} : { error }),
});

/** SQLite's path to a part of an attempt. It begins at the case, so that a case is parsed once for all of them. */
const attemptJsonPathSql = (path: string): string => `'$.attempts.' || attempt.key || '.${path}'`;
/** The evaluated attempts of all cases: those that can be labelled. */
const attemptsSql = `FROM cases, json_each(cases.json, '$.attempts') AS attempt
  WHERE attempt.type = 'object' AND json_extract(cases.json, ${attemptJsonPathSql('evaluated')}) = 1`;
/** The id of the case that a label is about, as `makeCaseId` makes it. */
const labelledCaseSql = `unit || '.' || agent || '.' || printf('%02d', trial)`;
const placeSql = `cases.unit AS unit, cases.agent AS agent, json_extract(cases.json, '$.trial') AS trial, attempt.key AS request`;

/** The columns that verdicts are read from, where this score is one. */
const verdictColumnsSql = (key: VerdictKey): string => {
  const scored = (path: string): string => attemptJsonPathSql(`scores.${key}${path}`);
  return `json_extract(cases.json, ${scored('.value')}) AS value, json_extract(cases.json, ${scored('.reason')}) AS reason,
    (json_type(cases.json, ${scored('.parts.achieved')}) IS 'array'
      OR json_type(cases.json, ${scored('.parts.judged')}) IS 'true') AS judged,
    json_extract(cases.json, ${scored('.votes')}) AS votes`;
};
const noVerdictColumns = 'NULL AS value, NULL AS reason, 0 AS judged, NULL AS votes';

/** The verdict that counts for an attempt; null if there is none that can be read. */
export interface CountedVerdict {
  readonly unit: string;
  readonly agent: string;
  readonly verdict: boolean | null;
}

/** What an evaluation that is labelled is, as far as its labels depend on it. */
interface Labelled {
  readonly judge: string;
  /** The scorer whose verdicts are compared; null where the protocol has none. */
  readonly verdict: VerdictKey | null;
  /** The names of all of its judges, as its votes have them. */
  readonly judges: readonly string[];
  readonly seed: number;
  /** The evaluation whose attempts are judged again, whose verdicts are stored as its votes. */
  readonly rejudges: string | null;
}

/** What people say of the attempts of an evaluation, and what judges that were asked elsewhere said. */
export class EvaluationLabels extends RpcTarget {
  readonly #storage: DurableObjectStorage;
  readonly #sql: CountedSql;
  readonly #life: EvaluationLife;

  constructor(storage: DurableObjectStorage, life: EvaluationLife) {
    super();
    this.#storage = storage;
    this.#sql = new CountedSql(storage.sql);
    this.#life = life;
  }

  /**
   * Stores labels, one for each attempt and labeller: a later one replaces an earlier one, and the same one again changes nothing.
   * Refuses all of them if one is about no evaluated attempt.
   */
  add(
    labels: readonly NewLabel[],
    { labeller, key, at }: Pick<Label, 'labeller' | 'key' | 'at'>,
    sight: Sight,
  ): Result<StoredCounts> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    if (!allowed.ok) return allowed;
    const missing = this.#refuseFirstUnevaluatedPlace(labels);
    if (missing !== null) return missing;
    return this.#storeNewOnesAndCount(labels, ({ unit, agent, trial, request, verdict, error = null, note }) => {
      const place = [unit, agent, trial, request, labeller] as const;
      const [same] = this.#sql
        .readUncounted(
          `SELECT 1 FROM labels WHERE unit = ? AND agent = ? AND trial = ? AND request = ? AND labeller = ?
             AND verdict = ? AND error IS ? AND note = ?`,
          ...place,
          verdict,
          error,
          note,
        )
        .toArray();
      if (same !== undefined) return false;
      this.#sql.write(
        `INSERT OR REPLACE INTO labels (unit, agent, trial, request, labeller, verdict, error, note, key, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...place,
        verdict,
        error,
        note,
        key,
        at,
      );
      return true;
    });
  }

  /** Stores votes of a judge that was asked elsewhere, one for each attempt, as `add` does. Refuses a name that an own judge has. */
  addVotes({ judge, votes }: NewVotes, sight: Sight): Result<StoredCounts> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    if (!allowed.ok) return allowed;
    const { judges, rejudges } = this.#labelled;
    if (judge === rejudges || judges.includes(judge))
      return refuse(
        'invalid-request',
        `${judge} is a judge of this evaluation; give the one that was asked elsewhere another name`,
      );
    const missing = this.#refuseFirstUnevaluatedPlace(votes);
    if (missing !== null) return missing;
    return this.#storeNewOnesAndCount(votes, ({ request, verdict, why, ...place }) => {
      const at = [makeCaseId(place), request, judge] as const;
      const stored = verdict === null ? null : Number(verdict);
      const [same] = this.#sql
        .readUncounted(
          'SELECT 1 FROM votes WHERE evaluated = ? AND request = ? AND judge = ? AND verdict IS ? AND why = ?',
          ...at,
          stored,
          why,
        )
        .toArray();
      if (same !== undefined) return false;
      this.#sql.write(
        'INSERT OR REPLACE INTO votes (evaluated, request, judge, verdict, why) VALUES (?, ?, ?, ?, ?)',
        ...at,
        stored,
        why,
      );
      return true;
    });
  }

  /** Labels after a cursor, by attempt and labeller, at most `limit`; of one labeller or of all. */
  list(labeller: string | null, after: string, limit: number, sight: Sight): Result<Label[]> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    if (!allowed.ok) return allowed;
    const sortKey = `${labelledCaseSql} || char(10) || request || char(10) || labeller`;
    const rows = this.#sql.readUncounted(
      `SELECT * FROM labels WHERE ${sortKey} > ? AND (? IS NULL OR labeller = ?) ORDER BY ${sortKey} LIMIT ?`,
      after,
      labeller,
      labeller,
      limit,
    );
    return ok(parseRows(labelRow, rows).map(makeLabel));
  }

  /** The evaluated attempts without a label of this labeller after a cursor, at most `limit`. */
  listUnlabelled(labeller: string, after: string, limit: number, sight: Sight): Result<AttemptPlace[]> {
    const allowed = refuseUnlessSeesUnits(this.#life, sight);
    if (!allowed.ok) return allowed;
    const [afterCase = '', afterRequest = ''] = after.split('\n');
    // By the primary key: the read begins at the cursor, and ends when there are enough.
    const rows = this.#sql.readUncounted(
      `SELECT ${placeSql} ${attemptsSql} AND cases.id >= ? AND (cases.id, attempt.key) > (?, ?) AND NOT EXISTS (
         SELECT 1 FROM labels WHERE labels.unit = cases.unit AND labels.agent = cases.agent
           AND labels.trial = json_extract(cases.json, '$.trial') AND labels.request = attempt.key AND labels.labeller = ?)
       ORDER BY cases.id, attempt.key LIMIT ?`,
      afterCase,
      afterCase,
      afterRequest,
      labeller,
      limit,
    );
    return ok(parseRows(attemptRow, rows));
  }

  listOfCase({ unit, agent, trial }: Pick<EvaluationCase, 'unit' | 'agent' | 'trial'>): Label[] {
    const rows = this.#sql.readUncounted(
      'SELECT * FROM labels WHERE unit = ? AND agent = ? AND trial = ? ORDER BY request, labeller',
      unit,
      agent,
      trial,
    );
    return parseRows(labelRow, rows).map(makeLabel);
  }

  /** Returns the verdict that counts for each evaluated attempt. */
  listVerdictOfEachAttempt(): CountedVerdict[] {
    const { verdict: key, judge } = this.#labelled;
    if (key === null) return [];
    const rows = this.#sql.readUncounted(
      `SELECT cases.unit AS unit, cases.agent AS agent, cases.id AS evaluated, attempt.key AS request, ${verdictColumnsSql(key)} ${attemptsSql}`,
    );
    return parseRows(judgedAttemptRow, rows).map(({ unit, agent, ...scored }) => ({
      unit,
      agent,
      verdict: votesAndCountedVerdictOfScore(scored, judge).counted ?? null,
    }));
  }

  /** Returns the verdicts that count for the attempts of a case, where a judge or a rule gave one. */
  listCountedVerdicts({ attempts }: Pick<EvaluationCase, 'attempts'>): EarlierVerdict[] {
    const { verdict: key, judge } = this.#labelled;
    if (key === null) return [];
    return Object.entries(attempts).flatMap(([request, { scores }]) => {
      const { counted } = votesAndCountedVerdictOfScore(pickVerdictPartsOfScore(scores[key]), judge);
      return counted === undefined ? [] : [{ request, verdict: counted }];
    });
  }

  /** Stores labels as they are, unless there are labels of the same people. */
  storeLabelsUnlessPresent(labels: readonly Label[]): void {
    for (const { unit, agent, trial, request, labeller, verdict, error = null, note, key, at } of labels)
      this.#sql.write(
        `INSERT OR IGNORE INTO labels (unit, agent, trial, request, labeller, verdict, error, note, key, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        unit,
        agent,
        trial,
        request,
        labeller,
        verdict,
        error,
        note,
        key,
        at,
      );
  }

  /** Whether there are verdicts besides those of one judge: a panel's, people's, or judges' that were asked elsewhere. */
  hasOtherVerdicts(): boolean {
    if (this.#life.creation.panel.length > 0) return true;
    return this.#sql.readUncounted('SELECT 1 FROM labels UNION ALL SELECT 1 FROM votes LIMIT 1').toArray().length > 0;
  }

  /** Stores the verdicts that counted for a case in another evaluation, under its id. Idempotent. */
  storeEarlierVerdictsAsVotes(evaluated: string, from: string, verdicts: readonly EarlierVerdict[]): void {
    for (const { request, verdict } of verdicts)
      this.#sql.write(
        "INSERT OR IGNORE INTO votes (evaluated, request, judge, verdict, why) VALUES (?, ?, ?, ?, '')",
        evaluated,
        request,
        from,
        verdict === null ? null : Number(verdict),
      );
  }

  /** Returns how far judges agree with people and with each other. */
  measureAgreement(): Result<VerdictAgreement> {
    const created = refuseUnlessCreated(this.#life);
    return created.ok ? ok(makeVerdictAgreement(this.#iterateVerdictsOfAttempts(), this.#labelled.seed)) : created;
  }

  get #labelled(): Labelled {
    const { judge, panel, config, rejudges, protocol } = this.#life.creation;
    const judges = namePanelMembers([judge, ...panel].map(({ model }) => model));
    return { judge: judge.model, verdict: getProtocol(protocol).verdict, judges, seed: config.seed, rejudges };
  }

  *#iterateVerdictsOfAttempts(): Generator<AttemptVerdicts> {
    const said = this.#sql.readUncounted(
      `SELECT ${labelledCaseSql} AS evaluated, request, labeller, verdict, error FROM labels ORDER BY labeller`,
    );
    const labels = Map.groupBy(
      parseRows(saidRow, said).map(({ error, ...rest }) => ({ ...rest, ...(error === null ? {} : { error }) })),
      ({ evaluated, request }) => `${evaluated}\n${request}`,
    );
    const votes = Map.groupBy(
      parseRows(
        voteRow,
        this.#sql.readUncounted('SELECT evaluated, request, judge, verdict FROM votes ORDER BY judge'),
      ),
      ({ evaluated, request }) => `${evaluated}\n${request}`,
    );
    const { verdict: key, judge: model, rejudges } = this.#labelled;
    const rows = this.#sql.readUncounted(
      `SELECT cases.id AS evaluated, attempt.key AS request, ${key === null ? noVerdictColumns : verdictColumnsSql(key)} ${attemptsSql}`,
    );
    for (const row of rows) {
      const { evaluated, request, ...scored } = judgedRow.parse(row);
      const at = `${evaluated}\n${request}`;
      const elsewhere = (votes.get(at) ?? []).map(({ judge, verdict }) => ({
        judge,
        verdict: verdict === null ? null : verdict === 1,
      }));
      const own = votesAndCountedVerdictOfScore(scored, model);
      yield {
        votes: [...(own.votes ?? []), ...elsewhere.filter(({ judge }) => judge !== rejudges)],
        counted: own.counted,
        before: elsewhere.find(({ judge }) => judge === rejudges)?.verdict,
        labels: labels.get(at) ?? [],
      };
    }
  }

  #storeNewOnesAndCount<T>(items: readonly T[], storeIfNew: (item: T) => boolean): Result<StoredCounts> {
    const stored = this.#storage.transactionSync(() => items.filter((item) => storeIfNew(item)).length);
    return ok({ stored, unchanged: items.length - stored });
  }

  /** Returns a refusal for the first place that is no evaluated attempt; null if all are. */
  #refuseFirstUnevaluatedPlace(places: readonly AttemptPlace[]): Extract<Result<never>, { ok: false }> | null {
    for (const place of places) {
      const rows = this.#sql.readUncounted(
        `SELECT 1 ${attemptsSql} AND cases.id = ? AND attempt.key = ?`,
        makeCaseId(place),
        place.request,
      );
      if (rows.toArray().length > 0) continue;
      const { unit, agent, trial, request } = place;
      const detail = `there is no evaluated attempt of ${agent} at the ${request} of ${unit} in trial ${trial}`;
      return refuse('not-found', detail);
    }
    return null;
  }
}

/** Returns what verdicts are read from of a score that is a verdict. */
const pickVerdictPartsOfScore = (scored: Score): JudgedRow => ({
  value: scored.value,
  reason: scored.value === null ? scored.reason : null,
  judged: Array.isArray(scored.parts['achieved']) || scored.parts['judged'] === true ? 1 : 0,
  votes: scored.votes ?? null,
});

/** Returns the votes behind a score that is a verdict, and the verdict that counts; nothing where no judge was to decide. */
function votesAndCountedVerdictOfScore(
  { value, reason, judged, votes }: JudgedRow,
  judge: string,
): Partial<Pick<AttemptVerdicts, 'votes' | 'counted'>> {
  const verdict = value === null ? null : value === 1;
  if (votes !== null) return { votes, counted: verdict };
  const isJudges = value === null ? reason?.startsWith('judge-') === true : judged === 1;
  if (isJudges) return { votes: [{ judge, verdict }], counted: verdict };
  return value === null ? {} : { counted: verdict };
}
