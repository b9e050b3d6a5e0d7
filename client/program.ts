import { startCommand } from '../engine/installation.ts';
import { flagOption, optionalOption, parseNonEmptyText } from './command-line/options.ts';
import { verbGroups } from './guide.ts';
import type { Program } from './command-line/parse-line.ts';
import { attemptCommands } from './commands/attempts.ts';
import { benchmarkCommands } from './commands/benchmarks.ts';
import { callCommands } from './commands/call.ts';
import { checkCommands } from './commands/check.ts';
import { caseCommands } from './commands/cases.ts';
import { catalogCommands } from './commands/catalogs.ts';
import { importCommands } from './commands/import-tasks.ts';
import { importToolsCommands } from './commands/import-tools.ts';
import { importTrajectoryCommands } from './commands/import-trajectories.ts';
import { importVerdictCommands } from './commands/import-verdicts.ts';
import { controlCommands } from './commands/control.ts';
import { evaluateCommands } from './commands/evaluate.ts';
import { evolveCommands } from './commands/evolve.ts';
import { exploreCommands } from './commands/explore.ts';
import { knowledgeCommands } from './commands/knowledge.ts';
import { judgeCommands } from './commands/judges.ts';
import { labelCommands } from './commands/labels.ts';
import { leaderboardCommands } from './commands/leaderboards.ts';
import { modelCommands } from './commands/models.ts';
import { recordingCommands } from './commands/recordings.ts';
import { gateCommands } from './commands/gate.ts';
import { proposalCommands } from './commands/propose-wording.ts';
import { disturbCommands } from './commands/disturb.ts';
import { lockCommands } from './commands/lock.ts';
import { offerCommands } from './commands/offer.ts';
import { wordingCommands } from './commands/compare-wordings.ts';
import { exportCommands } from './commands/export-results.ts';
import { resultCommands } from './commands/results.ts';
import { reviewCommands } from './commands/reviews.ts';
import { isolationCommands } from './commands/isolation.ts';
import { consentCommands } from './commands/consents.ts';
import { serverAuthCommands } from './commands/server-auth.ts';
import { writeCommands } from './commands/writes.ts';
import { privacyCommands } from './commands/privacy.ts';
import { bridgeCommands } from './commands/serve.ts';
import { serverCommands } from './commands/servers.ts';
import { startCommands } from './commands/start.ts';
import { submissionCommands } from './commands/submissions.ts';
import { submitCommands } from './commands/submit.ts';
import { toolCommands } from './commands/tools.ts';
import { traceCommands } from './commands/traces.ts';
import { unitCommands } from './commands/units.ts';
import { verifyCommands } from './commands/verify.ts';
import { findingCommands } from './commands/findings.ts';
import { keyCommands } from './commands/keys.ts';
import { shareCommands } from './commands/share.ts';
import { runCommands } from './commands/runs.ts';
import { showServerCommands } from './commands/show-server.ts';
import { watchCommands } from './commands/watch.ts';
import { watchesCommands } from './commands/watches.ts';

/** Options of every verb. */
export const commonOptions = {
  url: optionalOption(
    'url',
    'URL',
    'where the API is; SEXTANT_URL, or this machine, where it was started last',
    parseNonEmptyText,
  ),
  key: optionalOption('key', 'KEY', `the key; SEXTANT_KEY, or the one that "${startCommand}" made`, parseNonEmptyText),
  json: flagOption('json', 'one JSON value a line'),
  help: flagOption('help', 'this text'),
};

/** The command line `sextant`. */
export const program: Program = {
  commands: [
    ...checkCommands,
    ...callCommands,
    ...startCommands,
    ...serverCommands,
    ...showServerCommands,
    ...bridgeCommands,
    ...privacyCommands,
    ...toolCommands,
    ...writeCommands,
    ...serverAuthCommands,
    ...consentCommands,
    ...isolationCommands,
    ...catalogCommands,
    ...modelCommands,
    ...exploreCommands,
    ...watchCommands,
    ...watchesCommands,
    ...controlCommands,
    ...runCommands,
    ...unitCommands,
    ...findingCommands,
    ...reviewCommands,
    ...evolveCommands,
    ...benchmarkCommands,
    ...importCommands,
    ...importToolsCommands,
    ...importTrajectoryCommands,
    ...importVerdictCommands,
    ...evaluateCommands,
    ...attemptCommands,
    ...resultCommands,
    ...exportCommands,
    ...caseCommands,
    ...gateCommands,
    ...proposalCommands,
    ...wordingCommands,
    ...offerCommands,
    ...disturbCommands,
    ...lockCommands,
    ...judgeCommands,
    ...labelCommands,
    ...recordingCommands,
    ...knowledgeCommands,
    ...leaderboardCommands,
    ...submitCommands,
    ...submissionCommands,
    ...traceCommands,
    ...verifyCommands,
    ...keyCommands,
    ...shareCommands,
  ],
  common: Object.values(commonOptions),
  groups: verbGroups,
};
