import type { ServerContext } from '@modelcontextprotocol/server';
import type { CallProgress } from './server-connections.ts';

/** Forwards the progress of a call to a client that asked for it, but nothing after the answer. */
export function makeProgressSender({ _meta, notify }: ServerContext['mcpReq']): {
  /** Empty if the client did not ask. */
  readonly option: { readonly onProgress?: (progress: CallProgress) => void };
  end(): Promise<unknown>;
} {
  const progressToken = _meta?.progressToken;
  const sent: Promise<void>[] = [];
  let ended = false;
  const onProgress = (progress: CallProgress): void => {
    if (ended || progressToken === undefined) return;
    sent.push(notify({ method: 'notifications/progress', params: { ...progress, progressToken } }));
  };
  return {
    option: progressToken === undefined ? {} : { onProgress },
    end: () => {
      ended = true;
      return Promise.all(sent);
    },
  };
}
