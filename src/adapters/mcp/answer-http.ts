import { createMcpHandler, type ProtocolEra, type Server } from '@modelcontextprotocol/server';

const maxBodyBytes = 1024 * 1024;

/**
 * Answers one HTTP request of an MCP client over Streamable HTTP, without a session, in the era of the protocol that the client
 * speaks. `makeServer` makes the server that answers; it is closed when its answer has been read, or nobody reads it any more.
 */
export async function answerWithServerOfItsOwn(
  request: Request,
  makeServer: (era: ProtocolEra) => Server,
): Promise<Response> {
  // A standing GET stream would carry nothing, and there is no session to DELETE.
  if (request.method !== 'POST') return methodNotAllowedResponse();
  const handler = createMcpHandler(({ era }) => makeServer(era), { maxRequestBodySize: maxBodyBytes });
  // Closing aborts the unanswered calls.
  const close = (): void => void handler.close();
  request.signal.addEventListener('abort', close, { once: true });
  const response = await handler.fetch(request);
  if (response.body === null) return response;
  const { status, headers } = response;
  return new Response(forwardBodyThenCloseServer(response.body, close), { status, headers });
}

function methodNotAllowedResponse(): Response {
  const error = { code: -32000, message: 'Method not allowed.' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 405, headers: { allow: 'POST' } });
}

/** Forwards a body and calls `closeServer` when it has ended or nobody reads it any more. */
function forwardBodyThenCloseServer(
  body: ReadableStream<Uint8Array>,
  closeServer: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      controller.close();
      closeServer();
    },
    async cancel(reason) {
      closeServer();
      await reader.cancel(reason);
    },
  });
}
