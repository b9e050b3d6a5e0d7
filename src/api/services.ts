import type { EmbeddedIndex } from '#adapters/vector/embedded-store.ts';
import type { HostLedger } from '#core/catalog/hosts/ledger.ts';
import type { RankingReader } from '#core/leaderboards/ranking.ts';
import type { Governor } from '#core/models/governor/port.ts';
import type { GovernorStanding } from '#core/models/governor/governor.ts';
import type { Attempt } from '#durable-objects/attempt/attempt.ts';
import type { Benchmark } from '#durable-objects/benchmark/benchmark.ts';
import type { Consent } from '#durable-objects/consent/consent.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import type { EvaluationRun } from '#durable-objects/evaluation/evaluation-run.ts';
import type { ExplorationRun } from '#durable-objects/exploration/exploration-run.ts';
import type { KnowledgeIndex } from '#durable-objects/knowledge/knowledge-index.ts';
import type { Leaderboard } from '#durable-objects/leaderboard/leaderboard.ts';
import type { Recording } from '#durable-objects/recording/recording.ts';
import type { RequestCounter } from '#durable-objects/request-counter/request-counter.ts';
import type { ServerHost } from '#durable-objects/server-host/server-host.ts';
import type { Submission } from '#durable-objects/submission/submission.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';
import type { Watch } from '#durable-objects/watch/watch.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';

/** What the API needs from state. The composition root implements it with Durable Objects, from which the signatures are inferred. */

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
  readonly watch: WatchService;
}

export type ObjectKind = keyof Objects;

/** Governs the requests to one server or endpoint of a model. */
export interface GovernorService extends Governor {
  describe(): Promise<GovernorStanding>;
}

export type DirectoryService = RpcOf<
  Directory,
  | 'authenticate'
  | 'addKey'
  | 'listKeys'
  | 'removeKey'
  | 'listRunsNeedingDriver'
  | 'takeRunsToWake'
  | 'addBenchmark'
  | 'findBenchmark'
  | 'addLeaderboard'
  | 'listWorkspaceLeaderboardIds'
  | 'hasLeaderboard'
  | 'listLeaderboards'
  | 'setWatchDue'
  | 'listDueWatches'
>;

export type WorkspaceService = RpcOf<
  Workspace,
  | 'addServer'
  | 'addDescribedServer'
  | 'findServersByName'
  | 'replaceServerListing'
  | 'changeServer'
  | 'readWhoCategorizedTools'
  | 'readSurvey'
  | 'readServerWithTools'
  | 'getServerTools'
  | 'listServers'
  | 'removeServerKeepingCatalogs'
  | 'serverConnection'
  | 'isAnyServerPrivate'
  | 'countShareRevocations'
  | 'revokeShares'
  | 'findOrCreateCatalog'
  | 'readCatalogWithTools'
  | 'explorationBasis'
  | 'listCatalogs'
  | 'listJudgeMeasures'
  | 'beginJudgeMeasure'
  | 'reserveIdempotencyKey'
  | 'findReservation'
  | 'addResource'
  | 'findResource'
  | 'listLatestResourcesOfKind'
  | 'listResourcesOfKind'
  | 'removeResource'
  | 'takeSpareObject'
  | 'keepSpareObject'
  | 'consumeSubmissionQuota'
  | 'refusePrivateUnitsGivenElsewhere'
>;

export type ConsentService = RpcOf<
  Consent,
  | 'create'
  | 'describe'
  | 'readQuestion'
  | 'continueFromPage'
  | 'takeAnswer'
  | 'claimForServer'
  | 'release'
  | 'giveToken'
  | 'withdrawLater'
  | 'withdraw'
>;

export type WatchService = RpcOf<
  Watch,
  | 'create'
  | 'get'
  | 'ownership'
  | 'beginVisit'
  | 'finishVisit'
  | 'beginRepetition'
  | 'finishRepetition'
  | 'accept'
  | 'setPaused'
  | 'listIncidents'
  | 'listVisits'
  | 'nextDueAt'
  | 'addTestMessage'
  | 'listDueMessages'
  | 'settleMessage'
  | 'remove'
>;

export type ExplorationService = RpcOf<
  ExplorationRun,
  | 'create'
  | 'get'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'wake'
  | 'listWrites'
  | 'reportOnTools'
  | 'listTransitions'
  | 'listReadings'
  | 'units'
  | 'texts'
  | 'reviews'
  | 'evolutions'
  | 'fetch'
>;

export type EvaluationService = RpcOf<
  EvaluationRun,
  | 'storeBasisAndAddCases'
  | 'createOnStoredBasis'
  | 'get'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'wake'
  | 'listTools'
  | 'fetch'
  | 'results'
  | 'cases'
  | 'labels'
  | 'texts'
  | 'imports'
  | 'claims'
  | 'scoring'
  | 'rejudging'
>;

/** One submission to a leaderboard. */
export type SubmissionService = RpcOf<
  Submission,
  | 'create'
  | 'beginUpload'
  | 'uploadLines'
  | 'describeUploadIfComplete'
  | 'resumeCreation'
  | 'discardUpload'
  | 'get'
  | 'withdraw'
  | 'moderate'
  | 'claimAttempt'
  | 'traceHeader'
  | 'listPublicTraceLines'
  | 'wake'
  | 'fetch'
>;

/** One leaderboard: its entries, its log and its ranking. */
export type LeaderboardService = RankingReader &
  RpcOf<
    Leaderboard,
    | 'open'
    | 'get'
    | 'creation'
    | 'claimName'
    | 'refuseWorkspaceGivenPrivateUnits'
    | 'getShownEntry'
    | 'getShownSignedRecord'
    | 'compareEntries'
    | 'listEntriesOfName'
    | 'getShownEntryOwner'
    | 'mayModerate'
    | 'listPublishedWithPlaces'
    | 'listThinnedFront'
    | 'logLines'
    | 'listSubmissionsForModerators'
    | 'syncDatabaseRanking'
  >;

/** Counts the requests of one key, attempt or address. */
export type RequestCounterService = RpcOf<RequestCounter, 'admitRequest'>;

/** One host with MCP servers. */
export type HostService = HostLedger & RpcOf<ServerHost, 'describe' | 'prove'>;

/** One attempt behind the recording gateway. */
export type AttemptService = RpcOf<
  Attempt,
  'admitOrReportIntrusion' | 'fetch' | 'answerModelRequest' | 'acceptResponse' | 'acceptHeartbeat' | 'giveBack'
>;

/** The servers' answers in an evaluation. */
export type RecordingService = RpcOf<
  Recording,
  'create' | 'get' | 'listAttemptCalls' | 'exportLines' | 'beginImport' | 'importLines' | 'finishImport' | 'discard'
>;

/** One knowledge index, with its passages if it is embedded, else with the ids of those in the external store. */
export type KnowledgeService = EmbeddedIndex &
  RpcOf<
    KnowledgeIndex,
    | 'create'
    | 'get'
    | 'connection'
    | 'recordExternalPassages'
    | 'recordNamespaceCleared'
    | 'listSomeExternalIds'
    | 'emit'
    | 'discard'
    | 'fetch'
  >;

/** Reads a frozen benchmark. */
export type BenchmarkService = RpcOf<
  Benchmark,
  | 'freeze'
  | 'beginImport'
  | 'importLines'
  | 'finishImport'
  | 'get'
  | 'floor'
  | 'recordFloorUnlessMeasured'
  | 'readExportPage'
  | 'listUnits'
  | 'unitIds'
  | 'readUnitsThatFit'
  | 'listCatalogTools'
  | 'serverNames'
  | 'countUnitsWithChecks'
  | 'protocol'
  | 'discard'
>;
