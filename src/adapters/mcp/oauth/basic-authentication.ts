import type { ClientAuth } from 'oauth4webapi';

/** As forms encode it: `-`, `.`, `_` and `*` stay as they are. */
const formEncode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/**
 * Proves who the client is by HTTP Basic. Source: RFC 6749, 2.3.1. The library encodes each character but letters and digits, such as the
 * hyphens of a UUID. Authorization servers that do not decode, as the RFC demands, would then not know most clients.
 */
export const makeBasicClientAuth =
  (secret: string): ClientAuth =>
  (_server, { client_id: id }, _body, headers) =>
    headers.set('authorization', `Basic ${btoa(`${formEncode(id)}:${formEncode(secret)}`)}`);
