import type { Endpoint } from '../context.ts';
import { exportBenchmark } from './benchmarks/export.ts';
import { freezeBenchmark } from './benchmarks/freeze.ts';
import { getBenchmark } from './benchmarks/get.ts';
import { importBenchmark } from './benchmarks/import.ts';
import { listBenchmarks } from './benchmarks/list.ts';
import { exportPublicBenchmark } from './benchmarks/public-export.ts';
import { listBenchmarkUnits, listPublicUnits } from './benchmarks/units.ts';
import { claimAttempt } from './attempts/claim.ts';
import { recordingGateway } from './attempts/gateway.ts';
import { respondToAttempt } from './attempts/respond.ts';
import { createCatalog } from './catalogs/create.ts';
import { getCatalog } from './catalogs/get.ts';
import { listCatalogs } from './catalogs/list.ts';
import { domainBreakdown, serverBreakdown } from './evaluations/breakdowns.ts';
import { listCases, getCase } from './evaluations/cases.ts';
import { evaluationControl } from './evaluations/control.ts';
import { createEvaluation } from './evaluations/create.ts';
import { followEvaluation } from './evaluations/events.ts';
import { exportEvaluation } from './evaluations/export.ts';
import { getEvaluation } from './evaluations/get.ts';
import { listEvaluations } from './evaluations/list.ts';
import { getReport } from './evaluations/report.ts';
import { compareAgents, getResults } from './evaluations/results.ts';
import { exportTraces } from './evaluations/traces.ts';
import { listAgentTransitions } from './evaluations/transitions.ts';
import { listUnitResults } from './evaluations/unit-results.ts';
import { listDomainTransitions, listReadings, listTransitions } from './explorations/chart.ts';
import { explorationControl } from './explorations/control.ts';
import { createExploration } from './explorations/create.ts';
import { followExploration } from './explorations/events.ts';
import { getExploration } from './explorations/get.ts';
import { listExplorations } from './explorations/list.ts';
import { getUnit, listUnits } from './explorations/units.ts';
import { createKey } from './keys/create.ts';
import { listKeys } from './keys/list.ts';
import { removeKey } from './keys/remove.ts';
import { clearNamespace } from './knowledge/clear.ts';
import { createKnowledge } from './knowledge/create.ts';
import { followKnowledge } from './knowledge/events.ts';
import { getKnowledge } from './knowledge/get.ts';
import { listKnowledge } from './knowledge/list.ts';
import { loadPassages } from './knowledge/passages.ts';
import { removeKnowledge } from './knowledge/remove.ts';
import { searchKnowledge } from './knowledge/search.ts';
import { getBadge } from './leaderboards/badge.ts';
import { publishedEntryPage } from './leaderboards/entry-page.ts';
import { leaderboardsPage } from './leaderboards/list-page.ts';
import { leaderboardPage } from './leaderboards/table-page.ts';
import { createLeaderboard } from './leaderboards/create.ts';
import { listEntries } from './leaderboards/entries.ts';
import { getEntry } from './leaderboards/entry.ts';
import { exportLeaderboard } from './leaderboards/export.ts';
import { getFront } from './leaderboards/front.ts';
import { getLeaderboard } from './leaderboards/get.ts';
import { getHistory } from './leaderboards/history.ts';
import { listLeaderboards } from './leaderboards/list.ts';
import { readLog } from './leaderboards/log.ts';
import { getRecord } from './leaderboards/record.ts';
import { getSigningKey } from './leaderboards/signing-key.ts';
import { listBoardSubmissions } from './leaderboards/submissions.ts';
import { downloadTraces } from './leaderboards/traces.ts';
import { listRecordedCalls } from './recordings/calls.ts';
import { exportRecording } from './recordings/export.ts';
import { getRecording } from './recordings/get.ts';
import { importRecording } from './recordings/import.ts';
import { listRecordings } from './recordings/list.ts';
import { createEvolution } from './evolutions/create.ts';
import { evolutionControl } from './evolutions/control.ts';
import { followEvolution } from './evolutions/events.ts';
import { getEvolution, listEvolutions } from './evolutions/get.ts';
import { getAgreement } from './reviews/agreement.ts';
import { decideReview } from './reviews/decide.ts';
import { getReview } from './reviews/get.ts';
import { listReviews } from './reviews/list.ts';
import { createSubmission } from './submissions/create.ts';
import { followSubmission } from './submissions/events.ts';
import { getSubmission } from './submissions/get.ts';
import { listSubmissions } from './submissions/list.ts';
import { moderateSubmission } from './submissions/moderate.ts';
import { uploadSubmission } from './submissions/upload.ts';
import { withdrawSubmission } from './submissions/withdraw.ts';
import { createServer } from './servers/create.ts';
import { getServer } from './servers/get.ts';
import { listServers } from './servers/list.ts';
import { relistServer } from './servers/relist.ts';
import { removeServer } from './servers/remove.ts';
import { docs } from './system/docs.ts';
import { health } from './system/health.ts';
import { wake } from './system/wake.ts';

/** Every endpoint; what is not here does not exist. */
export const endpoints: readonly Endpoint[] = [
  health,
  docs,
  wake,
  createKey,
  listKeys,
  removeKey,
  createServer,
  listServers,
  getServer,
  relistServer,
  removeServer,
  createCatalog,
  listCatalogs,
  getCatalog,
  createExploration,
  listExplorations,
  getExploration,
  followExploration,
  ...explorationControl,
  listUnits,
  getUnit,
  listTransitions,
  listReadings,
  listDomainTransitions,
  createEvolution,
  listEvolutions,
  getEvolution,
  followEvolution,
  ...evolutionControl,
  listReviews,
  getAgreement,
  getReview,
  decideReview,
  freezeBenchmark,
  importBenchmark,
  listBenchmarks,
  getBenchmark,
  listPublicUnits,
  listBenchmarkUnits,
  exportBenchmark,
  exportPublicBenchmark,
  createEvaluation,
  listEvaluations,
  getEvaluation,
  followEvaluation,
  ...evaluationControl,
  getResults,
  listUnitResults,
  serverBreakdown,
  domainBreakdown,
  listAgentTransitions,
  exportEvaluation,
  exportTraces,
  getReport,
  compareAgents,
  listCases,
  getCase,
  claimAttempt,
  respondToAttempt,
  recordingGateway,
  importRecording,
  listRecordings,
  getRecording,
  listRecordedCalls,
  exportRecording,
  createSubmission,
  uploadSubmission,
  listSubmissions,
  getSubmission,
  followSubmission,
  withdrawSubmission,
  moderateSubmission,
  createKnowledge,
  listKnowledge,
  getKnowledge,
  removeKnowledge,
  loadPassages,
  searchKnowledge,
  followKnowledge,
  clearNamespace,
  createLeaderboard,
  listLeaderboards,
  getLeaderboard,
  listEntries,
  getEntry,
  getRecord,
  downloadTraces,
  getHistory,
  getBadge,
  exportLeaderboard,
  getFront,
  readLog,
  listBoardSubmissions,
  getSigningKey,
  leaderboardsPage,
  leaderboardPage,
  publishedEntryPage,
];
