import ipaddr from 'ipaddr.js';

/**
 * Returns the name under which an address is counted: an IPv4 address, or the /64 of an IPv6 address, because a client
 * usually controls all of it. Everything that is not an address counts together.
 */
export function networkOfAddress(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  // An IPv4 address inside IPv6 counts as that IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
