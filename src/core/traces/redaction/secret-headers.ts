/** Values of headers whose names say that they are secret are hidden from this length on, others only if nobody would type them. */
const leastChars = 6;
const leastCharsOfOthers = 16;
const secretName = /auth|token|key|secret|cookie|passw|credential|session|signature/i;

/** Returns the headers whose values a server must not return: a mode such as `X-MCP-Readonly: true` is no secret. */
export const pickSecretHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => value.length >= (secretName.test(name) ? leastChars : leastCharsOfOthers),
    ),
  );
