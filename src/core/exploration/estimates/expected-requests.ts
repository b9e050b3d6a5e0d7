import { isModernVersion } from '#core/catalog/protocol-version.ts';
import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { measured } from './measured-costs.ts';
import { hostOf } from '#core/catalog/hosts/proof.ts';

/** A server as far as it says where requests go. */
export interface ReachedServer {
  readonly name: string;
  readonly url: string | null;
  readonly protocolVersion: string | null;
}

/** `initialize` and its notification, and the end of the session. */
const requestsOfSession = 3;

/** Returns how many requests attempts send to each host, given how many calls each server gets and in how many attempts it is used. */
function sumByHost(
  servers: readonly ReachedServer[],
  useOf: (server: string) => { readonly calls: number; readonly attempts: number },
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { name, url, protocolVersion } of servers) {
    const address = url === null ? null : URL.parse(url);
    if (address === null) continue;
    const { calls, attempts } = useOf(name);
    const requests = calls + (isModernVersion(protocolVersion ?? '') ? 0 : attempts * requestsOfSession);
    const host = hostOf(address);
    sums.set(host, (sums.get(host) ?? 0) + requests);
  }
  return sums;
}

/** Returns how many requests an evaluation sends to each host if every attempt makes the calls that its unit expects. `sample` are some of its units. */
export function estimateEvaluationRequestsByHost(
  { units, attemptsOfUnit }: { readonly units: number; readonly attemptsOfUnit: number },
  sample: readonly { readonly chain: readonly string[] }[],
  servers: readonly ReachedServer[],
): Map<string, number> {
  const scale = (units * attemptsOfUnit) / Math.max(1, sample.length);
  return sumByHost(servers, (server) => {
    const calls = sample.map(({ chain }) => chain.filter((tool) => serverNameOfToolName(tool) === server).length);
    return {
      calls: scale * calls.reduce((sum, each) => sum + each, 0),
      attempts: scale * calls.filter((each) => each > 0).length,
    };
  });
}

/** Calls of an attempt as they were measured: each turn but the last one makes one. */
const callsOfAttempt = measured.attempt.turns - 1;

/** Returns how many requests an exploration sends to each host if its attempts call all tools equally often. */
export const estimateExplorationRequestsByHost = (
  attempts: number,
  tools: readonly { readonly server: string }[],
  servers: readonly ReachedServer[],
): Map<string, number> =>
  sumByHost(servers, (server) => {
    const share = tools.filter((tool) => tool.server === server).length / Math.max(1, tools.length);
    return {
      calls: attempts * callsOfAttempt * share,
      attempts: attempts * (1 - (1 - share) ** callsOfAttempt),
    };
  });
