import { describe, expect, test } from 'vitest';
import { checkAddress } from '#adapters/network/address-guard.ts';

const publicUrls = [
  'https://example.com/mcp',
  'http://example.com:8080/mcp?x=1',
  'https://example.com./mcp',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'http://8.8.8.8/',
  'http://172.15.255.255/',
  'http://172.32.0.1/',
  'http://100.63.255.255/',
  'http://192.167.1.1/',
  'http://[2606:4700:4700::1111]/',
  'http://[::ffff:8.8.8.8]/',
];

/** Refused in production, admitted in development. */
const localUrls = [
  'http://localhost/',
  'http://LOCALHOST:3000/',
  'http://localhost./',
  'http://a.localhost/',
  'http://a.b.localhost./',
  'http://printer.local/',
  'http://db.internal/',
  'http://kubernetes.default/',
  'https://kubernetes.default.svc/',
  'http://api.team.svc/',
  'http://vault.service.consul/',
  'http://job.service.nomad/',
  'http://router.lan/',
  'http://nas.home.arpa/',
  'http://localhost.localdomain/',
  'http://intranet/',
  'http://127.0.0.1/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://127.0.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0X7F.1/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://0177.0x0.0.01/',
  'http://%31%32%37.0.0.1/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://10.0.0.1/',
  'http://10.1/',
  'http://167772161/',
  'http://0xa000001/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://192.168.257/',
  'http://3232235777/',
  'http://169.254.1.1/',
  'http://100.64.0.1/',
  'http://100.127.255.255/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[0000::0001]:8080/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::FFFF:0a00:0001]/',
  'http://[::ffff:192.168.0.1]/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://[fc00::1]/',
  'http://[fdff:ffff::1]/',
];

/** Refused always. */
const neverUrls = [
  'http://0.0.0.0/',
  'http://0/',
  'http://0x0/',
  'http://0.1.2.3/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fd00:ec2::254]/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://metadata.google.internal/',
  'http://metadata.google.internal./',
  'http://metadata/',
  'http://metadata.tencentyun.com/latest/meta-data/',
  'http://METADATA.Tencentyun.com./',
  'http://metadata.packet.net/',
  'http://metadata.platformequinix.com/',
  'http://api.metadata.cloud.ibm.com/',
  'http://metadata.azure.internal/',
  'http://instance-data.ec2.internal/',
  'http://rancher-metadata/',
  'http://169.254.170.2/v2/credentials',
  'http://169.254.170.23/',
  'http://[fd00:ec2::23]/',
  'http://[fd20:ce::254]/',
  'http://224.0.0.1/',
  'http://239.255.255.255/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://192.0.0.1/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://192.88.99.1/',
  'http://[::]/',
  'http://[::7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a00:1::1]/',
  'http://[2001::1]/',
  'http://[2001:db8::1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[ff02::1]/',
  'http://[fec0::1]/',
  'http://[100::1]/',
  'http://[3fff::1]/',
  'http://[4000::1]/',
];

const notEvenUrls: [string, string][] = [
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['ws://example.com/', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['data:text/plain,a', 'scheme'],
  ['https://user@example.com/', 'credentials'],
  ['https://user:pass@example.com/', 'credentials'],
  ['https://:pass@example.com/', 'credentials'],
  ['', 'invalid-url'],
  ['example.com', 'invalid-url'],
  ['//example.com', 'invalid-url'],
  ['http://', 'invalid-url'],
  ['http://256.0.0.1/', 'invalid-url'],
  ['http://1.2.3.4.5/', 'invalid-url'],
  ['http://[::1%25eth0]/', 'invalid-url'],
  ['http://./', 'forbidden-address'],
];

const admits = (url: string, allowLocal: boolean): boolean => checkAddress(url, { allowLocal }).ok;

describe('the address guard', () => {
  test.each(publicUrls)('allows the public address %s', (url) => {
    expect([admits(url, false), admits(url, true)]).toEqual([true, true]);
  });
  test.each(localUrls)('allows the local address %s only with the setting for local servers', (url) => {
    expect([admits(url, false), admits(url, true)]).toEqual([false, true]);
  });
  test.each(neverUrls)('never allows %s', (url) => {
    expect([admits(url, false), admits(url, true)]).toEqual([false, false]);
  });
  test.each(notEvenUrls)('refuses %s, which is no address', (url, reason) => {
    expect(checkAddress(url, { allowLocal: true })).toMatchObject({ ok: false, problem: { reason } });
  });
});
