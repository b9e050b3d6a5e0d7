import { serverNameOfToolName, type Tool } from '#core/catalog/tool.ts';
import {
  makeCallKeyAssigner,
  makeReplyFinderWithFallback,
  type MadeCall,
  type RecordedCall,
} from '#core/evaluation/recording.ts';
import type { RulesByServer } from '#core/catalog/redaction/rules.ts';
import { Redactions } from './redactions.ts';
import { convertReplyToOutcome } from './results.ts';
import { makeOutcomeOnlyCall, makeServerFault, type ServerConnections } from './server-connections.ts';

/**
 * Answers an attempt at one unit from the recorded attempts at that unit (`makeReplyFinderWithFallback` chooses whose answer),
 * without any connection, at once and without progress. An unrecorded call is the fault `replay-miss`.
 */
export function makeReplayingConnections(
  recorded: readonly RecordedCall[],
  options: {
    readonly attempt: string;
    readonly tools: readonly Pick<Tool, 'name' | 'outputSchema'>[];
    /** What was kept out of the recording, so that calls find their answers and traces keep as little. */
    readonly rules: RulesByServer;
    /** Calls that the attempt made earlier, as they are kept. */
    readonly earlier?: readonly MadeCall[];
  },
): ServerConnections {
  const nextKey = makeCallKeyAssigner(options.earlier);
  const findReply = makeReplyFinderWithFallback(recorded, options.attempt);
  const outputSchemas = new Map(options.tools.map((tool) => [tool.name, tool.outputSchema]));
  const servers = Object.entries(options.rules).map(([name, redact]) => ({ name, redact, headers: {} }));
  const redactions = new Redactions(servers);
  const redactArguments: ServerConnections['redactArguments'] = (tool, args) => redactions.redactArguments(tool, args);
  let closed = false;
  const forward: ServerConnections['forward'] = async (tool, args) => {
    const name = serverNameOfToolName(tool);
    if (closed) return makeServerFault(name, { code: 'connection-lost', detail: 'the attempt has ended' });
    const key = nextKey(tool, redactArguments(tool, args));
    const answer = findReply(key);
    if (answer === undefined) {
      const detail = `no answer is recorded for call ${key.occurrence + 1} of this kind`;
      return makeServerFault(name, { code: 'replay-miss', detail });
    }
    if (answer.kind === 'fault') return answer;
    const outcome = await convertReplyToOutcome(answer, outputSchemas.get(tool));
    if (outcome === undefined)
      return makeServerFault(name, { code: 'malformed-protocol', detail: 'the record is not MCP' });
    return { kind: 'answered', answer, outcome };
  };
  return {
    forward,
    call: makeOutcomeOnlyCall(forward),
    redactArguments,
    close: async () => {
      closed = true;
      return null;
    },
  };
}
