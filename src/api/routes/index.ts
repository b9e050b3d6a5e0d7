import type { Endpoint } from '../context.ts';
import { attemptEndpoints } from './attempts.ts';
import { benchmarkEndpoints } from './benchmarks.ts';
import { cardEndpoints } from './cards.ts';
import { caseEndpoints } from './cases.ts';
import { catalogEndpoints } from './catalogs.ts';
import { consentEndpoints } from './consents.ts';
import { describedServerEndpoints } from './described-servers.ts';
import { docEndpoints } from './docs.ts';
import { entryEndpoints } from './entries.ts';
import { evaluationEndpoints } from './evaluations.ts';
import { evolutionEndpoints } from './evolutions.ts';
import { explorationEndpoints } from './explorations.ts';
import { hostEndpoints } from './hosts.ts';
import { judgeEndpoints } from './judges.ts';
import { keyEndpoints } from './keys.ts';
import { importedAttemptEndpoints } from './imported-attempts.ts';
import { knowledgeEndpoints } from './knowledge.ts';
import { labelEndpoints } from './labels.ts';
import { leaderboardPageEndpoints } from './leaderboard-pages.ts';
import { leaderboardEndpoints } from './leaderboards.ts';
import { mcpEndpoints } from './mcp.ts';
import { modelEndpoints } from './models.ts';
import { moderationEndpoints } from './moderation.ts';
import { oauthPageEndpoints } from './oauth-pages.ts';
import { pageEndpoints } from './pages.ts';
import { passageEndpoints } from './passages.ts';
import { recordingEndpoints } from './recordings.ts';
import { rejudgingEndpoints } from './rejudging.ts';
import { resultEndpoints } from './results.ts';
import { reviewEndpoints } from './reviews.ts';
import { shareEndpoints } from './shares.ts';
import { serverChangeEndpoints } from './server-changes.ts';
import { serverEndpoints } from './servers.ts';
import { submissionEndpoints } from './submissions.ts';
import { systemEndpoints } from './system.ts';
import { unitEndpoints } from './units.ts';
import { watchPageEndpoints } from './watch-pages.ts';
import { watchEndpoints } from './watches.ts';
import { wordingEndpoints } from './wordings.ts';

/** All endpoints. */
export const endpoints: readonly Endpoint[] = [
  systemEndpoints,
  docEndpoints,
  keyEndpoints,
  shareEndpoints,
  serverEndpoints,
  serverChangeEndpoints,
  hostEndpoints,
  consentEndpoints,
  describedServerEndpoints,
  watchEndpoints,
  catalogEndpoints,
  modelEndpoints,
  explorationEndpoints,
  unitEndpoints,
  evolutionEndpoints,
  reviewEndpoints,
  benchmarkEndpoints,
  evaluationEndpoints,
  resultEndpoints,
  wordingEndpoints,
  caseEndpoints,
  labelEndpoints,
  judgeEndpoints,
  rejudgingEndpoints,
  importedAttemptEndpoints,
  attemptEndpoints,
  recordingEndpoints,
  submissionEndpoints,
  moderationEndpoints,
  knowledgeEndpoints,
  passageEndpoints,
  mcpEndpoints,
  leaderboardEndpoints,
  entryEndpoints,
  cardEndpoints,
  leaderboardPageEndpoints,
  watchPageEndpoints,
  oauthPageEndpoints,
  pageEndpoints,
].flat();
