import ipaddr from 'ipaddr.js';

/**
 * Whose address this is, as far as requests are counted: an IPv4 address, or the /64 that an IPv6 address is in, because whoever has one
 * address of it has them all. Whatever is no address counts together.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  // An IPv4 address inside IPv6 is that IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
