import type { InfrastructureFault } from '#core/models/faults.ts';
import type { Asked, Disturbed, Queued, ToolConnections, ToolOutcome } from '#core/ports.ts';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import { factsBesideOutcome } from '#core/traces/step-outcome.ts';

/** A call's progress as its server reports it. */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface ForwardOptions {
  readonly timeoutMs: number;
  /** The most that the call waits for a place or for a busy server, besides `timeoutMs`; without it the usual bounds hold. */
  readonly mostWaitMs?: number | undefined;
  /** Aborts the call and notifies the server. */
  readonly signal?: AbortSignal | undefined;
  /** The `traceparent` that the caller sent; the attempt's own takes the place of none or an invalid one. */
  readonly traceparent?: string | undefined;
  /** The server is asked for progress only if somebody listens. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
}

/** The outcome of a call that a tool or the protocol answered. */
export type AnsweredOutcome = Exclude<ToolOutcome, { readonly kind: 'fault' }>;

/** A server's whole answer without what its owner keeps out, and the part that the metrics read. */
export type Forwarded = Queued &
  Asked &
  Disturbed &
  (
    | { readonly kind: 'answered'; readonly answer: ServerReply; readonly outcome: AnsweredOutcome }
    | Extract<ToolOutcome, { readonly kind: 'fault' }>
  );

/** Connections that also return a server's complete answers. A call rejects only if the platform stopped it. */
export interface ServerConnections extends ToolConnections {
  /** Returns the arguments of a call as traces and recordings keep them: without what the servers' owners keep out. */
  readonly redactArguments: (tool: string, args: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** Ends everything. Returns the fault that leaves the attempt without value, if a server that it used could not be reset. */
  close(): Promise<InfrastructureFault | null>;
  forward(tool: string, args: Readonly<Record<string, unknown>>, options: ForwardOptions): Promise<Forwarded>;
}

/** `call` is `forward` without the answer. */
export const makeOutcomeOnlyCall =
  (forward: ServerConnections['forward']): ToolConnections['call'] =>
  async (tool, args, timeoutMs) => {
    const forwarded = await forward(tool, args, { timeoutMs });
    if (forwarded.kind === 'fault') return forwarded;
    const { outcome, queuedMs } = forwarded;
    return { ...outcome, ...(queuedMs === undefined ? {} : { queuedMs }), ...factsBesideOutcome(forwarded) };
  };

export const makeServerFault = (
  name: string,
  { code, detail, status }: Pick<InfrastructureFault, 'code' | 'detail' | 'status'>,
): Extract<Forwarded, { readonly kind: 'fault' }> => ({
  kind: 'fault',
  fault: { where: 'server', name, code, detail, ...(status === undefined ? {} : { status }) },
});
