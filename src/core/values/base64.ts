/**
 * Base64 of bytes (RFC 4648, section 4). Implemented here because not every platform of the command line has
 * `Uint8Array.toBase64`.
 */
export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** Returns the bytes of a base64 text; throws if it is not base64. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
