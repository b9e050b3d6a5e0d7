import { err, ok, type Result } from '#core/values/result.ts';
import ipaddr from 'ipaddr.js';

export interface AddressRules {
  /** Allows loopback, private, link-local and CGNAT addresses and local names, for development. */
  readonly allowLocal: boolean;
}

/** Why a url may not be contacted. */
interface AddressRefusal {
  readonly reason: 'invalid-url' | 'scheme' | 'credentials' | 'forbidden-address';
  /** For a person. */
  readonly detail: string;
}

type HostAccess = 'public' | 'local' | 'never';

// Metadata services hand out credentials, so they stay forbidden even if local servers are allowed.
const metadataAddresses = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
]);
const metadataNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'api.metadata.cloud.ibm.com',
  'rancher-metadata',
  'rancher-metadata.rancher.internal',
  'instance-data',
  'instance-data.ec2.internal',
]);

// No registry assigns these names, so they can only resolve within a private network. The last ones are those of
// clusters.
const localSuffixes = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'lan',
  'home',
  'corp',
  'home.arpa',
  'svc',
  'default',
  'kube-system',
  'consul',
  'nomad',
];

const localRanges = new Set<string>(['loopback', 'private', 'linkLocal', 'carrierGradeNat', 'uniqueLocal']);

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const ipv4Compatible = ipaddr.IPv6.parseCIDR('::/96');

/**
 * Decides whether Sextant may send a request to a url that a client named. It judges the url only: what a public name
 * resolves to is not visible here. Addresses are judged after WHATWG normalization, so decimal, octal, hexadecimal and
 * short notations are the same address. IPv6 forms that carry an IPv4 address are refused, except IPv4-mapped ones,
 * which are judged by that address.
 */
export function checkAddress(url: string | URL, rules: AddressRules): Result<URL, AddressRefusal> {
  const parsed = URL.parse(String(url));
  if (parsed === null) return err({ reason: 'invalid-url', detail: 'not a url' });
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return err({ reason: 'scheme', detail: `${parsed.protocol} is neither http: nor https:` });
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return err({ reason: 'credentials', detail: 'a url may not carry a user name or password' });
  }
  const host = parsed.hostname.replace(/\.+$/, '').toLowerCase();
  const access = classifyHostAccess(host);
  if (access === 'public' || (access === 'local' && rules.allowLocal)) return ok(parsed);
  return err({ reason: 'forbidden-address', detail: `${host} is not a public address` });
}

/** Returns whether an address is on the public internet, as opposed to those that development admits. */
export const isPublicAddress = (url: URL): boolean => checkAddress(url, { allowLocal: false }).ok;

function classifyHostAccess(host: string): HostAccess {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  if (ipaddr.IPv6.isValid(bare)) return classifyIpv6Access(ipaddr.IPv6.parse(bare));
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return classifyIpv4Access(ipaddr.IPv4.parse(bare));
  return classifyNameAccess(bare);
}

function classifyIpv4Access(address: ipaddr.IPv4): HostAccess {
  if (metadataAddresses.has(address.toString())) return 'never';
  const range = address.range();
  return range === 'unicast' ? 'public' : localRanges.has(range) ? 'local' : 'never';
}

function classifyIpv6Access(address: ipaddr.IPv6): HostAccess {
  if (address.zoneId !== undefined || metadataAddresses.has(address.toString())) return 'never';
  const range = address.range();
  if (range === 'ipv4Mapped') return classifyIpv4Access(address.toIPv4Address());
  if (localRanges.has(range)) return 'local';
  if (range !== 'unicast' || address.match(ipv4Compatible)) return 'never';
  return address.match(globalUnicast) ? 'public' : 'never';
}

function classifyNameAccess(name: string): HostAccess {
  if (name === '' || metadataNames.has(name)) return 'never';
  if (localSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))) return 'local';
  // A name without a dot can only be resolved by a local search list.
  return name.includes('.') ? 'public' : 'local';
}
