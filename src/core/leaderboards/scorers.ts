import { scorersOfProtocol } from '#core/protocols/protocols.ts';
import { sgvef } from '#core/protocols/sgvef.ts';
import { isRecomputable } from '#core/scoring/scorers.ts';

/** The protocol of the benchmarks that leaderboards take. */
export const leaderboardProtocol = sgvef.key;

/** The scorers whose figures entries have. */
export const leaderboardScorers = scorersOfProtocol(leaderboardProtocol);

/** Those that anybody can recompute from traces, and those that need a judge. */
export const recomputableScorers = leaderboardScorers.filter(isRecomputable);
export const judgedScorers = leaderboardScorers.filter((scorer) => !isRecomputable(scorer));
