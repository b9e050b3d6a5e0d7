/**
 * Returns a filter that takes a secret out of bytes as they pass, also where it lies across two pieces; `end` returns what is left. Only the end of a piece
 * that could be the beginning of the secret waits for the next piece. A secret of fewer than 8 characters, which anything may hold by chance, is left in.
 */
export function makeSecretFilter(secret: string): {
  readonly pass: (piece: Uint8Array) => Uint8Array;
  readonly end: () => Uint8Array;
} {
  const sought = new TextEncoder().encode(secret);
  if (sought.length < shortestSecret) return { pass: (piece) => piece, end: () => nothing };
  let kept: Uint8Array = nothing;
  return {
    pass: (piece) => {
      const joined = joinBytes([kept, piece]);
      const parts: Uint8Array[] = [];
      let from = 0;
      for (let at = indexOfBytes(joined, sought, 0); at >= 0; at = indexOfBytes(joined, sought, from)) {
        parts.push(joined.subarray(from, at), mask);
        from = at + sought.length;
      }
      const rest = joined.subarray(from);
      const waiting = lengthOfBegunSecret(rest, sought);
      kept = rest.slice(rest.length - waiting);
      const passed = rest.subarray(0, rest.length - waiting);
      return parts.length === 0 ? passed : joinBytes([...parts, passed]);
    },
    end: () => {
      const last = kept;
      kept = nothing;
      return last;
    },
  };
}

const shortestSecret = 8;
const nothing = new Uint8Array(0);
const mask = new TextEncoder().encode('[redacted]');

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = parts.filter(({ length }) => length > 0);
  if (only === undefined) return nothing;
  if (others.length === 0) return only;
  const joined = new Uint8Array([only, ...others].reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of [only, ...others]) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function indexOfBytes(bytes: Uint8Array, sought: Uint8Array, from: number): number {
  const first = sought[0] ?? 0;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + sought.length > bytes.length) return -1;
    if (sought.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

/** Returns how many bytes at the end are the beginning of what is sought. */
function lengthOfBegunSecret(bytes: Uint8Array, sought: Uint8Array): number {
  for (let length = Math.min(sought.length - 1, bytes.length); length > 0; length -= 1) {
    const start = bytes.length - length;
    if (bytes[start] === sought[0] && sought.subarray(0, length).every((byte, index) => bytes[start + index] === byte))
      return length;
  }
  return 0;
}
