import { getProtocol, scorersOfProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { Scorer } from '#core/scoring/scorer.ts';
import { isRecomputable, type ScorerKey } from '#core/evaluation/scorers.ts';

type KeyedScorer = Scorer & { readonly key: ScorerKey };

/** Returns the scorers of a protocol that anybody can recompute from traces. */
export const listRecomputableScorers = (protocol: ProtocolKey): readonly KeyedScorer[] =>
  scorersOfProtocol(protocol).filter(isRecomputable);

/** Returns the scorers of a protocol that need a judge. */
export const listJudgedScorers = (protocol: ProtocolKey): readonly KeyedScorer[] =>
  scorersOfProtocol(protocol).filter((scorer) => !isRecomputable(scorer));

/** Returns the scorers whose figures an entry has by domain: the headline, and those that need no judge. */
export const listScorersShownByDomain = (protocol: ProtocolKey): readonly KeyedScorer[] =>
  scorersOfProtocol(protocol).filter(
    (scorer) => scorer.key === getProtocol(protocol).headline || isRecomputable(scorer),
  );

/** Returns the scorers that tables with little room show. */
export const listScorersShownInBrief = (protocol: ProtocolKey): readonly KeyedScorer[] =>
  scorersOfProtocol(protocol).filter(({ brief }) => brief);
