import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { makeServerRedaction, type Redaction, type ServerRedaction } from '#core/traces/redaction/redaction.ts';
import { noRules, type RedactionRules } from '#core/catalog/redaction/rules.ts';
import type { Trace } from '#core/traces/trace.ts';
import { recentTokensAsHeaderValues, type ServerAuth } from './oauth/tokens.ts';
import type { ServerConnections } from './server-connections.ts';

/** What is kept out of the results of a server and of the arguments of its calls. */
interface RedactedServer {
  readonly name: string;
  readonly redact: RedactionRules;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth?: ServerAuth | null | undefined;
}

/** The redactions of the servers of one attempt. */
export class Redactions {
  readonly #byServer: ReadonlyMap<string, ServerRedaction>;
  readonly #auth: ReadonlyMap<string, ServerAuth | null | undefined>;

  constructor(servers: readonly RedactedServer[]) {
    this.#byServer = new Map(servers.map(({ name, redact, headers }) => [name, makeServerRedaction(redact, headers)]));
    this.#auth = new Map(servers.map(({ name, auth }) => [name, auth]));
  }

  /** Returns the redaction of a server, which hides its latest tokens too. */
  getServerRedactionHidingTokens(name: string): Redaction {
    const own = this.#byServer.get(name) ?? makeServerRedaction(noRules, {});
    return own.hiding(recentTokensAsHeaderValues(this.#auth.get(name)));
  }

  /** Redacts the arguments of a call as they are kept. Where no server has the tool, the rules of all of them hold. */
  redactArguments(tool: string, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const own = this.#byServer.get(serverNameOfToolName(tool));
    const redactions = own === undefined ? [...this.#byServer.values()] : [own];
    return redactions.reduce<Record<string, unknown>>((kept, redaction) => redaction.arguments(kept), { ...args });
  }
}

/** Returns a trace as it is kept: its results are redacted already, its calls still have the arguments that were sent. */
export const traceWithRedactedArguments = (
  trace: Trace,
  { redactArguments }: Pick<ServerConnections, 'redactArguments'>,
): Trace => ({
  ...trace,
  steps: trace.steps.map((step) =>
    step.arguments === null ? step : { ...step, arguments: redactArguments(step.tool, step.arguments) },
  ),
});
