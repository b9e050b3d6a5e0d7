/** Reads the body of a request; null if it has more bytes than allowed, of which no more are kept. */
export async function readBodyUpTo(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) {
    await request.body?.cancel();
    return null;
  }
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = request.body.getReader();
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    size += value.byteLength;
    if (size > mostBytes) {
      await reader.cancel();
      return null;
    }
    chunks.push(new Uint8Array(value));
  }
}
