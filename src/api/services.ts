import type { ToolReport } from '#core/reports/tool-report/record.ts';
import type { WordingMaterial } from '#core/reports/wording-proposal/question.ts';
import type { NewProposal } from '#core/reports/wording-proposal/record.ts';
import type { NumberedWrite } from '#core/traces/writes.ts';
import type { NewCatalog } from '#core/catalog/selection.ts';
import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { TransitionRecord } from '#core/exploration/counts.ts';
import type { EmbeddedIndex } from '#adapters/vector/embedded-store.ts';
import type { AskConsent } from '#adapters/mcp/oauth/tokens.ts';
import type { StoredConsentAuth } from '#core/catalog/server-auth.ts';
import type { AskedConsent, ConsentRecord } from '#core/catalog/consent/consent.ts';
import type { Caller, KeyRecord, Scope, Sight } from '#core/access/access.ts';
import type {
  CatalogRecord,
  ExplorationBasis,
  NewServer,
  ServerConnection,
  ServerListing,
  CategorySources,
  ServerRecord,
  ServerChange,
} from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { Governor } from '#core/models/governor/port.ts';
import type { GovernorStanding } from '#core/models/governor/governor.ts';
import type { HostLedger } from '#core/catalog/hosts/ledger.ts';
import type { HostRecord } from '#core/catalog/hosts/proof.ts';
import type { Result } from '#core/values/result.ts';
import type { Survey } from '#core/catalog/survey.ts';
import type { BenchmarkRecord, BenchmarkUnit, FreezeRequest } from '#core/benchmarks/benchmark.ts';
import type {
  AgentTransition,
  BreakdownBy,
  BreakdownGroup,
  ExportFormat,
  UnitResult,
} from '#core/evaluation/breakdown-record.ts';
import type { CaseFilter, PageOfCases } from '#core/evaluation/case-filter.ts';
import type { ExplainedCase } from '#core/evaluation/explained-case.ts';
import type { AttemptPlace, Label, NewLabel, NewVotes, StoredCounts } from '#core/evaluation/labels.ts';
import type { ImportedAttempts, ImportedCounts } from '#core/evaluation/imported-attempts.ts';
import type { EvaluationToJudgeAgain } from '#core/evaluation/judge-again.ts';
import type { VerdictAgreement } from '#core/evaluation/verdict-agreement.ts';
import type { AttemptEnd, AttemptResponse, ClaimAnswer, GivenBack } from '#core/evaluation/claim.ts';
import type { CrashSettlement, SettledCrashes } from '#core/evaluation/crashes.ts';
import type { BenchmarkFloor } from '#core/evaluation/floor.ts';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import type { DeletedTexts } from '#core/evaluation/delete-texts.ts';
import type { AnytimeComparison, AnytimeQuestion } from '#core/evaluation/compare-anytime.ts';
import type { CaseDetail, Comparison, EvaluationRecord, EvaluationResults } from '#core/evaluation/record.ts';
import type { EvaluationCreator } from '#core/evaluation/create-on-basis.ts';
import type { RecordedCallPage, RecordingRecord } from '#core/evaluation/recording.ts';
import type {
  Agreement,
  DomainTransition,
  ReviewDetail,
  ReviewFilter,
  ExplorationRecord,
  NewExploration,
  UnitDetail,
  UnitFilter,
  Reviewer,
  SeenUnits,
} from '#core/exploration/record.ts';
import type { EvolutionRecord, NewEvolution, OrderedEvolution } from '#core/exploration/evolution/record.ts';
import type { DeletedUnitTexts } from '#core/units/delete-texts.ts';
import type { Verdict } from '#core/units/review.ts';
import type { RequestSide } from '#core/units/unit.ts';
import type { EventBody } from '#core/reports/events.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import type { KnowledgeConnection, KnowledgeRecord, NewIndex } from '#core/similarity/knowledge/record.ts';
import type { IndexedResource } from '#core/values/resources.ts';
import type { OpenRun } from '#core/exploration/runs.ts';
import type { RequestAllowance } from '#core/access/request-allowance.ts';
import type { RankingMetric } from '#core/leaderboards/metrics.ts';
import type { RankingReader } from '#core/leaderboards/ranking.ts';
import type {
  BoardSubmission,
  Entry,
  LeaderboardCreation,
  LeaderboardRecord,
  ListedLeaderboard,
  NewlyListedLeaderboard,
  LogLine,
  PairedPlace,
  RankedEntry,
  SignedRecord,
} from '#core/leaderboards/record.ts';
import type { Moderation, SubmissionCreation, SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import type { SubmissionState, SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import type { TraceHeader, TraceLine, WholeUpload } from '#core/leaderboards/submissions/trace-file.ts';
import type { Line } from './uploaded-lines.ts';

/** What the API needs from state. The composition root implements it with Durable Objects. */

/** The objects by kind and name. */
export interface Objects {
  readonly workspace: WorkspaceService;
  readonly exploration: ExplorationService;
  readonly evaluation: EvaluationService;
  readonly benchmark: BenchmarkService;
  readonly attempt: AttemptService;
  readonly recording: RecordingService;
  readonly consent: ConsentService;
  readonly knowledge: KnowledgeService;
  readonly submission: SubmissionService;
  readonly leaderboard: LeaderboardService;
  readonly requestCounter: RequestCounterService;
  readonly host: HostService;
}

export type ObjectKind = keyof Objects;

/** Governs the requests to one server or endpoint of a model. */
export interface GovernorService extends Governor {
  describe(): Promise<GovernorStanding>;
}

export interface DirectoryService {
  authenticate(hash: string): Promise<Caller | null>;
  addKey(key: {
    id: string;
    hash: string;
    workspace: string;
    name: string;
    scopes: readonly Scope[];
    createdAt: string;
  }): Promise<KeyRecord>;
  listKeys(workspace: string, after: string, limit: number): Promise<KeyRecord[]>;
  removeKey(workspace: string, id: string): Promise<boolean>;
  listRunsNeedingDriver(after: string, limit: number): Promise<OpenRun[]>;
  takeRunsToWake(workspace: string | null, now: number): Promise<OpenRun[]>;
  addBenchmark(id: string, workspace: string, object: string): Promise<void>;
  findBenchmark(id: string): Promise<{ workspace: string; object: string } | null>;
  addLeaderboard(leaderboard: NewlyListedLeaderboard, workspace: string): Promise<void>;
  /** The ids of a workspace's leaderboards, and of those whose workspace was never recorded. */
  listWorkspaceLeaderboardIds(workspace: string): Promise<string[]>;
  hasLeaderboard(id: string): Promise<boolean>;
  listLeaderboards(after: string, limit: number): Promise<ListedLeaderboard[]>;
}

export interface WorkspaceService {
  addServer(server: NewServer): Promise<Result<ServerRecord>>;
  /** Registers servers that are only described, all or none; connected ones of their names stay. */
  addDescribedServers(described: readonly NewServer[]): Promise<ServerRecord[]>;
  /** Returns the servers of these names; names of none are left out. */
  findServersByName(names: readonly string[]): Promise<ServerRecord[]>;
  replaceServerListing(id: string, listing: ServerListing): Promise<Result<ServerRecord>>;
  changeServer(id: string, change: ServerChange): Promise<Result<ServerRecord>>;
  readWhoCategorizedTools(id: string): Promise<CategorySources>;
  readSurvey(id: string): Promise<Result<Survey | null>>;
  readServerWithTools(id: string): Promise<Result<{ server: ServerRecord; tools: Tool[] }>>;
  getServerTools(id: string): Promise<Tool[]>;
  listServers(after: string, limit: number): Promise<ServerRecord[]>;
  removeServerKeepingCatalogs(id: string): Promise<boolean>;
  serverConnection(id: string): Promise<ServerConnection | null>;
  /** Whether one of these names is that of a private server, of which nothing but figures is public. */
  isAnyServerPrivate(names: readonly string[]): Promise<boolean>;
  countShareRevocations(run: string): Promise<number>;
  revokeShares(run: string): Promise<void>;
  findOrCreateCatalog(
    catalog: NewCatalog,
    limits: { readonly tools: number; readonly bytes: number },
    at: string,
  ): Promise<Result<CatalogRecord>>;
  readCatalogWithTools(id: string): Promise<Result<{ catalog: CatalogRecord; tools: Tool[] }>>;
  /** Returns the tools of a catalog, how to reach its servers, and their surveys. */
  explorationBasis(catalog: string): Promise<Result<ExplorationBasis>>;
  listCatalogs(after: string, limit: number): Promise<CatalogRecord[]>;
  reserveIdempotencyKey(
    key: string,
    fingerprint: string,
    resource: string,
  ): Promise<Result<{ resource: string; fresh: boolean }>>;
  findReservation(key: string, fingerprint: string): Promise<Result<string | null>>;
  addResource(kind: ObjectKind, resource: IndexedResource): Promise<void>;
  findResource(kind: ObjectKind, id: string): Promise<IndexedResource | null>;
  /** The latest ones first, those before `before` if it is not empty. */
  listLatestResourcesOfKind(kind: ObjectKind, before: string, limit: number): Promise<IndexedResource[]>;
  listResourcesOfKind(kind: ObjectKind, after: string, limit: number): Promise<IndexedResource[]>;
  removeResource(kind: ObjectKind, id: string): Promise<void>;
  /** Consumes one slot of the 24-hour quota. Idempotent per id. Returns false when the quota is used up. */
  consumeSubmissionQuota(id: string, limit: number, now: number): Promise<boolean>;
  /** Refuses private units of which the workspace was given one for another submission, to whatever leaderboard. */
  refusePrivateUnitsGivenElsewhere(units: readonly string[], submission: string): Promise<Result<null>>;
}

export interface ConsentService {
  create(asked: AskedConsent, secrets: string): Promise<ConsentRecord>;
  describe(workspace: string): Promise<Result<ConsentRecord>>;
  /** Returns what a person is asked, as long as nobody has answered. */
  readQuestion(): Promise<Result<AskedConsent>>;
  /** Takes the answer of the authorization server, once; returns why there are no tokens, in words. */
  takeAnswer(query: string, isSameBrowser: boolean): Promise<Result<ConsentRecord, string>>;
  claimForServer(workspace: string, server: string, url: string): Promise<Result<StoredConsentAuth>>;
  release(server: string): Promise<void>;
  giveToken: AskConsent;
  /** Keeps it for attempts under way, then forgets it. */
  withdrawLater(): Promise<void>;
  /** Forgets it, and revokes its tokens. */
  withdraw(): Promise<void>;
}

export interface ExplorationService {
  create(exploration: NewExploration): Promise<ExplorationRecord>;
  get(): Promise<Result<ExplorationRecord>>;
  pause(): Promise<Result<ExplorationRecord>>;
  resume(): Promise<Result<ExplorationRecord>>;
  cancel(): Promise<Result<ExplorationRecord>>;
  /** Starts a new driver if the run has not ended; with `force` even if the current one seems alive. */
  wake(force: boolean): Promise<void>;
  listWrites(after: number, limit: number): Promise<Result<NumberedWrite[]>>;
  reportOnTools(sight: Sight): Promise<Result<ToolReport>>;
  listUnits(filter: UnitFilter, after: string, limit: number, sight: Sight): Promise<Result<SeenUnits>>;
  deleteTexts(unit: string, request: RequestSide | null, sight: Sight): Promise<Result<DeletedUnitTexts>>;
  getUnit(id: string, sight: Sight): Promise<Result<UnitDetail>>;
  listTransitions(after: string, limit: number): Promise<Result<TransitionRecord[]>>;
  listReadings(after: number, limit: number): Promise<Result<RoundReading[]>>;
  domainTransitions(): Promise<Result<DomainTransition[]>>;
  listReviews(filter: ReviewFilter, after: string, limit: number, sight: Sight): Promise<Result<SeenUnits>>;
  getReview(unit: string, sight: Sight): Promise<Result<ReviewDetail>>;
  /** Repeating the same decision by the same reviewer changes nothing. */
  recordDecision(unit: string, verdict: Verdict, reviewer: Reviewer): Promise<Result<ReviewDetail>>;
  measureAgreementWithCritic(): Promise<Result<Agreement>>;
  /** Continues decisions that are being carried out. */
  wakeReviews(force: boolean): Promise<void>;
  /** With `dryRun` nothing is started, and the answer is an estimate. */
  startEvolution(order: NewEvolution, dryRun: boolean): Promise<Result<OrderedEvolution>>;
  listEvolutions(): Promise<Result<EvolutionRecord[]>>;
  getEvolution(number: number): Promise<Result<EvolutionRecord>>;
  controlEvolution(number: number, verb: 'pause' | 'resume' | 'cancel'): Promise<Result<EvolutionRecord>>;
  wakeEvolution(number: number, force: boolean): Promise<void>;
  /** The event stream; reads `after` and `sight` from the query. */
  fetch(request: Request): Promise<Response>;
}

export interface EvaluationService extends EvaluationCreator {
  get(): Promise<Result<EvaluationRecord>>;
  pause(): Promise<Result<EvaluationRecord>>;
  resume(): Promise<Result<EvaluationRecord>>;
  cancel(): Promise<Result<EvaluationRecord>>;
  /** Starts a new driver if the run has not ended; with `force` even if the current one seems alive. */
  wake(force: boolean): Promise<void>;
  results(): Promise<Result<EvaluationResults>>;
  /** Results of units after a cursor, by unit and agent. */
  listUnitResults(after: string, limit: number, sight: Sight): Promise<Result<UnitResult[]>>;
  /** The attempts made so far, as a file. */
  exportAttempts(format: ExportFormat, sight: Sight): Promise<Result<ReadableStream<Uint8Array>>>;
  /** The attempts of an agent made so far, as a log of Inspect AI. */
  exportInspectLog(agent: string, sight: Sight): Promise<Result<ReadableStream<Uint8Array>>>;
  breakdown(by: BreakdownBy, sight: Sight): Promise<Result<BreakdownGroup[]>>;
  /** Transitions after a cursor, by agent and tools. */
  listAgentTransitions(after: string, limit: number, sight: Sight): Promise<Result<AgentTransition[]>>;
  /** Markdown. */
  renderReport(sight: Sight, floor: BenchmarkFloor | null): Promise<Result<string>>;
  compare(a: string, b: string): Promise<Result<Comparison>>;
  compareAnytime(asked: AnytimeQuestion): Promise<Result<AnytimeComparison>>;
  /** Stores labels; a later one of the same labeller replaces an earlier one. */
  addLabels(
    labels: readonly NewLabel[],
    by: Pick<Label, 'labeller' | 'key' | 'at'>,
    sight: Sight,
  ): Promise<Result<StoredCounts>>;
  addVotes(votes: NewVotes, sight: Sight): Promise<Result<StoredCounts>>;
  listLabels(labeller: string | null, after: string, limit: number, sight: Sight): Promise<Result<Label[]>>;
  listUnlabelled(labeller: string, after: string, limit: number, sight: Sight): Promise<Result<AttemptPlace[]>>;
  measureAgreement(): Promise<Result<VerdictAgreement>>;
  /** Takes attempts that were made elsewhere. Idempotent. */
  importAttempts(imported: ImportedAttempts, sight: Sight): Promise<Result<ImportedCounts>>;
  /** What an evaluation that judges this one again begins with; refuses while attempts are still made. */
  getConfigAndAgentsToJudgeAgain(): Promise<Result<EvaluationToJudgeAgain>>;
  /** Tools after one (empty: from the first), by name, as many as one call carries. */
  listTools(after: string): Promise<{ readonly tools: readonly Tool[]; readonly isLast: boolean }>;
  traceHeader(agent: string, sight: Sight): Promise<Result<TraceHeader>>;
  /** Attempts at public units after a cursor, both attempts of each case. */
  listPublicTraceLines(
    agent: string,
    after: Pick<TraceLine, 'unit' | 'trial'> | null,
    sight: Sight,
  ): Promise<Result<TraceLine[]>>;
  listWrites(after: number, limit: number, sight: Sight): Promise<Result<NumberedWrite[]>>;
  /** Reports on the attempts of one agent, or of all agents. */
  reportOnTools(agent: string | null, sight: Sight): Promise<Result<ToolReport>>;
  /** What a model is to write a new wording from. */
  collectWordingMaterial(asked: NewProposal, sight: Sight): Promise<Result<WordingMaterial>>;
  /** Returns at most `limit` cases after a cursor that a filter wants; a page can be short and have a next one. */
  listCases(filter: CaseFilter, after: string, limit: number, sight: Sight): Promise<Result<PageOfCases>>;
  getCaseDetail(id: string, sight: Sight): Promise<Result<CaseDetail>>;
  deleteTexts(id: string, request: RequestName | null, sight: Sight): Promise<Result<DeletedTexts>>;
  /** Finished cases of public units after a cursor, with the reasons of their scores. */
  listFinishedPublicCases(after: string, limit: number): Promise<Result<ExplainedCase[]>>;
  /** Hands out an attempt under the id that the caller generated; the same `key` returns the same attempt. */
  claimAttempt(
    request: { agent: string; attempt: string; key: string | null },
    sight: Sight,
  ): Promise<Result<ClaimAnswer>>;
  /** Says what becomes of attempts that crashed and are held. Idempotent. */
  settleCrashes(settlement: CrashSettlement, sight: Sight): Promise<Result<SettledCrashes>>;
  /** The event stream; reads `after` and `sight` from the query, and answers 403 to callers that may not see it. */
  fetch(request: Request): Promise<Response>;
}

/** One submission to a leaderboard. */
export interface SubmissionService {
  /** `upload` names the object of an uploaded trace file, if there is one. */
  create(creation: SubmissionCreation, upload: string | null): Promise<Result<SubmissionRecord>>;
  /** Prepares for a trace file that arrives in parts. */
  beginUpload(): Promise<void>;
  uploadLines(lines: readonly Line[]): Promise<Result<null>>;
  /** Returns the header of the file, once it is complete and its seal matches. */
  describeUploadIfComplete(): Promise<Result<WholeUpload>>;
  resumeCreation(): Promise<Result<SubmissionRecord>>;
  discardUpload(): Promise<void>;
  get(): Promise<Result<SubmissionRecord>>;
  withdraw(reason: string): Promise<Result<SubmissionRecord>>;
  moderate(decision: Moderation): Promise<Result<SubmissionRecord>>;
  claimAttempt(attempt: string, key: string | null): Promise<Result<ClaimAnswer>>;
  traceHeader(): Promise<Result<TraceHeader>>;
  /** Attempts at public units after a cursor, some cases at a time. */
  listPublicTraceLines(after: Pick<TraceLine, 'unit' | 'trial'> | null): Promise<Result<TraceLine[]>>;
  wake(force: boolean): Promise<void>;
  /** The event stream; reads `after` from the query. */
  fetch(request: Request): Promise<Response>;
}

/** One leaderboard: its entries, its log and its ranking. */
export interface LeaderboardService extends RankingReader {
  /** Idempotent. */
  open(creation: LeaderboardCreation): Promise<Result<LeaderboardRecord>>;
  get(): Promise<Result<LeaderboardRecord>>;
  creation(): Promise<Result<LeaderboardCreation>>;
  /** Gives a name to a workspace permanently. Idempotent. */
  claimName(name: string, workspace: string): Promise<Result<null>>;
  /** Refuses a workspace that was given the private units, unless it was for this submission. */
  refuseWorkspaceGivenPrivateUnits(workspace: string, submission: string): Promise<Result<null>>;
  getShownEntry(id: string): Promise<Result<Entry>>;
  getShownSignedRecord(id: string): Promise<Result<SignedRecord>>;
  /** Compares two published entries unit by unit; without figures if the metric has no unit values. */
  compareEntries(metric: RankingMetric, id: string, other: string): Promise<PairedPlace | null>;
  /** The published entries of a name by its submitter on this leaderboard, newest first, at most 50. */
  listEntriesOfName(name: string, workspace: string): Promise<Entry[]>;
  getShownEntryOwner(id: string): Promise<Result<{ workspace: string; name: string }>>;
  /** Returns whether the leaderboard belongs to the workspace and the submission to the leaderboard. */
  mayModerate(workspace: string, submission: string): Promise<boolean>;
  /** Published entries by id, after `after`, at most `limit`, each with its place in its tier by the default metric. */
  listPublishedWithPlaces(after: string, limit: number): Promise<RankedEntry[]>;
  /** The Pareto front of a tier by cost and the headline of the protocol, in order of cost; 200 entries of a longer one, including its ends. */
  listThinnedFront(tier: SubmissionTier): Promise<Entry[]>;
  logLines(after: number, limit: number): Promise<LogLine[]>;
  /** Submissions by id, for the workspace's moderators. */
  listSubmissionsForModerators(
    workspace: string,
    state: SubmissionState | null,
    after: string,
    limit: number,
  ): Promise<Result<BoardSubmission[]>>;
  syncDatabaseRanking(): Promise<void>;
}

/** Counts the requests of one key, attempt or address. */
export interface RequestCounterService {
  /** Takes one of `limit` requests per minute; `now` is milliseconds since 1970. */
  admitRequest(limit: number, now: number): Promise<RequestAllowance>;
}

/** One host with MCP servers. */
export interface HostService extends HostLedger {
  /** Creates nothing. */
  describe(host: string, workspace: string): Promise<HostRecord>;
  /** Looks for the proof of a workspace. */
  prove(host: string, workspace: string): Promise<Result<HostRecord>>;
}

/** One attempt behind the recording gateway. */
export interface AttemptService {
  /** Returns whether a caller with this token may use the endpoint now. */
  admitOrReportIntrusion(token: string): Promise<Result<null>>;
  /** Answers an admitted MCP client. */
  fetch(request: Request): Promise<Response>;
  acceptResponse(workspace: string, response: AttemptResponse): Promise<Result<AttemptEnd>>;
  /** Ends it without a response. */
  giveBack(workspace: string): Promise<Result<GivenBack>>;
}

/** The servers' answers in an evaluation. */
export interface RecordingService {
  create(record: Pick<RecordingRecord, 'id' | 'benchmark' | 'createdAt' | 'private' | 'redact'>): Promise<void>;
  get(): Promise<Result<RecordingRecord>>;
  listAttemptCalls(
    unit: string,
    attempt: string,
    page: { after: number; limit: number; sight: Sight },
  ): Promise<Result<RecordedCallPage>>;
  exportLines(after: number, sight: Sight): Promise<Result<{ lines: string[]; cursor: number } | null>>;
  importLines(lines: readonly Line[]): Promise<Result<null>>;
  finishImport(id: string, createdAt: string): Promise<Result<RecordingRecord>>;
  discard(): Promise<void>;
}

/** One knowledge index, with its passages if it is embedded, else with the ids of those in the external store. */
export interface KnowledgeService extends EmbeddedIndex {
  create(index: NewIndex): Promise<Result<KnowledgeRecord>>;
  get(): Promise<Result<KnowledgeRecord>>;
  connection(): Promise<Result<KnowledgeConnection>>;
  recordExternalPassages(
    what: 'expect' | 'confirm' | 'forget',
    namespace: string,
    ids: readonly string[],
  ): Promise<Result<null>>;
  recordNamespaceCleared(namespace: string): Promise<void>;
  listSomeExternalIds(limit: number): Promise<{ namespace: string; ids: string[] } | null>;
  emit(events: readonly EventBody[]): Promise<void>;
  discard(): Promise<void>;
  /** The event stream; reads `after` from the query. */
  fetch(request: Request): Promise<Response>;
}

/** Reads a frozen benchmark. */
export interface BenchmarkService {
  freeze(request: FreezeRequest): Promise<Result<BenchmarkRecord>>;
  beginImport(): Promise<void>;
  importLines(lines: readonly Line[]): Promise<Result<null>>;
  finishImport(at: string): Promise<Result<BenchmarkRecord>>;
  get(): Promise<Result<BenchmarkRecord>>;
  /** What null agents score on it; null if nobody has measured it. */
  floor(): Promise<BenchmarkFloor | null>;
  recordFloorUnlessMeasured(floor: BenchmarkFloor): Promise<void>;
  /** Lines of the export from `from` on: the header, the tools, the units; `[]` at the end. */
  readExportPage(split: 'all' | 'public', from: number, limit: number): Promise<Result<string[]>>;
  listUnits(split: 'all' | 'public' | 'private', after: string, limit: number): Promise<BenchmarkUnit[]>;
  unitIds(split: 'all' | 'public' | 'private'): Promise<string[]>;
  readUnitsThatFit(ids: readonly string[]): Promise<BenchmarkUnit[]>;
  listCatalogTools(): Promise<Tool[]>;
  /** The names of the servers of its catalog. */
  serverNames(): Promise<string[]>;
  /** How many of its units checks decide on. */
  countUnitsWithChecks(): Promise<number>;
  /** How its units are evaluated. */
  protocol(): Promise<ProtocolKey>;
  discard(): Promise<void>;
}
