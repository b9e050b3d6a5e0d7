import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** What a first look at a served server showed: how many tools it lists, or why it cannot be used. */
export type FirstLook =
  | { readonly kind: 'lists'; readonly tools: number }
  | { readonly kind: 'fails'; readonly why: string };

/** The first start of a program may load a package. */
const startTimeoutMs = 120_000;

/** Connects to a served server as any client does, and lists its tools. Never rejects. */
export async function countListedToolsOrFailure(url: string, signal: AbortSignal): Promise<FirstLook> {
  const client = new Client({ name: 'sextant-serve', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url));
  try {
    await client.connect(transport, { timeout: startTimeoutMs, signal });
    const { tools } = await client.listTools(undefined, { timeout: startTimeoutMs, signal });
    await transport.terminateSession();
    return { kind: 'lists', tools: tools.length };
  } catch (cause) {
    return { kind: 'fails', why: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    await client.close();
  }
}
